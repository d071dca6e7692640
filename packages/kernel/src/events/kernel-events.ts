/**
 * The events of the whole kernel: a log of the most recent ones, which each reader reads at its own speed. Each event
 * is encoded once for all readers. Ids are `{boot}.{n}`, with a new boot for each process: the log is not stored. If
 * several kernels share the database, they share the log and its ids too.
 */
import type { Chat, KernelEvent, PendingRequest, Resolution, TurnEnd } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';
import { WaitedLog } from '../feed/waited-log.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import { toDrawable } from '../items/operation.ts';
import type { ChatRecord, HeldChat, KernelSleep, SharedLine, TurnRecord } from '../ports/index.ts';
import { FleetRequests } from './fleet-requests.ts';
import { publicChat } from './public-chat.ts';
import { type EventLog, KernelEventsReader } from './reader.ts';

/** Limits of the log, in events and in characters of all of them. */
const MAX_HISTORY = 1000;
const KEPT_CHARS = 8 * 1024 * 1024;

interface RequestOrigin {
  chat_id: string;
  turn_id: string;
}

type Ended = Pick<TurnRecord, 'chat_id' | 'id' | 'parameters'>;

export class KernelEvents extends WaitedLog implements EventLog {
  readonly #boot: string;
  readonly #shared: SharedLog | undefined;
  readonly #requests = new FleetRequests();
  readonly #turnOf: (chatId: string) => Chat['turn'];
  /** The events by number, from 1, oldest first. */
  readonly #frames = new Map<number, string>();
  last = 0;
  #chars = 0;
  closed = false;
  #wakeScheduled = false;
  readonly #listeners = new Set<(event: KernelEvent) => void>();

  /**
   * @param turnOf returns the turn with which a chat is shown
   * @param shared the log of all kernels on the database; absent: there are no other kernels
   */
  constructor(turnOf: (chatId: string) => Chat['turn'], shared?: SharedLog) {
    super();
    this.#turnOf = turnOf;
    this.#boot = shared?.id ?? uuidv4();
    this.#shared = shared;
    shared?.onLine(line => this.#receive(line));
  }

  chatCreated(chat: ChatRecord): void {
    this.publish({ type: 'chat_created', chat: this.#shown(chat) });
  }

  /** Sends that a field of a chat in the API has changed. Callers call this once the change is stored. */
  chatUpdated(chat: ChatRecord): void {
    this.publish({ type: 'chat_updated', chat: this.#shown(chat) });
  }

  chatDeleted(chat_id: string): void {
    this.publish({ type: 'chat_deleted', chat_id });
  }

  /** @param from_message_id the first message that changed; it may have left the chat */
  historyChanged(chat_id: string, from_message_id: string): void {
    this.publish({ type: 'history_changed', chat_id, from_message_id });
  }

  turnStarted({ chat_id, id }: { chat_id: string; id: string }): void {
    this.publish({ type: 'turn_started', chat_id, turn_id: id });
  }

  turnEnded(turn: Ended, status: TurnEnd): void {
    const { chat_id, id } = turn;
    this.publish({ type: 'turn_ended', chat_id, turn_id: id, status });
    this.runEnded(turn, status);
  }

  /** Sends the end of a scheduled turn that ended without readers after a crash; for others `turnEnded` does. */
  runEnded({ chat_id, id: turn_id, parameters: { schedule } }: Ended, status: TurnEnd): void {
    if (schedule === undefined) return;
    const { id: schedule_id, due_at } = schedule;
    this.publish({ type: 'schedule_ended', schedule_id, due_at, status, chat_id, turn_id });
  }

  /** @param sleep null: the kernel is awake */
  sleepChanged(sleep: KernelSleep | null): void {
    const { since, until, reason } = sleep ?? { since: null, until: null, reason: null };
    this.publish({ type: 'sleep_changed', asleep: sleep !== null, since, until, reason });
  }

  /** @param of see NewSharedLine */
  requestOpened(request: PendingRequest, of?: HeldChat): void {
    this.publish({ type: 'request_opened', request: drawable(request) }, of);
  }

  /** @param of see NewSharedLine */
  requestResolved({ chat_id, turn_id }: RequestOrigin, resolution: Resolution, of?: HeldChat): void {
    this.publish({ type: 'request_resolved', chat_id, turn_id, ...resolution }, of);
  }

  /** Sends how the requests of a turn ended that the former owner of its chat left open. */
  turnLost({ id }: { id: string }): void {
    for (const request of this.#requests.openOf(id)) {
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

  /** The id of another kernel that opened a request with this id; undefined if none is known. */
  holderOf(id: string): string | undefined {
    return this.#requests.holderOf(id, this.#shared?.own);
  }

  /** Ends all readers: no event will follow. */
  close(): void {
    this.closed = true;
    this.wake();
  }

  /** Calls back with each event, before readers get it. The callback must not throw. */
  listen(listener: (event: KernelEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** A reader of the log. @param after Last-Event-ID; without it, only events from now on are read */
  reader(after?: string): Reader {
    return new KernelEventsReader(this, after);
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
    const own = boot === this.#boot && rest.length === 0 && /^\d{1,15}$/.test(digits) && n <= this.last;
    return own ? n : undefined;
  }

  #shown(chat: ChatRecord): Chat {
    return publicChat(chat, this.#turnOf(chat.id));
  }

  /** Sends an event to all readers and listeners. @param of see NewSharedLine */
  publish(event: KernelEvent, of?: HeldChat): void {
    if (this.closed) return;
    if (this.#shared) this.#shared.append(encoded(event), of);
    else this.#keep(this.last + 1, frameText(this.idOf(this.last + 1), encoded(event)));
    for (const listener of this.#listeners) listener(event);
  }

  /** Accepts a line of the shared log. A message between kernels uses a number, but readers do not get it. */
  #receive({ n, kernel, told, json }: SharedLine): void {
    this.#keep(n, told ? frameText(this.idOf(n), json) : '');
    // This kernel may lose a chat and take it again, so its own requests count, too.
    if (told) this.#requests.onEvent(kernel, JSON.parse(json));
  }

  #keep(n: number, frame: string): void {
    this.last = n;
    this.#frames.set(n, frame);
    this.#chars += frame.length;
    for (const [n, oldest] of this.#frames) {
      if (this.#frames.size <= MAX_HISTORY && this.#chars <= KEPT_CHARS) break;
      this.#frames.delete(n);
      this.#chars -= oldest.length;
    }
    this.#scheduleWake();
  }

  /** Wakes readers once per tick, so that the events of one tick are sent in one piece. */
  #scheduleWake(): void {
    if (this.#wakeScheduled) return;
    this.#wakeScheduled = true;
    setImmediate(() => {
      this.#wakeScheduled = false;
      this.wake();
    });
  }
}

/**
 * The request for all clients that follow the list of chats. The bytes of an operation are only for the client that
 * executes it, which reads the turn.
 */
function drawable(request: PendingRequest): PendingRequest {
  const { event } = request;
  if (event.type !== 'client_op' && event.type !== 'consent_request') return request;
  return { ...request, event: toDrawable(event) };
}
