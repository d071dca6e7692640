/** Trims characters from the end of a text in linear time; a pattern that ends in `+$` would take longer. */

/** The text without the characters at its end that match the pattern, one code unit at a time. */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
