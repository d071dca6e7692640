/**
 * This kernel among those that share its database: it says that it lives, strikes out those that died, and takes up
 * chats that nobody alive owns (FLEET-3).
 */
import type { Clock, FleetStore, KernelRecord, Log } from '../ports/index.ts';
import type { Ownership } from './ownership.ts';

const BEAT_MS = 2000;
/** What a hint of the database tells sooner is looked for as often as this. */
const LOOK_MS = 250;
const GIVE_BACK_MS = 60_000;

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
  /** Whether the others took this kernel for alive when it last said that it lives. */
  #lived = true;
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
    store.onHint('kernels', () => this.#lookSoon());
    this.#every(LOOK_MS, 'other kernels could not be looked for', () => this.#looking ?? this.#lookNow());
    this.#every(BEAT_MS, 'this kernel could not say that it lives', () => this.#beat());
    this.#every(BEAT_MS, 'turns that went astray could not be looked for', () => ownership.findAstray());
    this.#every(GIVE_BACK_MS, 'quiet chats could not be given back', () => ownership.giveBack());
  }

  /** Leaves the others: what is still open goes on with them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const takeBack of this.#timers) takeBack();
    await this.#looking;
    await this.#deps.store.leave();
  }

  async #beat(): Promise<void> {
    const { store, ownership, log } = this.#deps;
    const lived = await store.beat();
    if (!lived) {
      log.warn({}, 'the other kernels had taken this one for dead');
      for (const callback of this.#returned) callback();
    }
    // What was being taken from it at that moment is seen the next time.
    if (!lived || !this.#lived) await ownership.check();
    this.#lived = lived;
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
    const { store, ownership, log } = this.#deps;
    const buried = await store.bury();
    if (buried.length > 0) {
      log.warn({ kernels: buried }, 'kernels are gone; their chats go on with those that live');
      for (const callback of this.#died) callback(buried);
    }
    for (let chat = await store.takeOrphan(); chat && !this.#stopped; chat = await store.takeOrphan()) {
      log.info({ chat_id: chat.chat_id }, 'a chat was taken over');
      this.#takeovers++;
      await ownership.adopt(chat);
    }
  }

  #every(ms: number, failure: string, work: () => Promise<void>): void {
    const takeBack = this.#deps.clock.after(ms, async () => {
      this.#timers.delete(takeBack);
      await work().catch(error => this.#failed(error, failure));
      if (!this.#stopped) this.#every(ms, failure, work);
    });
    this.#timers.add(takeBack);
  }

  #failed(error: unknown, sentence: string): void {
    if (!this.#stopped) this.#deps.log.warn({ err: error }, sentence);
  }
}
