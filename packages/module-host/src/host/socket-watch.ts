/**
 * Detects sockets that appear or disappear: in a directory, which may itself appear later, and at given paths (MOD-8).
 */
import { type BigIntStats, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '@chat-kernel/kernel';
import { MODULE_NAME } from '@chat-kernel/protocol';
import { socketAt, toSocketIdentity } from '../connectors/socket-identity.ts';
import { writableByOthers } from './open-directory.ts';

const EVERY_MS = 1000;
/** A directory changes in bursts, and one scan is enough for each. */
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
  /** Called after each scan, with all sockets. */
  onFound(inDirectory: Sockets, atPaths: Sockets): void;
}

export class SocketWatch {
  readonly #deps: SocketWatchDeps;
  #watched: { identity: string; watcher: FSWatcher } | undefined;
  #cancelTimer = () => {};
  #cancelBurst: (() => void) | undefined;
  /** The last scan; scans run one after the other. */
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  #warned: string | undefined;

  constructor(deps: SocketWatchDeps) {
    this.#deps = deps;
  }

  /** Scans immediately, and again every second. Resolves after the first scan. */
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
      .catch(error => this.#warn(`looking for module sockets failed: ${error.message}`));
    return this.#looking;
  }

  async #inDirectory(): Promise<Sockets> {
    const { directory } = this.#deps;
    const stats = await stat(directory, { bigint: true }).catch(() => undefined);
    if (!stats?.isDirectory()) {
      this.#unwatch();
      return new Map();
    }
    this.#watch(directory, toSocketIdentity(stats));
    const danger = findDanger(stats);
    if (danger) {
      this.#warn(`the sockets in ${directory} are ignored: ${danger}`);
      return new Map();
    }
    const names = (await readdir(directory))
      .filter(file => file.endsWith(ENDING))
      .map(file => file.slice(0, -ENDING.length))
      .filter(name => MODULE_NAME.test(name))
      .sort();
    // A link could lead out of the directory, and only the directory itself has been checked.
    return socketsAt(new Map(names.map(name => [name, socketPath(directory, name)])), lstat);
  }

  /** @param identity of the directory: a new one at the same path needs a new watcher */
  #watch(directory: string, identity: string): void {
    if (this.#stopped || this.#watched?.identity === identity) return;
    this.#unwatch();
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#lookSoon());
      watcher.on('error', () => this.#unwatch());
      this.#watched = { identity, watcher };
    } catch (error) {
      // The scan every second is enough.
      this.#deps.log.debug({ err: error }, 'watching the directory of module sockets failed');
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

/** Returns why other users could create sockets in the directory; undefined if they cannot. */
function findDanger({ mode, uid }: BigIntStats): string | undefined {
  const open = writableByOthers(Number(mode));
  if (open) return `${open} can write to that directory`;
  const user = process.getuid?.();
  if (user !== undefined && uid !== 0n && uid !== BigInt(user))
    return 'that directory belongs to another user';
  return undefined;
}
