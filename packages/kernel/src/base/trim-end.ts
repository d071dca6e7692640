/** Cuts characters off the end of a text, in time linear in their number, which a pattern that ends in `+$` is not. */

/** The text without the characters at its end that the pattern matches, one code unit at a time. */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
