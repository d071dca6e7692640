/** Notices sockets that appear or vanish: in a directory, which may itself appear later, and at given paths (MOD-8). */
import { type BigIntStats, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '@chat-kernel/kernel';
import { MODULE_NAME } from '@chat-kernel/protocol';
import { identityOf, socketAt } from '../connectors/socket-identity.ts';
import { writableByOthers } from './open-directory.ts';

const EVERY_MS = 1000;
/** Changes of a directory come in bursts, and one look is enough for each. */
const BURST_MS = 20;
const ENDING = '.sock';

/** Name of a module → the identity of its socket. */
export type Sockets = ReadonlyMap<string, string>;

interface SocketWatchDeps {
  directory: string;
  /** Name of a module → the path of its socket. */
  paths: ReadonlyMap<string, string>;
  clock: Clock;
  log: Log;
  /** Called after each look, with all sockets. */
  onFound(inDirectory: Sockets, atPaths: Sockets): void;
}

export class SocketWatch {
  readonly #deps: SocketWatchDeps;
  #watched: { identity: string; watcher: FSWatcher } | undefined;
  #cancelTimer = () => {};
  #cancelBurst: (() => void) | undefined;
  /** The last look: they run one after the other. */
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  #warned: string | undefined;

  constructor(deps: SocketWatchDeps) {
    this.#deps = deps;
  }

  /** Looks at once, and again every second. Resolves after the first look. */
  async start(): Promise<void> {
    await this.#look();
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
    this.#cancelBurst?.();
    this.#unwatch();
  }

  #lookLater(): void {
    if (this.#stopped) return;
    this.#cancelTimer = this.#deps.clock.after(EVERY_MS, async () => {
      await this.#look();
      this.#lookLater();
    });
  }

  #look(): Promise<void> {
    this.#looking = this.#looking
      .then(async () => {
        const inDirectory = await this.#inDirectory();
        const atPaths = await socketsAt(this.#deps.paths, stat);
        if (!this.#stopped) this.#deps.onFound(inDirectory, atPaths);
      })
      .catch(error => this.#warn(`the sockets of modules cannot be looked for: ${error.message}`));
    return this.#looking;
  }

  async #inDirectory(): Promise<Sockets> {
    const { directory } = this.#deps;
    const stats = await stat(directory, { bigint: true }).catch(() => undefined);
    if (!stats?.isDirectory()) {
      this.#unwatch();
      return new Map();
    }
    this.#watch(directory, identityOf(stats));
    const danger = dangerOf(stats);
    if (danger) {
      this.#warn(`the sockets in ${directory} are ignored: ${danger}`);
      return new Map();
    }
    const names = (await readdir(directory))
      .filter(file => file.endsWith(ENDING))
      .map(file => file.slice(0, -ENDING.length))
      .filter(name => MODULE_NAME.test(name))
      .sort();
    // A link could lead out of the directory, and only the directory itself is known to be safe.
    return socketsAt(new Map(names.map(name => [name, socketPath(directory, name)])), lstat);
  }

  /** @param identity of the directory: a new one at the same path has to be watched anew */
  #watch(directory: string, identity: string): void {
    if (this.#stopped || this.#watched?.identity === identity) return;
    this.#unwatch();
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#lookSoon());
      watcher.on('error', () => this.#unwatch());
      this.#watched = { identity, watcher };
    } catch (error) {
      // The look every second is enough.
      this.#deps.log.debug({ err: error }, 'the directory of module sockets cannot be watched');
    }
  }

  #unwatch(): void {
    this.#watched?.watcher.close();
    this.#watched = undefined;
  }

  #lookSoon(): void {
    this.#cancelBurst ??= this.#deps.clock.after(BURST_MS, () => {
      this.#cancelBurst = undefined;
      void this.#look();
    });
  }

  #warn(sentence: string): void {
    if (this.#warned === sentence) return;
    this.#warned = sentence;
    this.#deps.log.warn({}, sentence);
  }
}

export const socketPath = (directory: string, name: string): string => join(directory, name + ENDING);

async function socketsAt(paths: ReadonlyMap<string, string>, look: typeof stat): Promise<Sockets> {
  const found = new Map<string, string>();
  for (const [name, path] of paths) {
    const socket = await socketAt(path, look);
    if (socket !== undefined) found.set(name, socket);
  }
  return found;
}

/** Returns why other users could put sockets into the directory; undefined where they cannot. */
function dangerOf({ mode, uid }: BigIntStats): string | undefined {
  const open = writableByOthers(Number(mode));
  if (open) return `${open} may write in that directory`;
  const user = process.getuid?.();
  if (user !== undefined && uid !== 0n && uid !== BigInt(user))
    return 'that directory belongs to somebody else';
  return undefined;
}
