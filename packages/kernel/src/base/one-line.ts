/** Words of others on their way into a prompt: names, captions and the like, which must not pass for more (WHO-4). */
import { cutText } from '@chat-kernel/protocol';

/** The most characters of a name that a prompt shows. */
const MOST_CHARS = 200;

/** Characters that end a line, hide, or turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text on one line of at most so many characters. */
export function oneLine(text: string, most = MOST_CHARS): string {
  // Joiners hold the characters of several scripts, and some pictures, together.
  const seen = text.replace(UNSEEN, sign => (sign === '\u200c' || sign === '\u200d' ? sign : ' '));
  const line = seen.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${cutText(line, most - 1)}…`;
}

/** The name of a person as a prompt shows it: in quotes, which it cannot leave. */
export const quotedName = (name: string): string => `"${oneLine(name).replaceAll('"', "'")}"`;
