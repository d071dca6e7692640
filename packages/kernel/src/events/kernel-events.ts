/**
 * The events of the whole kernel: a log of the last ones, which readers walk at their own pace. Each event is encoded
 * once for all readers. Ids are `{boot}.{n}`, where a boot is one life of the process: nothing here outlives it. Where
 * several kernels share the database, they share the log and its ids too.
 */
import type {
  Chat,
  KernelEvent,
  KernelEventOf,
  PendingRequest,
  Resolution,
  TurnEnd,
} from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import { drawableOf } from '../items/operation.ts';
import type { ChatRecord, KernelSleep, SharedLine, TurnRecord } from '../ports/index.ts';
import { publicChat } from './public-chat.ts';
import { type EventLog, KernelEventsReader } from './reader.ts';
import { RemoteRequests } from './remote-requests.ts';

/** Limits of the log, in events and in characters of all of them. */
const KEPT = 1000;
const KEPT_CHARS = 8 * 1024 * 1024;

/** The turn in which a request is open. */
interface RequestOrigin {
  chat_id: string;
  turn_id: string;
}

type Ended = Pick<TurnRecord, 'chat_id' | 'id' | 'parameters'>;

export class KernelEvents implements EventLog {
  readonly #boot: string;
  readonly #shared: SharedLog | undefined;
  readonly #remote = new RemoteRequests();
  readonly #turnOf: (chatId: string) => Chat['turn'];
  /** The events by number, from 1, the oldest first. */
  readonly #frames = new Map<number, string>();
  #last = 0;
  #chars = 0;
  #closed = false;
  #waiting = new Set<() => void>();
  #wakeScheduled = false;
  readonly #listeners = new Set<(event: KernelEvent) => void>();

  /**
   * @param turnOf the turn that a chat is shown with
   * @param shared the log of all kernels on the database; absent: there are no others
   */
  constructor(turnOf: (chatId: string) => Chat['turn'], shared?: SharedLog) {
    this.#turnOf = turnOf;
    this.#boot = shared?.id ?? uuidv4();
    this.#shared = shared;
    shared?.onLine(line => this.#receive(line));
  }

  chatCreated(chat: ChatRecord): void {
    this.#push({ type: 'chat_created', chat: this.#shown(chat) });
  }

  /** Tells that a field of a chat has changed that the API shows. Callers call this once the change is stored. */
  chatUpdated(chat: ChatRecord): void {
    this.#push({ type: 'chat_updated', chat: this.#shown(chat) });
  }

  chatDeleted(chat_id: string): void {
    this.#push({ type: 'chat_deleted', chat_id });
  }

  turnStarted({ chat_id, id }: { chat_id: string; id: string }): void {
    this.#push({ type: 'turn_started', chat_id, turn_id: id });
  }

  turnEnded(turn: Ended, status: TurnEnd): void {
    const { chat_id, id } = turn;
    this.#push({ type: 'turn_ended', chat_id, turn_id: id, status });
    this.runEnded(turn, status);
  }

  /** Tells of a turn that ended without readers, after a crash; of others `turnEnded` does. */
  runEnded({ chat_id, id: turn_id, parameters: { schedule } }: Ended, status: TurnEnd): void {
    if (schedule === undefined) return;
    const { id: schedule_id, due_at } = schedule;
    this.scheduleEnded({ schedule_id, due_at, status, chat_id, turn_id });
  }

  scheduleEnded(ended: Omit<KernelEventOf<'schedule_ended'>, 'type'>): void {
    this.#push({ type: 'schedule_ended', ...ended });
  }

  scheduleChanged(schedule_id: string): void {
    this.#push({ type: 'schedule_changed', schedule_id });
  }

  /** @param sleep null: the kernel is awake */
  sleepChanged(sleep: KernelSleep | null): void {
    const { since, until, reason } = sleep ?? { since: null, until: null, reason: null };
    this.#push({ type: 'sleep_changed', asleep: sleep !== null, since, until, reason });
  }

  videoChanged(what: 'history' | 'subscriptions'): void {
    this.#push({ type: 'video_changed', what });
  }

  booksChanged(shelf: string): void {
    this.#push({ type: 'books_changed', shelf });
  }

  memoryChanged(): void {
    this.#push({ type: 'memory_changed' });
  }

  requestOpened(request: PendingRequest): void {
    this.#push({ type: 'request_opened', request: drawable(request) });
  }

  requestResolved({ chat_id, turn_id }: RequestOrigin, resolution: Resolution): void {
    this.#push({ type: 'request_resolved', chat_id, turn_id, ...resolution });
  }

  /** Tells how the requests ended that a kernel left open when it died with their turn. */
  turnLost({ id }: { id: string }): void {
    for (const request of this.#remote.openOf(id)) {
      const { id, kind, question } = request;
      const resolution = {
        id,
        kind,
        reason: 'turn_ended',
        ...(question !== undefined && { question }),
      } as const;
      this.requestResolved(request, resolution);
    }
  }

  /** The id of another kernel that opened a request of this id; undefined: none is known. */
  holderOf(id: string): string | undefined {
    return this.#remote.holderOf(id);
  }

  /** Ends all readers: no event will follow. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Calls back with each event as it happens, before any reader has it. The callback must not throw. */
  listen(listener: (event: KernelEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** A reader of the log. @param after Last-Event-ID; without it, only events from now on are read */
  reader(after?: string): Reader {
    return new KernelEventsReader(this, after);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get last(): number {
    return this.#last;
  }

  frame(n: number): string | undefined {
    return this.#frames.get(n);
  }

  idOf(n: number): string {
    return `${this.#boot}.${n}`;
  }

  numberOf(id: string): number | undefined {
    const [boot, digits = '', ...rest] = id.split('.');
    const n = Number(digits);
    const own = boot === this.#boot && rest.length === 0 && /^\d{1,15}$/.test(digits) && n <= this.#last;
    return own ? n : undefined;
  }

  wait(callback: () => void): void {
    this.#waiting.add(callback);
  }

  forget(callback: () => void): void {
    this.#waiting.delete(callback);
  }

  #shown(chat: ChatRecord): Chat {
    return publicChat(chat, this.#turnOf(chat.id));
  }

  #push(event: KernelEvent): void {
    if (this.#closed) return;
    if (this.#shared) this.#shared.append(encoded(event));
    else this.#keep(this.#last + 1, frameText(this.idOf(this.#last + 1), encoded(event)));
    for (const listener of this.#listeners) listener(event);
  }

  /** Takes a line of the shared log. A word among kernels takes a number, and no reader sees it. */
  #receive({ n, kernel, told, json }: SharedLine): void {
    this.#keep(n, told ? frameText(this.idOf(n), json) : '');
    if (told && kernel !== this.#shared?.own) this.#remote.hear(kernel, JSON.parse(json));
  }

  #keep(n: number, frame: string): void {
    this.#last = n;
    this.#frames.set(n, frame);
    this.#chars += frame.length;
    for (const [n, oldest] of this.#frames) {
      if (this.#frames.size <= KEPT && this.#chars <= KEPT_CHARS) break;
      this.#frames.delete(n);
      this.#chars -= oldest.length;
    }
    if (this.#waiting.size > 0) this.#scheduleWake();
  }

  /** Wakes readers once a tick, so that the events of one tick leave in one piece. */
  #scheduleWake(): void {
    if (this.#wakeScheduled) return;
    this.#wakeScheduled = true;
    setImmediate(() => {
      this.#wakeScheduled = false;
      this.#wake();
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const callback of waiting) callback();
  }
}

/**
 * The request for all who watch the list of chats. The bytes of an operation are only for the client that executes
 * it, and that watches the turn.
 */
function drawable(request: PendingRequest): PendingRequest {
  const { event } = request;
  return event.type === 'client_op' ? { ...request, event: drawableOf(event) } : request;
}
