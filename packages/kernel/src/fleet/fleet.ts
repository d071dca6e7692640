/**
 * Manages this kernel among those that share its database: sends heartbeats, removes dead kernels, and adopts chats
 * without a living owner (FLEET-3).
 */
import type { Clock, FleetStore, IsAlive, KernelRecord, Log, OwnedChat } from '../ports/index.ts';
import type { Ownership } from './ownership.ts';

const HEARTBEAT_INTERVAL_MS = 1000;
/** The poll interval for dead kernels, because nothing signals a death. */
const POLL_INTERVAL_MS = 100;
/** The poll interval for chats without an owner; deaths and hints report them sooner. */
const ADOPT_INTERVAL_MS = 500;
const MISPLACED_INTERVAL_MS = 2000;
const RELEASE_INTERVAL_MS = 60_000;
/** The delay after a failure; a hint reports when the database is available again. */
const RETRY_DELAY_MS = 1000;
/** The number of chats that are adopted and restored concurrently. It is small, so that other kernels get some, too. */
const BATCH_SIZE = 8;
/**
 * After other kernels considered this kernel dead, a chat may still be taken from it for this long: the kernel that
 * takes it may have waited for a transaction from the time in which this kernel was silent.
 */
const DOUBT_MS = 10_000;

const ADOPTION_FAILED = 'taking over chats of stopped kernels failed';

interface FleetDeps {
  store: FleetStore;
  ownership: Ownership;
  isAlive: IsAlive;
  clock: Clock;
  log: Log;
}

export class Fleet {
  readonly #deps: FleetDeps;
  readonly #died = new Set<(kernels: readonly string[]) => void>();
  readonly #returned = new Set<() => void>();
  readonly #timers = new Set<() => void>();
  #discovering: Promise<void> | undefined;
  #discoverAgain = false;
  #adopting: Promise<void> | undefined;
  #adoptAgain = false;
  /** Until then, ownership is checked with each heartbeat. */
  #verifyUntil = Number.NEGATIVE_INFINITY;
  #draining = false;
  #stopped = false;
  /** The number of chats with open turns adopted since the start because they had no living owner. */
  takeovers = 0;

  constructor(deps: FleetDeps) {
    this.#deps = deps;
  }

  /** The id of this kernel. */
  get id(): string {
    return this.#deps.store.id;
  }

  /** A secret known only to the kernels of the database. */
  get secret(): string {
    return this.#deps.store.secret;
  }

  /** The time by the clock of the database, which all its kernels follow. */
  now = (): number => this.#deps.clock.now();

  /** The number of chats that this kernel owns. */
  get owned(): number {
    return this.#deps.ownership.size;
  }

  /** The name of this kernel's machine. */
  get name(): string {
    return this.#deps.store.name;
  }

  /** Calls back with the ids of dead kernels, no matter which kernel detected it. The returned function unsubscribes. */
  onDeath(callback: (kernels: readonly string[]) => void): () => void {
    this.#died.add(callback);
    return () => void this.#died.delete(callback);
  }

  /** Calls back when the other kernels had considered this kernel dead and it has rejoined. */
  onReturn(callback: () => void): void {
    this.#returned.add(callback);
  }

  /** The living kernels, oldest first. */
  list(): Promise<KernelRecord[]> {
    return this.#deps.store.list();
  }

  /** The other living kernels. */
  async others(): Promise<KernelRecord[]> {
    return (await this.list()).filter(({ id }) => id !== this.id);
  }

  /** Whether another kernel is registered in the database, as of the last check a moment ago. */
  async isRegistered(id: string): Promise<boolean> {
    // The list reads the database, so it is used only for a kernel that started since the last check.
    return this.#deps.store.knows(id) || (await this.others()).some(other => other.id === id);
  }

  /** Adopts chats without a living owner, now and periodically. */
  async start(): Promise<void> {
    const { store, ownership } = this.#deps;
    await this.#discover();
    await (this.#adopting ?? this.#adoptNow());
    store.onHint('kernels', () => {
      this.#discoverSoon();
      this.#adoptSoon();
    });
    this.#every(
      POLL_INTERVAL_MS,
      'discovering other kernels failed',
      () => this.#discovering ?? this.#discoverNow(),
    );
    this.#every(ADOPT_INTERVAL_MS, ADOPTION_FAILED, () => this.#adopting ?? this.#adoptNow());
    this.#every(HEARTBEAT_INTERVAL_MS, 'sending the heartbeat of this kernel failed', () => this.#beat());
    this.#every(MISPLACED_INTERVAL_MS, 'looking for misplaced turns failed', () => ownership.findAstray());
    this.#every(RELEASE_INTERVAL_MS, 'releasing idle chats failed', () => ownership.giveBack());
  }

  /** Stops adopting chats: this kernel is about to stop, and the chats would have to wait for the next owner. */
  drain(): void {
    this.#draining = true;
    this.#deps.ownership.refuse();
  }

  /** Leaves the fleet. Other kernels continue the open turns. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#timers) cancel();
    await Promise.allSettled([this.#discovering, this.#adopting]);
    await this.#deps.store.leave();
  }

  async #beat(): Promise<void> {
    const { store, ownership, log } = this.#deps;
    if (!(await store.beat())) {
      log.warn({}, 'other kernels had declared this kernel dead');
      for (const callback of this.#returned) callback();
      this.#verifyUntil = performance.now() + DOUBT_MS;
    }
    if (performance.now() < this.#verifyUntil) await ownership.check();
  }

  #discoverSoon(): void {
    if (this.#discovering) this.#discoverAgain = true;
    else if (!this.#stopped)
      void this.#discoverNow().catch(error => this.#logFailure(error, 'a hint had no effect'));
  }

  #discoverNow(): Promise<void> {
    this.#discovering = this.#discover().finally(() => {
      this.#discovering = undefined;
      if (!this.#discoverAgain) return;
      this.#discoverAgain = false;
      this.#discoverSoon();
    });
    return this.#discovering;
  }

  async #discover(): Promise<void> {
    const { store, log, isAlive } = this.#deps;
    const dead = await store.bury(isAlive);
    if (dead.length === 0) return;
    log.warn({ kernels: dead }, 'kernels have stopped; the remaining kernels take over their chats');
    this.#adoptSoon();
    for (const callback of this.#died) callback(dead);
  }

  #adoptSoon(): void {
    if (this.#adopting) this.#adoptAgain = true;
    else if (!this.#stopped) void this.#adoptNow().catch(error => this.#logFailure(error, ADOPTION_FAILED));
  }

  #adoptNow(): Promise<void> {
    this.#adopting = this.#adopt().finally(() => {
      this.#adopting = undefined;
      if (!this.#adoptAgain) return;
      this.#adoptAgain = false;
      this.#adoptSoon();
    });
    return this.#adopting;
  }

  async #adopt(): Promise<void> {
    const { store, ownership, log } = this.#deps;
    /** Skipped by the next attempts: chats that cannot be restored must not delay others. */
    const failed: string[] = [];
    const adopt = async (chat: OwnedChat) => {
      log.info({ chat_id: chat.chat_id }, 'a chat was taken over');
      this.takeovers++;
      await ownership.adopt(chat).catch(error => {
        failed.push(chat.chat_id);
        this.#logFailure(error, 'resuming a chat that was taken over failed');
      });
    };
    while (!this.#draining && !this.#stopped) {
      const chats = await store.takeOrphans(BATCH_SIZE, failed);
      if (chats.length === 0) return;
      await Promise.all(chats.map(adopt));
    }
  }

  /** @param first the delay before the first run */
  #every(ms: number, failure: string, work: () => Promise<void>, first = ms): void {
    const cancel = this.#deps.clock.after(first, async () => {
      this.#timers.delete(cancel);
      const pause = await work().then(
        () => ms,
        error => {
          this.#logFailure(error, failure);
          return Math.max(ms, RETRY_DELAY_MS);
        },
      );
      if (!this.#stopped) this.#every(ms, failure, work, pause);
    });
    this.#timers.add(cancel);
  }

  #logFailure(error: unknown, sentence: string): void {
    if (!this.#stopped) this.#deps.log.warn({ err: error }, sentence);
  }
}
