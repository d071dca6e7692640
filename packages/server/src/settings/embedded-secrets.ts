/** Secrets that stand inside of texts which are none: who an address logs in as, a key in a query or on a command line. */

/** A name that says of its value that it is a key. */
const TELLING =
  '[^=?&#\\s:]*(?:key|token|secret|passw(?:or)?d|credential|signature|\\bsig\\b|\\bauth\\b)[^=?&#\\s:]*';
const LOGIN = /(\b[a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)(?=@)/gi;
const QUERY = new RegExp(`([?&]${TELLING}=)([^&#\\s]+)`, 'gi');
/** `--api-key=x`, `API_KEY=x`. */
const ASSIGNED = new RegExp(`^(-*${TELLING}=)(.+)$`, 'is');
/** `--token`: the argument after it is the secret. */
const FLAG = new RegExp(`^-+${TELLING}$`, 'i');
/** `X-Api-Key: x`, as programs are told which headers to send. */
const HEADER = new RegExp(
  `^((?:--?[a-z-]+=)?(?:(?:proxy-)?authorization|cookie|${TELLING}):\\s*)(.+)$`,
  'is',
);

type Change = (secret: string) => string;

/** The text with each secret of its addresses changed. */
export const changeInAddresses = (text: string, change: Change): string =>
  text
    .replace(LOGIN, (_, scheme: string, login: string) => scheme + change(login))
    .replace(QUERY, (_, name: string, value: string) => name + change(value));

/** The same of one word of a command line. @param before the word before it */
export function changeInArgument(text: string, before: string | undefined, change: Change): string {
  if (before !== undefined && FLAG.test(before) && !text.startsWith('-')) return change(text);
  for (const shape of [ASSIGNED, HEADER]) {
    if (shape.test(text))
      return text.replace(shape, (_, name: string, value: string) => name + change(value));
  }
  return changeInAddresses(text, change);
}
