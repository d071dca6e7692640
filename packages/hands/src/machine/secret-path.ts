/** Decides whether a path is a secret place: one that usually holds keys or passwords (CONSENT-5). */
import { isAbsolute, join, sep } from 'node:path';
import { isNameLike, SECRETS_AT_HOME, type Secrecy, secrecyOfName } from '@chat-kernel/protocol';

export interface SecretRules {
  /** The home directory of the user. */
  home: string;
  /**
   * The setting `tools.secret_paths`. A path covers everything below it; `~` is the home directory. A name without a
   * slash covers files of this name anywhere, and `*` in it any characters. `!` in front removes; the last match counts.
   */
  rules: readonly string[];
}

/** Returns the function that judges real and absolute paths. */
export function secretJudge({ home, rules }: SecretRules): (path: string) => Secrecy {
  const places = SECRETS_AT_HOME.map(place => fold(join(home, place)));
  const matches = rules.map(rule => {
    const removes = rule.startsWith('!');
    return {
      result: removes ? null : ('secret' as const),
      covers: coverage(removes ? rule.slice(1) : rule, home),
    };
  });
  return path => {
    const folded = fold(path);
    const builtin = places.some(place => isBelow(folded, place)) ? 'secret' : secrecyOfName(lastStep(folded));
    const last = matches.findLast(({ covers }) => covers(folded));
    return last === undefined ? builtin : last.result;
  };
}

/** Returns the absolute path that a rule is about; null for a name. */
export function rulePath(rule: string, home: string): string | null {
  if (rule === '~' || rule.startsWith('~/')) return trimEnd(join(home, rule.slice(1)));
  return isAbsolute(rule) ? trimEnd(rule) : null;
}

/**
 * Whether the beginning of a file shows a certificate and no private key.
 * @param text the first part of the file
 */
export function isCertificate(text: string): boolean {
  const begin = text.indexOf(BEGIN);
  if (begin < 0 || text.includes('PRIVATE KEY-----')) return false;
  const kind = text.slice(begin + BEGIN.length, begin + BEGIN.length + MAX_KIND);
  return ['', 'TRUSTED ', 'X509 '].some(prefix => kind.startsWith(`${prefix}CERTIFICATE-----`));
}

const BEGIN = '-----BEGIN ';
const MAX_KIND = 40;

function coverage(rule: string, home: string): (folded: string) => boolean {
  const place = rulePath(rule, home);
  if (place === null) return folded => isNameLike(lastStep(folded), fold(rule));
  const outer = fold(place);
  return folded => isBelow(folded, outer);
}

const isBelow = (path: string, place: string): boolean =>
  path === place || (path.startsWith(place) && (place.endsWith(sep) || path[place.length] === sep));

/** Case is ignored: on some file systems both spellings are the same file. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();
const lastStep = (path: string): string => path.slice(path.lastIndexOf(sep) + 1);
const trimEnd = (path: string): string => (path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path);
