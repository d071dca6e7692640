/** How one answer holds several: each under a line `== title`. */

export interface Section {
  title: string;
  content: string;
}

/** The sections as one text, an empty line between them; an empty content leaves its title alone (OP-13). */
export const renderSections = (sections: readonly Section[]): string =>
  sections
    .map(({ title, content }) => (content === '' ? `== ${title}` : `== ${title}\n${content}`))
    .join('\n\n');
