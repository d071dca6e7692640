/**
 * The log that all kernels of a database write: the events of all chats in one order, and messages between kernels.
 * Appended lines come back with their number, like the lines of other kernels.
 */
import type { Approval, HandsEvent } from '@chat-kernel/protocol';
import type {
  Clock,
  FleetStore,
  HandsRecord,
  HeldChat,
  Log,
  NewSharedLine,
  SandboxKind,
  SharedLine,
} from '../ports/index.ts';
import { CoalescedJob } from './coalesced-job.ts';

/** A message to the other kernels, which keep a copy of its content in memory. */
export type FleetMessage =
  | { what: 'approval'; approval: Approval }
  | { what: 'revoked'; ids: string[] }
  /** A stand-by machine is connected to this kernel; `running` is what it reported when it connected. */
  | {
      what: 'machine';
      kernel: string;
      record: HandsRecord;
      running: readonly string[];
      sandbox?: SandboxKind;
    }
  | { what: 'machine_left'; kernel: string; record: HandsRecord }
  | { what: 'machine_forgotten'; client_id: string }
  /** For the kernel that has the stream of the machine. */
  | { what: 'for_machine'; to: string; client_id: string; event: HandsEvent }
  /** Requests all kernels to publish their machines. */
  | { what: 'which_machines' }
  | { what: Copy };

/** The kind of data in the database that has changed; each kernel has a copy in memory. */
type Copy = 'caps' | 'memory' | 'modules' | 'schedules' | 'slept' | 'subscriptions' | 'tools' | 'woken';

/** The poll interval; a hint triggers a read sooner. */
const POLL_INTERVAL_MS = 250;
/** The number of earlier lines that are read at start, so that readers from other kernels can resume here. */
const MAX_HISTORY = 1000;
/** The maximum number of lines per read. */
const READ_BATCH_SIZE = 500;
/** The maximum number of lines that wait for an unavailable database; older ones are dropped. */
const MAX_WAITING = 1000;

interface SharedLogDeps {
  store: FleetStore;
  clock: Clock;
  log: Log;
}

export class SharedLog {
  readonly #deps: SharedLogDeps;
  readonly #lines = new Set<(line: SharedLine) => void>();
  readonly #words = new Set<(word: FleetMessage) => void>();
  readonly #copies = new Set<CoalescedJob>();
  #waiting: NewSharedLine[] = [];
  #flushing = false;
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #last = 0;
  #stopTimer = () => {};
  #stopped = false;

  constructor(deps: SharedLogDeps) {
    this.#deps = deps;
  }

  /** The id of the log, the same for all kernels. */
  get id(): string {
    return this.#deps.store.logId;
  }

  /** The id of this kernel. */
  get own(): string {
    return this.#deps.store.id;
  }

  /** Calls back with each line; the first ones are from before the start. */
  onLine(callback: (line: SharedLine) => void): void {
    this.#lines.add(callback);
  }

  /** Calls back with recent and new messages of other kernels. */
  onWord(callback: (word: FleetMessage) => void): void {
    this.#words.add(callback);
  }

  /** Calls `reload` when another kernel has changed the data, or as described at `onGap`. Retries until it succeeds. */
  onChange(copy: Copy, reload: () => Promise<void>): void {
    const upkeep = this.onGap(reload);
    this.onWord(({ what }) => {
      if (what === copy) upkeep.schedule();
    });
  }

  /**
   * Calls `reload` when messages of others were deleted unread, for example after this kernel was disconnected from the
   * database for a long time. Retries until it succeeds.
   */
  onGap(reload: () => Promise<void>): CoalescedJob {
    const { clock, log } = this.#deps;
    const work = async () => {
      if (!this.#stopped) await reload();
    };
    const upkeep = new CoalescedJob(clock, work, err =>
      log.warn({ err }, 'reading changes of other kernels failed, retrying'),
    );
    this.#copies.add(upkeep);
    return upkeep;
  }

  async start(): Promise<void> {
    const { store } = this.#deps;
    const newest = await store.lastLine();
    this.#last = Math.max(0, newest - MAX_HISTORY);
    while (this.#last < newest) if (!(await this.#readSome())) break;
    store.onHint('lines', () => void this.#read());
    this.#lookLater();
  }

  /** Writes the pending lines. */
  async stop(): Promise<void> {
    while (this.#flushing) await new Promise(resolve => setImmediate(resolve));
    await this.#flush();
    this.#stopped = true;
    this.#stopTimer();
    await this.#reading;
  }

  /** @param json an event for clients @param of see NewSharedLine */
  append(json: string, of?: HeldChat): void {
    this.#push({ told: true, json, ...(of && { of }) });
  }

  publish(word: FleetMessage): void {
    this.#push({ told: false, json: JSON.stringify(word) });
  }

  #push(line: NewSharedLine): void {
    this.#waiting.push(line);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    // The lines of one tick are written in one piece.
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
        this.#waiting = [...lines, ...this.#waiting].slice(-MAX_WAITING);
        log.warn({ err }, 'writing chat events failed, retrying');
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
        if (!this.#stopped) this.#deps.log.warn({ err }, 'reading events of other kernels failed');
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

  /** Returns whether there may be more. */
  async #readSome(): Promise<boolean> {
    const lines = await this.#deps.store.linesAfter(this.#last, READ_BATCH_SIZE);
    const [first] = lines;
    // Numbers have no gaps, so a gap means that old lines were dropped.
    if (first !== undefined && first.n > this.#last + 1) for (const copy of this.#copies) copy.schedule();
    for (const line of lines) {
      if (line.n <= this.#last) continue;
      this.#last = line.n;
      for (const callback of this.#lines) callback(line);
      if (line.told || line.kernel === this.#deps.store.id) continue;
      for (const callback of this.#words) callback(JSON.parse(line.json));
    }
    return lines.length === READ_BATCH_SIZE;
  }

  #lookLater(): void {
    this.#stopTimer = this.#deps.clock.after(POLL_INTERVAL_MS, async () => {
      await this.#flush();
      if (!this.#stopped) this.#lookLater();
    });
  }
}
