/** Several results in one text: each under a line `== title`. */
import { z } from 'zod';

export const Section = z.object({ title: z.string(), content: z.string() });
export type Section = z.infer<typeof Section>;

/** The sections of one answer to the kernel. */
export const SectionList = z.array(Section).max(1000);

/** Returns the sections as one text, an empty line between them; without content a title stands alone (OP-13). */
export const renderSections = (sections: readonly Section[]): string =>
  sections
    .map(({ title, content }) => (content === '' ? `== ${title}` : `== ${title}\n${content}`))
    .join('\n\n');
