/** Secrets inside of texts: the login of an address, a key in a query or on a command line. */

/** Pattern of a name whose value is a secret. */
const SECRET_NAME =
  '[^=?&#\\s:]*(?:key|token|secret|passw(?:or)?d|credential|signature|\\bsig\\b|\\bauth\\b)[^=?&#\\s:]*';
const LOGIN = /(\b[a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)(?=@)/gi;
const QUERY = new RegExp(`([?&]${SECRET_NAME}=)([^&#\\s]+)`, 'gi');
/** Matches `--api-key=x` and `API_KEY=x`. */
const ASSIGNED = new RegExp(`^(-*${SECRET_NAME}=)(.+)$`, 'is');
/** Matches `--token`, after which the next argument is the secret. */
const FLAG = new RegExp(`^-+${SECRET_NAME}$`, 'i');
/** Matches `X-Api-Key: x`, the argument of a program that sends headers. */
const HEADER = new RegExp(
  `^((?:--?[a-z-]+=)?(?:(?:proxy-)?authorization|cookie|${SECRET_NAME}):\\s*)(.+)$`,
  'is',
);

type Change = (secret: string) => string;

/** Returns the text with each secret of its addresses changed. */
export const changeInAddresses = (text: string, change: Change): string =>
  text
    .replace(LOGIN, (_, scheme: string, login: string) => scheme + change(login))
    .replace(QUERY, (_, name: string, value: string) => name + change(value));

/** Returns the argument of a command line with its secret changed. @param before the argument before it */
export function changeInArgument(text: string, before: string | undefined, change: Change): string {
  if (before !== undefined && FLAG.test(before) && !text.startsWith('-')) return change(text);
  for (const shape of [ASSIGNED, HEADER]) {
    if (shape.test(text))
      return text.replace(shape, (_, name: string, value: string) => name + change(value));
  }
  return changeInAddresses(text, change);
}
