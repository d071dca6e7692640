/** Small changes of texts that others wrote, in time linear in their length. */

/** The text on one line: each run of white space that holds a line break becomes `between`. */
export const oneLine = (text: string, between = ' '): string =>
  text.replace(/\s+/g, run => (run.includes('\n') ? between : run));

/** The text without the pair of quotes around it, if there is one. */
export function unquoted(text: string): string {
  const quote = text[0];
  const isPair = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isPair ? text.slice(1, -1) : text;
}
