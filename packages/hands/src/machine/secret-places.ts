/** The secret places of this machine (CONSENT-5). Real paths are judged, also if a place itself is a link. */
import { lstatSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { SECRETS_AT_HOME, type Secrecy } from '@chat-kernel/protocol';
import { openFile, readPart } from './plain-file.ts';
import { isCertificate, rulePath, secretJudge } from './secret-path.ts';

/** The part of a file that shows whether it is a certificate. A chain of certificates before a key is smaller. */
const CERTIFICATE_BYTES = 256 * 1024;

interface SecretPlace {
  /** The real path of an existing directory or file. */
  path: string;
  kind: 'directory' | 'file';
}

export class SecretPlaces {
  /** The real path of the home directory. */
  readonly home: string;
  readonly #rules: readonly string[];

  /** @param rules the setting `tools.secret_paths` */
  constructor(rules: readonly string[] = [], home = homedir()) {
    this.#rules = rules;
    this.home = realPath(home) ?? home;
  }

  /** Returns the function that judges real paths by their text, as links lead at this time. */
  judge(): (real: string) => Secrecy {
    const links = SECRETS_AT_HOME.flatMap(place => linkTarget(join(this.home, place)));
    const rules = this.#rules.flatMap(rule => [rule, ...this.#alias(rule)]);
    return secretJudge({ home: this.home, rules: [...links, ...rules] });
  }

  /**
   * Whether the content of a file is secret.
   * @param real its real path, existing or not
   * @param judge for the check of many files
   */
  async has(real: string, judge = this.judge()): Promise<boolean> {
    const judged = judge(real);
    return judged === 'unless_certificate' ? !(await startsWithCertificate(real)) : judged !== null;
  }

  /** Returns the existing places that have a fixed path. Those that count by their name may be anywhere. */
  async existing(): Promise<SecretPlace[]> {
    const paths = [
      ...SECRETS_AT_HOME.map(place => join(this.home, place)),
      ...this.#rules.flatMap(rule => rulePath(rule, this.home) ?? []),
    ].flatMap(path => realPath(path) ?? []);
    const judge = this.judge();
    const secret = [...new Set(paths)].filter(path => judge(path) === 'secret');
    const outermost = secret.filter(path => !secret.some(other => path.startsWith(other + sep)));
    return Promise.all(
      outermost.map(async path => ({
        path,
        kind: (await stat(path)).isDirectory() ? ('directory' as const) : ('file' as const),
      })),
    );
  }

  /** Returns the absolute paths that rules remove from the secret places. */
  exceptions(): string[] {
    return this.#rules.flatMap(rule =>
      rule.startsWith('!') ? (rulePath(rule.slice(1), this.home) ?? []) : [],
    );
  }

  /** Returns a rule for the real path of a rule's path, if they differ. */
  #alias(rule: string): string[] {
    const removes = rule.startsWith('!');
    const path = rulePath(removes ? rule.slice(1) : rule, this.home);
    return path === null ? [] : linkTarget(path).map(target => (removes ? `!${target}` : target));
  }
}

/** A file that cannot be opened is left to its reader, who gets the same error. */
async function startsWithCertificate(real: string): Promise<boolean> {
  const file = await openFile(real).catch(() => null);
  if (file === null) return true;
  try {
    return isCertificate((await readPart(file, 0, CERTIFICATE_BYTES)).toString('latin1'));
  } finally {
    await file.close();
  }
}

/** Returns the real path if it differs. */
function linkTarget(path: string): string[] {
  const real = realPath(path);
  return real === null || real === path ? [] : [real];
}

/** Returns null for a missing path. These few calls on local files take microseconds, and an error costs more. */
function realPath(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path);
  } catch {
    return null;
  }
}
