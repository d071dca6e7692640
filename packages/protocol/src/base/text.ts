/** Texts that must not be longer than allowed. */

/** Returns the beginning of a text: at most `chars` UTF-16 units, and never half a character at the end. */
export const cutText = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');
