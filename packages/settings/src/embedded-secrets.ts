/**
 * Finds secrets inside of texts: the login of an address, a key in a query or on a command line. All patterns are linear,
 * because the text may be a megabyte of untrusted input. Names are found first and checked one by one.
 */
import { isSecretName } from '@chat-kernel/protocol';

/** Short flags of passwords and tokens. */
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

/** Replaces the secrets in the addresses of a text. */
export const changeInAddresses = (text: string, change: Change): string =>
  text
    .replace(LOGIN, (_, scheme: string, login: string) => scheme + change(login))
    .replace(QUERY, (all, before: string, name: string, value: string) =>
      isSecretName(name) ? before + change(value) : all,
    );

/** Replaces the secret in an argument. @param before the preceding argument */
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

/** A number after a short flag is a port, not a password. */
function isSecretFlag(flag: string, value: string): boolean {
  if (!flag.startsWith('-') || flag.includes('=') || value.startsWith('-')) return false;
  return isSecretName(flag) || (SECRET_FLAG.test(flag) && !/^\d+$/.test(value));
}
