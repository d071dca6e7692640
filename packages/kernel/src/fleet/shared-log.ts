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

/** The time between two appends, and between two reads: under load, the lines of many turns travel together. */
const REST_MS = 20;
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
  readonly #appending: CoalescedJob;
  readonly #reading: CoalescedJob;
  #last = 0;
  #stopTimer = () => {};
  #stopped = false;

  constructor(deps: SharedLogDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#appending = new CoalescedJob(
      clock,
      () => this.#append(),
      err => log.warn({ err }, 'writing chat events failed, retrying'),
      REST_MS,
    );
    this.#reading = new CoalescedJob(
      clock,
      () => this.#readAll(),
      err => log.warn({ err }, 'reading events of other kernels failed'),
      REST_MS,
    );
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
    store.onHint('lines', () => this.#reading.schedule());
    this.#lookLater();
  }

  /** Writes the pending lines, and calls back with them. */
  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#appending.stop();
    await this.#reading.stop();
    try {
      await this.#append();
      await this.#readAll();
    } catch (err) {
      this.#deps.log.warn({ err }, 'writing chat events failed');
    }
    this.#stopped = true;
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
    setImmediate(() => this.#appending.schedule());
  }

  async #append(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    try {
      await this.#deps.store.append(lines);
    } catch (error) {
      this.#waiting = [...lines, ...this.#waiting].slice(-MAX_WAITING);
      throw error;
    }
    this.#reading.schedule();
  }

  async #readAll(): Promise<void> {
    while (!this.#stopped && (await this.#readSome())) {}
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
    this.#stopTimer = this.#deps.clock.after(POLL_INTERVAL_MS, () => {
      this.#reading.schedule();
      if (!this.#stopped) this.#lookLater();
    });
  }
}
