/** Combines several results into one text: each under a line `== title`. */
import { z } from 'zod';
import { NameText, OutputText } from './bounded.ts';

export const Section = z.object({ title: NameText, content: OutputText });
export type Section = z.infer<typeof Section>;

/** The sections of one answer to the kernel. */
export const SectionList = z.array(Section).max(1000);

/** Returns the sections as one text, separated by empty lines; a section without content is only its title (OP-13). */
export const renderSections = (sections: readonly Section[]): string =>
  sections
    .map(({ title, content }) => (content === '' ? `== ${title}` : `== ${title}\n${content}`))
    .join('\n\n');
