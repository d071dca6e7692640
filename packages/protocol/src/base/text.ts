/** Text, cut to size. */

/** The beginning of a text, at most `chars` UTF-16 units long, and never half a character at its end. */
export const cutText = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');
