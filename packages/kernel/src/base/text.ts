/** Cleans and cuts text of others. */
import { cutWithEllipsis, toSingleLine } from '@chat-kernel/text';

/** The maximum number of characters of a name in a prompt. */
const MAX_CHARS = 200;

/** Characters that end a line, hide, or change the writing direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The text on one line with at most this number of characters: in a prompt, a name or a caption must not pose as anything
 * else (WHO-4).
 */
export function oneLine(text: string, most = MAX_CHARS): string {
  // Joiners connect characters in several scripts and in some emoji.
  const seen = text.replace(UNSEEN, sign => (sign === '\u200c' || sign === '\u200d' ? sign : ' '));
  return cutWithEllipsis(toSingleLine(seen), most);
}

/** The name of a person in a prompt: in quotes, with inner quotes replaced. */
export const quotedName = (name: string): string => `"${oneLine(name).replaceAll('"', "'")}"`;

/**
 * The text without the characters at its end that match the pattern, one code unit at a time. Takes linear time, unlike a
 * pattern that ends in `+$`.
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

/** Joins text that arrives in arbitrary pieces, possibly cut inside a surrogate pair, as providers send it. */
export class SurrogateBuffer {
  /** The first half of a character whose second half has not arrived yet. */
  #half = '';

  /** Returns the complete text so far: the stored half and the piece, without a half character at its end. */
  add(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const end = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    return text.slice(0, end).toWellFormed();
  }

  /** Returns the rest at the end of the input: a replacement character, or an empty text. */
  end(): string {
    const half = this.#half;
    this.#half = '';
    return half.toWellFormed();
  }
}
