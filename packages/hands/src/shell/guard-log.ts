/** Collects what was hidden from the commands of a call or read-only for them, and says so after their output. */
import { homedir } from 'node:os';
import { relative } from 'node:path';
import { isWithin } from '../machine/machine-path.ts';
import type { WorkdirGuard } from './guard-workdir.ts';
import { removeUnwanted } from './protected-mounts.ts';

/** Maximum paths per sentence. */
const MAX_NAMED = 5;
/** Errors of programs that did not find their keys, without the path of these. */
const MISSES_KEYS =
  /permission denied \(publickey|host key verification failed|could not read (?:username|password)|no such identity/;
const KEYS = ['.ssh', '.git-credentials', '.netrc', '.config/gh'];
/** The error of a kind of socket that the filter of system calls denies. */
const NO_SOCKET = /address family not supported|eafnosupport/;
const CANNOT_WRITE = /read-only file system|device or resource busy|could not (?:lock|write) config file/;

export class GuardLog {
  readonly #cwd: string;
  readonly #guards: WorkdirGuard[] = [];

  /** @param cwd real path of the working directory */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  add(guard: WorkdirGuard): WorkdirGuard {
    this.#guards.push(guard);
    return guard;
  }

  /** Sentences for the reader of the output, which seldom shows that only the sandbox made something fail. */
  notes(output: string): string[] {
    const text = output.toLowerCase();
    const hidden = this.#all(({ hidden }) => hidden.map(({ path }) => path));
    const here = hidden.filter(path => isWithin(path, this.#cwd)).map(path => relative(this.#cwd, path));
    const elsewhere = hidden
      .filter(path => !isWithin(path, this.#cwd))
      // The home directory itself is hidden from a chat without a working directory.
      .map(path => (isWithin(path, homedir()) && path !== homedir() ? relative(homedir(), path) : path))
      .filter(path => mentions(text, path) || (KEYS.includes(path) && MISSES_KEYS.test(text)));
    const locked = CANNOT_WRITE.test(text)
      ? this.#all(({ readOnly }) => readOnly)
          .map(path => relative(this.#cwd, path))
          .filter(path => mentions(text, path))
      : [];
    const writing = '[sandbox: only the working directory and /tmp can be written]';
    return [
      ...(locked.length > 0 ? [sentence('read-only', locked)] : []),
      ...(locked.length === 0 && text.includes('read-only file system') ? [writing] : []),
      ...(NO_SOCKET.test(text)
        ? ['[sandbox: Unix sockets are blocked; use addresses such as 127.0.0.1]']
        : []),
      ...(here.length + elsewhere.length > 0 ? [sentence('hidden', [...here, ...elsewhere])] : []),
    ];
  }

  /** Removes what commands must not leave. Call it when they have ended. */
  async close(): Promise<void> {
    await removeUnwanted(this.#all(({ unwanted }) => unwanted));
  }

  #all(paths: (guard: WorkdirGuard) => readonly string[]): string[] {
    return [...new Set(this.#guards.flatMap(paths))];
  }
}

function sentence(state: string, paths: readonly string[]): string {
  const rest = paths.length - MAX_NAMED;
  return `[sandbox: ${state}: ${paths.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}]`;
}

/** Whether a text has a path as a whole, not as a part of another name. */
function mentions(text: string, path: string): boolean {
  const wanted = path.toLowerCase();
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + wanted.length] ?? '')) return true;
  }
  return false;
}
