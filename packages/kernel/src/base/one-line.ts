/**
 * Sanitizes names, captions and similar text of others for prompts, so that it cannot pose as anything else (WHO-4).
 */
import { cutWithEllipsis, toSingleLine } from '@chat-kernel/text';

/** The maximum number of characters of a name in a prompt. */
const MAX_CHARS = 200;

/** Characters that end a line, hide, or change the writing direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text on one line with at most this number of characters. */
export function oneLine(text: string, most = MAX_CHARS): string {
  // Joiners connect characters in several scripts and in some emoji.
  const seen = text.replace(UNSEEN, sign => (sign === '\u200c' || sign === '\u200d' ? sign : ' '));
  return cutWithEllipsis(toSingleLine(seen), most);
}

/** The name of a person in a prompt: in quotes, with inner quotes replaced. */
export const quotedName = (name: string): string => `"${oneLine(name).replaceAll('"', "'")}"`;
