/** The title of the terminal's window. */
import { safe } from '../text/safe.ts';

const LONGEST = 100;

/** The sequence that sets it; a title is anybody's text. */
export const titleSequence = (title: string): string =>
  `\u001b]0;${safe(title.replace(/\s+/g, ' ')).slice(0, LONGEST)}\u0007`;

/** Most terminals keep a stack of titles: the one before comes back in the end. */
export const KEEP_TITLE = '\u001b[22;0t';
export const GIVE_TITLE_BACK = '\u001b[23;0t';
