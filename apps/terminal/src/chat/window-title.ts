/** Escape sequences for the title of the terminal's window. */
import { safe } from '../text/safe.ts';

const LONGEST = 100;

/** Returns the sequence that sets a title; the title is untrusted text. */
export const titleSequence = (title: string): string =>
  `\u001b]0;${safe(title.replace(/\s+/g, ' ')).slice(0, LONGEST)}\u0007`;

/** Most terminals have a stack of titles, which restores the previous title at the end. */
export const KEEP_TITLE = '\u001b[22;0t';
export const GIVE_TITLE_BACK = '\u001b[23;0t';
