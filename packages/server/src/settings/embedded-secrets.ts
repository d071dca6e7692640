/**
 * Secrets inside of texts: the login of an address, a key in a query or on a command line. Every pattern here is linear in
 * the text, which may be a megabyte that somebody else wrote: what a name says is asked of each name once, apart from
 * finding it.
 */
import { isSecretName } from '@chat-kernel/protocol';

/** Short flags of programs that log in. */
const SECRET_FLAG = /^-+(?:p|pw|pass|pwd|passphrase)$/i;

// bounded: at most 31 starts before each address.
const LOGIN = /([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#]*)(?=@)/gi;
const QUERY = /([?&]([^=?&#\s:]*)=)([^&#\s]+)/g;
/** Matches `--api-key=x` and `API_KEY=x`. */
const ASSIGNED = /^([^=?&#\s:]+)=(.+)$/s;
/** Matches `X-Api-Key: x`, the argument of a program that sends headers. */
// bounded: anchored, and its parts share no character.
const HEADER = /^((?:--?[a-z-]{1,40}=)?([^=?&#\s:]+):\s*)(.+)$/is;
/** Matches `TOKEN=x` in the script that is an argument of a shell. bounded: 101 characters from each edge. */
const IN_SCRIPT = /(^|[\s;&|'"(])(-{0,2}[A-Za-z_][\w-]{0,100})=("[^"]*"|'[^']*'|[^\s;&|'")]+)/g;

type Change = (secret: string) => string;

/** Returns the text with each secret of its addresses changed. */
export const changeInAddresses = (text: string, change: Change): string =>
  text
    .replace(LOGIN, (_, scheme: string, login: string) => scheme + change(login))
    .replace(QUERY, (all, before: string, name: string, value: string) =>
      isSecretName(name) ? before + change(value) : all,
    );

/** Returns the argument of a command line with its secret changed. @param before the argument before it */
export function changeInArgument(text: string, before: string | undefined, change: Change): string {
  if (before !== undefined && isSecretFlag(before, text)) return change(text);
  const assigned = ASSIGNED.exec(text);
  if (assigned && isAssignedSecret(assigned[1] as string))
    return `${assigned[1]}=${change(assigned[2] as string)}`;
  const header = HEADER.exec(text);
  if (header && isSecretName(header[2] as string)) return `${header[1]}${change(header[3] as string)}`;
  const script = text.replace(IN_SCRIPT, (all, edge: string, name: string, value: string) => {
    if (!isAssignedSecret(name)) return all;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const bare = quote === '' ? value : value.slice(1, -1);
    return `${edge}${name}=${quote}${bare === '' ? '' : change(bare)}${quote}`;
  });
  return changeInAddresses(script, change);
}

const isAssignedSecret = (name: string): boolean => isSecretName(name) || SECRET_FLAG.test(`-${name}`);

/** A number behind a short flag is a port, not a password. */
function isSecretFlag(flag: string, value: string): boolean {
  if (!flag.startsWith('-') || flag.includes('=') || value.startsWith('-')) return false;
  return isSecretName(flag) || (SECRET_FLAG.test(flag) && !/^\d+$/.test(value));
}
