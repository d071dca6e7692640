/** Sees sockets come and go: those in a directory, which may come and go itself, and some at fixed places (MOD-8). */
import { type BigIntStats, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '@chat-kernel/kernel';
import { MODULE_NAME } from '@chat-kernel/protocol';
import { identityOf, socketAt } from '../connectors/socket-identity.ts';

const EVERY_MS = 1000;
/** What happens in a directory comes in bursts. */
const BURST_MS = 20;
const ENDING = '.sock';
const WRITABLE_BY_ALL = 0o002n;

/** Name of the module → which socket it has. */
export type Sockets = ReadonlyMap<string, string>;

export interface SocketWatchParts {
  directory: string;
  /** Name of the module → where its socket is to be. */
  places: ReadonlyMap<string, string>;
  clock: Clock;
  log: Log;
  onSeen(inDirectory: Sockets, atPlaces: Sockets): void;
}

export class SocketWatch {
  readonly #parts: SocketWatchParts;
  #watcher: { of: string; watcher: FSWatcher } | undefined;
  #cancelTimer = () => {};
  #cancelBurst: (() => void) | undefined;
  /** Looks go one after the other. */
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  #warned: string | undefined;

  constructor(parts: SocketWatchParts) {
    this.#parts = parts;
  }

  /** Looks now, and from now on. Resolves after the first look. */
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
    this.#cancelTimer = this.#parts.clock.after(EVERY_MS, async () => {
      await this.#look();
      this.#lookLater();
    });
  }

  #look(): Promise<void> {
    this.#looking = this.#looking
      .then(async () => {
        const inDirectory = await this.#inDirectory();
        const atPlaces = await socketsAt(this.#parts.places, stat);
        if (!this.#stopped) this.#parts.onSeen(inDirectory, atPlaces);
      })
      .catch(error => this.#warn(`the sockets of modules cannot be looked for: ${error.message}`));
    return this.#looking;
  }

  async #inDirectory(): Promise<Sockets> {
    const { directory } = this.#parts;
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
    // A link would lead out of the directory, whose owner answers for what is in it.
    return socketsAt(new Map(names.map(name => [name, socketPath(directory, name)])), lstat);
  }

  /** @param identity of the directory: another one at the same place has to be watched anew */
  #watch(directory: string, identity: string): void {
    if (this.#stopped || this.#watcher?.of === identity) return;
    this.#unwatch();
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#burst());
      watcher.on('error', () => this.#unwatch());
      this.#watcher = { of: identity, watcher };
    } catch (error) {
      // The look every second has to do.
      this.#parts.log.debug({ err: error }, 'the directory of module sockets cannot be watched');
    }
  }

  #unwatch(): void {
    this.#watcher?.watcher.close();
    this.#watcher = undefined;
  }

  #burst(): void {
    this.#cancelBurst ??= this.#parts.clock.after(BURST_MS, () => {
      this.#cancelBurst = undefined;
      void this.#look();
    });
  }

  #warn(sentence: string): void {
    if (this.#warned === sentence) return;
    this.#warned = sentence;
    this.#parts.log.warn({}, sentence);
  }
}

export const socketPath = (directory: string, name: string): string => join(directory, name + ENDING);

async function socketsAt(places: ReadonlyMap<string, string>, look: typeof stat): Promise<Sockets> {
  const found = new Map<string, string>();
  for (const [name, path] of places) {
    const socket = await socketAt(path, look);
    if (socket !== undefined) found.set(name, socket);
  }
  return found;
}

/** Why others could put sockets there in a module's name; undefined where they cannot. */
function dangerOf({ mode, uid }: BigIntStats): string | undefined {
  if (mode & WRITABLE_BY_ALL) return 'everybody may write in that directory';
  const own = process.getuid?.();
  if (own !== undefined && uid !== 0n && uid !== BigInt(own))
    return 'that directory belongs to somebody else';
  return undefined;
}
