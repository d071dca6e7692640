/** Small text transformations in linear time, for untrusted text. */

/** Joins the text to one line: each run of white space with a newline becomes `between`. */
export const oneLine = (text: string, between = ' '): string =>
  text.replace(/\s+/g, run => (run.includes('\n') ? between : run));

/** Removes a pair of quotes around the text. */
export function unquoted(text: string): string {
  const quote = text[0];
  const isPair = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isPair ? text.slice(1, -1) : text;
}
