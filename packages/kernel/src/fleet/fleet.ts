/**
 * This kernel among those that share its database: it says that it lives, strikes out those that died, and takes up
 * chats that nobody alive owns (FLEET-3).
 */
import type { Clock, FleetStore, KernelRecord, Log, OwnedChat } from '../ports/index.ts';
import type { Ownership } from './ownership.ts';

const BEAT_MS = 1000;
/** Who lives is looked for so often: nothing tells of a death. */
const LOOK_MS = 100;
/** Chats that nobody owns, of which a death or a hint tells sooner. */
const ORPHANS_MS = 500;
const ASTRAY_MS = 2000;
const GIVE_BACK_MS = 60_000;
/** The pause after a failure: a database that is away says by a hint that it is back. */
const FAILED_MS = 1000;
/** Chats that are taken at once, and then gone on with side by side: the others find some, too. */
const LOT = 8;
/**
 * So long after others took this kernel for dead, a chat may still be taken from it: whoever takes it may have waited for a
 * transaction in which this kernel was silent.
 */
const DOUBT_MS = 10_000;

const NOT_TAKEN = 'chats of kernels that are gone could not be taken over';

interface FleetDeps {
  store: FleetStore;
  ownership: Ownership;
  clock: Clock;
  log: Log;
}

export class Fleet {
  readonly #deps: FleetDeps;
  readonly #died = new Set<(kernels: readonly string[]) => void>();
  readonly #returned = new Set<() => void>();
  readonly #timers = new Set<() => void>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #taking: Promise<void> | undefined;
  #takeAgain = false;
  /** Until then what is owned is looked at with each sign of life. */
  #doubtsUntil = Number.NEGATIVE_INFINITY;
  #draining = false;
  #stopped = false;
  #takeovers = 0;

  constructor(deps: FleetDeps) {
    this.#deps = deps;
  }

  /** The id of this kernel. */
  get id(): string {
    return this.#deps.store.id;
  }

  /** Known to all kernels of the database, and to nobody else. */
  get secret(): string {
    return this.#deps.store.secret;
  }

  /** Chats with open turns that were taken because nobody alive owned them, since the start. */
  get takeovers(): number {
    return this.#takeovers;
  }

  /** Chats that this kernel owns. */
  get owned(): number {
    return this.#deps.ownership.size;
  }

  /** The name of the machine of this kernel. */
  get name(): string {
    return this.#deps.store.name;
  }

  /** Calls back with the ids of kernels that are gone, whoever found that out. The returned function takes it back. */
  onDeath(callback: (kernels: readonly string[]) => void): () => void {
    this.#died.add(callback);
    return () => void this.#died.delete(callback);
  }

  /** Calls back when the others had taken this kernel for dead, and have it back. */
  onReturn(callback: () => void): void {
    this.#returned.add(callback);
  }

  /** The kernels that live, the oldest first. */
  list(): Promise<KernelRecord[]> {
    return this.#deps.store.list();
  }

  /** The other kernels that live. */
  async others(): Promise<KernelRecord[]> {
    return (await this.list()).filter(({ id }) => id !== this.id);
  }

  /** Takes up what nobody alive owns, and goes on to do so. */
  async start(): Promise<void> {
    const { store, ownership } = this.#deps;
    await this.#look();
    await (this.#taking ?? this.#takeNow());
    store.onHint('kernels', () => {
      this.#lookSoon();
      this.#takeSoon();
    });
    this.#every(LOOK_MS, 'other kernels could not be looked for', () => this.#looking ?? this.#lookNow());
    this.#every(ORPHANS_MS, NOT_TAKEN, () => this.#taking ?? this.#takeNow());
    this.#every(BEAT_MS, 'this kernel could not say that it lives', () => this.#beat());
    this.#every(ASTRAY_MS, 'turns that went astray could not be looked for', () => ownership.findAstray());
    this.#every(GIVE_BACK_MS, 'quiet chats could not be given back', () => ownership.giveBack());
  }

  /** Takes nothing more: this kernel is about to stop, and what it took would have to wait for the next owner. */
  drain(): void {
    this.#draining = true;
    this.#deps.ownership.refuse();
  }

  /** Leaves the others: what is still open goes on with them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const takeBack of this.#timers) takeBack();
    await Promise.allSettled([this.#looking, this.#taking]);
    await this.#deps.store.leave();
  }

  async #beat(): Promise<void> {
    const { store, ownership, log } = this.#deps;
    if (!(await store.beat())) {
      log.warn({}, 'the other kernels had taken this one for dead');
      for (const callback of this.#returned) callback();
      this.#doubtsUntil = performance.now() + DOUBT_MS;
    }
    if (performance.now() < this.#doubtsUntil) await ownership.check();
  }

  #lookSoon(): void {
    if (this.#looking) this.#lookAgain = true;
    else if (!this.#stopped) void this.#lookNow().catch(error => this.#failed(error, 'a hint was in vain'));
  }

  #lookNow(): Promise<void> {
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (!this.#lookAgain) return;
      this.#lookAgain = false;
      this.#lookSoon();
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { store, log } = this.#deps;
    const buried = await store.bury();
    if (buried.length === 0) return;
    log.warn({ kernels: buried }, 'kernels are gone; their chats go on with those that live');
    this.#takeSoon();
    for (const callback of this.#died) callback(buried);
  }

  #takeSoon(): void {
    if (this.#taking) this.#takeAgain = true;
    else if (!this.#stopped) void this.#takeNow().catch(error => this.#failed(error, NOT_TAKEN));
  }

  #takeNow(): Promise<void> {
    this.#taking = this.#take().finally(() => {
      this.#taking = undefined;
      if (!this.#takeAgain) return;
      this.#takeAgain = false;
      this.#takeSoon();
    });
    return this.#taking;
  }

  async #take(): Promise<void> {
    const { store, ownership, log } = this.#deps;
    /** Those that cannot be gone on with now hold up no others. */
    const failed: string[] = [];
    const adopt = async (chat: OwnedChat) => {
      log.info({ chat_id: chat.chat_id }, 'a chat was taken over');
      this.#takeovers++;
      await ownership.adopt(chat).catch(error => {
        failed.push(chat.chat_id);
        this.#failed(error, 'a chat that was taken over could not be gone on with');
      });
    };
    while (!this.#draining && !this.#stopped) {
      const chats = await store.takeOrphans(LOT, failed);
      if (chats.length === 0) return;
      await Promise.all(chats.map(adopt));
    }
  }

  /** @param first the pause before the first time */
  #every(ms: number, failure: string, work: () => Promise<void>, first = ms): void {
    const takeBack = this.#deps.clock.after(first, async () => {
      this.#timers.delete(takeBack);
      const pause = await work().then(
        () => ms,
        error => {
          this.#failed(error, failure);
          return Math.max(ms, FAILED_MS);
        },
      );
      if (!this.#stopped) this.#every(ms, failure, work, pause);
    });
    this.#timers.add(takeBack);
  }

  #failed(error: unknown, sentence: string): void {
    if (!this.#stopped) this.#deps.log.warn({ err: error }, sentence);
  }
}
