/**
 * The log that all kernels of a database write: the events of all chats in one order, and the words of kernels among
 * themselves. What is appended comes back with its number, like the lines of the others.
 */
import type { Approval, HandsEvent } from '@chat-kernel/protocol';
import type { Clock, FleetStore, HandsRecord, Log, SharedLine } from '../ports/index.ts';
import { Upkeep } from './upkeep.ts';

/** What a kernel tells the others, which have a copy of it in memory. */
export type FleetWord =
  | { what: 'approval'; approval: Approval }
  | { what: 'revoked'; ids: string[] }
  /** A machine that stands by is here, at this kernel; `running` as it said when it came. */
  | { what: 'machine'; kernel: string; record: HandsRecord; running: readonly string[] }
  | { what: 'machine_left'; kernel: string; record: HandsRecord }
  | { what: 'machine_forgotten'; client_id: string }
  /** For the kernel that has the stream of the machine. */
  | { what: 'for_machine'; to: string; client_id: string; event: HandsEvent }
  /** Each is asked to tell which machines it has. */
  | { what: 'which_machines' }
  | { what: Copy };

/** Something in the database, of which each kernel has a copy in memory, has changed. */
type Copy = 'memory' | 'modules' | 'schedules' | 'slept' | 'subscriptions' | 'tools' | 'woken';

/** A hint tells sooner. */
const LOOK_MS = 250;
/** Lines that are read before the first of now, so that readers can go on here that began elsewhere. */
const REMEMBERED = 1000;
/** Lines that are read at once. */
const MOST_READ = 500;
/** Lines that wait for a database that is away; older ones are dropped. */
const MOST_WAITING = 1000;

interface SharedLogDeps {
  store: FleetStore;
  clock: Clock;
  log: Log;
}

export class SharedLog {
  readonly #deps: SharedLogDeps;
  readonly #lines = new Set<(line: SharedLine) => void>();
  readonly #words = new Set<(word: FleetWord) => void>();
  readonly #copies = new Set<Upkeep>();
  #waiting: Pick<SharedLine, 'told' | 'json'>[] = [];
  #flushing = false;
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #last = 0;
  #stopTimer = () => {};
  #stopped = false;

  constructor(deps: SharedLogDeps) {
    this.#deps = deps;
  }

  /** The log's own id, the same for all kernels. */
  get id(): string {
    return this.#deps.store.logId;
  }

  /** The id of this kernel. */
  get own(): string {
    return this.#deps.store.id;
  }

  /** Calls back with each line, the first of them from before the start. */
  onLine(callback: (line: SharedLine) => void): void {
    this.#lines.add(callback);
  }

  /** Calls back with what other kernels tell, and told lately. */
  onWord(callback: (word: FleetWord) => void): void {
    this.#words.add(callback);
  }

  /** Calls `reload` when another kernel has changed something, or as of `onGap`, and again until that succeeds. */
  onChange(copy: Copy, reload: () => Promise<void>): void {
    const upkeep = this.onGap(reload);
    this.onWord(({ what }) => {
      if (what === copy) upkeep.wish();
    });
  }

  /**
   * Calls `reload` when words of others went away unread, as where this kernel was cut off from the database for long;
   * again until that succeeds.
   */
  onGap(reload: () => Promise<void>): Upkeep {
    const { clock, log } = this.#deps;
    const work = async () => {
      if (!this.#stopped) await reload();
    };
    const upkeep = new Upkeep(clock, work, err =>
      log.warn({ err }, 'what other kernels have changed could not be read; it is tried again'),
    );
    this.#copies.add(upkeep);
    return upkeep;
  }

  async start(): Promise<void> {
    const { store } = this.#deps;
    const newest = await store.lastLine();
    this.#last = Math.max(0, newest - REMEMBERED);
    while (this.#last < newest) if (!(await this.#readSome())) break;
    store.onHint('lines', () => void this.#read());
    this.#lookLater();
  }

  /** Writes what still waits. */
  async stop(): Promise<void> {
    while (this.#flushing) await new Promise(resolve => setImmediate(resolve));
    await this.#flush();
    this.#stopped = true;
    this.#stopTimer();
    await this.#reading;
  }

  /** @param json an event for clients */
  append(json: string): void {
    this.#push({ told: true, json });
  }

  tell(word: FleetWord): void {
    this.#push({ told: false, json: JSON.stringify(word) });
  }

  #push(line: Pick<SharedLine, 'told' | 'json'>): void {
    this.#waiting.push(line);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    // What happens within one tick is written in one piece.
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushing = true;
    const { store, log } = this.#deps;
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await store.append(lines);
      } catch (err) {
        this.#waiting = [...lines, ...this.#waiting].slice(-MOST_WAITING);
        log.warn({ err }, 'events of chats could not be written; they are tried again');
        break;
      }
    }
    this.#flushing = false;
    await this.#read();
  }

  #read(): Promise<void> {
    if (this.#reading) {
      this.#readAgain = true;
      return this.#reading;
    }
    this.#reading = this.#readAll()
      .catch(err => {
        if (!this.#stopped) this.#deps.log.warn({ err }, 'events of other kernels could not be read');
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    do {
      this.#readAgain = false;
      while (!this.#stopped && (await this.#readSome())) {}
    } while (this.#readAgain && !this.#stopped);
  }

  /** Whether there may be more. */
  async #readSome(): Promise<boolean> {
    const lines = await this.#deps.store.linesAfter(this.#last, MOST_READ);
    const [first] = lines;
    // Numbers have no gaps, and old lines are dropped.
    if (first !== undefined && first.n > this.#last + 1) for (const copy of this.#copies) copy.wish();
    for (const line of lines) {
      if (line.n <= this.#last) continue;
      this.#last = line.n;
      for (const callback of this.#lines) callback(line);
      if (line.told || line.kernel === this.#deps.store.id) continue;
      for (const callback of this.#words) callback(JSON.parse(line.json));
    }
    return lines.length === MOST_READ;
  }

  #lookLater(): void {
    this.#stopTimer = this.#deps.clock.after(LOOK_MS, async () => {
      await this.#flush();
      if (!this.#stopped) this.#lookLater();
    });
  }
}
