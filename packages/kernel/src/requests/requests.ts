/**
 * The registry of requests to clients. A request is one object with exactly one ending: its answer, its timeout, the
 * end of its turn and a cancel race, and the first one wins (EV-13). All requests of a turn end with it.
 */
import {
  KernelError,
  NOWHERE_ID,
  type OpsProgress,
  type OpsResult,
  type PendingRequest,
  type Resolution,
  type ResolutionReason,
} from '@chat-kernel/protocol';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { TurnFeed } from '../feed/feed.ts';
import {
  type Clock,
  type DecidedOperation,
  type HeldChat,
  type NewRequest,
  type RequestEnding,
  type RequestHandle,
  timestamp,
} from '../ports/index.ts';
import { Attendance } from './attendance.ts';
import { checkAnswer, NOT_ASKED, wasDone } from './check-answer.ts';
import { type KnownRequest, KnownRequests, unknown } from './known-requests.ts';
import { toSnapshot } from './snapshot.ts';

/** The turn that makes a request, and where its outcome is shown. */
interface Asking {
  chat_id: string;
  turn_id: string;
  feed: Pick<TurnFeed, 'requestOpened' | 'requestResolved'>;
  /** Absent: the request does not belong to a turn. */
  life?: { readonly isFenced: boolean };
  /** Whether a client that shows requests for consent reads the stream of the turn. */
  isShown?(): boolean;
  /** The chat for the events about the request, which are dropped once another kernel owns it (FLEET-2). */
  held?: HeldChat;
  /** Shows a snapshot of the client's work. */
  progress(output: string): void;
}

/** For requests outside of turns, which no stream of a chat shows. */
export const OUTSIDE_TURNS = {
  turn_id: NOWHERE_ID,
  feed: { requestOpened() {}, requestResolved() {} },
  progress() {},
} satisfies Partial<Asking>;

interface Entry extends KnownRequest {
  /** The open request; null once it is resolved. */
  open: Open | null;
}

interface Open {
  readonly asking: Asking;
  readonly opening: NewRequest;
  readonly opened_at: number;
  /** Milliseconds since 1970. */
  expires_at: number;
  stopTimer(): void;
  readonly resolve: (ending: RequestEnding) => void;
}

export class Requests {
  readonly #clock: Clock;
  readonly #secrets: readonly string[];
  readonly #events: Pick<KernelEvents, 'requestOpened' | 'requestResolved'>;
  readonly #attendance: Attendance;
  readonly #onDecision: (decided: DecidedOperation) => void;
  readonly #known = new KnownRequests<Entry>();
  /** Oldest first. */
  readonly #open = new Set<Entry>();

  /**
   * @param secrets texts that snapshots must not show
   * @param attendance absent: all requests can be seen
   * @param onDecision called with each decision about an operation
   */
  constructor(
    clock: Clock,
    secrets: readonly string[],
    events: Pick<KernelEvents, 'requestOpened' | 'requestResolved'>,
    attendance = new Attendance(() => true),
    onDecision: (decided: DecidedOperation) => void = () => {},
  ) {
    this.#clock = clock;
    this.#secrets = secrets;
    this.#events = events;
    this.#attendance = attendance;
    this.#onDecision = onDecision;
  }

  open(asking: Asking, opening: NewRequest): RequestHandle {
    const { chat_id, turn_id } = asking;
    const { id } = opening.event;
    const isUnattended = this.#attendance.isUnattended(asking, opening);
    if (isUnattended && this.#attendance.isRefused(asking)) return NOT_ASKED;
    const { promise, resolve } = Promise.withResolvers<RequestEnding>();
    this.#known.forgetOtherTurns(id, asking);
    const entry: Entry = { chat_id, turn_id, id, question: opening.question, open: null, resolution: null };
    const expire = () => this.#resolve(entry, { reason: 'expired' });
    entry.open = {
      asking,
      opening,
      opened_at: this.#clock.now(),
      expires_at: 0,
      stopTimer() {},
      resolve,
    };
    this.#attendance.startTimer(entry.open, isUnattended, expire, this.#clock);
    this.#known.add(entry);
    this.#open.add(entry);
    this.#emitOpened(entry, entry.open, expire);
    return { ending: promise, end: () => this.#resolve(entry, { reason: 'turn_ended' }) };
  }

  /**
   * Accepts the answer of a client. `chatId` is used only if several chats have a request with this id (OP-9).
   * @throws KernelError unknown_request, already_resolved, invalid_value (the request then stays open)
   */
  answer(chatId: string, answer: OpsResult): Resolution {
    const entry = this.#known.find(chatId, answerId(answer), answer.question);
    if (entry.open === null) throw late(entry);
    const decided = answer.decision !== undefined && entry.open.opening.channel && this.#known.decided(entry);
    if (decided) throw late(decided);
    checkAnswer(answer, entry.open.opening);
    return this.#resolve(entry, { reason: 'answered', answer }) as Resolution;
  }

  /**
   * Accepts a snapshot of a client's progress. Progress of a sub-agent's operation is not shown (OP-8). Errors as for
   * `answer`.
   */
  progress(chatId: string, progress: OpsProgress): void {
    const entry = this.#known.find(chatId, answerId(progress), undefined);
    if (entry.open === null) throw late(entry);
    const { asking, opening } = entry.open;
    if (opening.kind === 'question') throw unknown(`${entry.id} is a question, not an operation.`);
    if (opening.agent === undefined) asking.progress(toSnapshot(progress.output, this.#secrets));
  }

  /** Ends all requests that a turn left open when it ended. */
  endTurn(turnId: string, reason: 'turn_ended' | 'cancelled'): void {
    for (const entry of this.#open) if (entry.turn_id === turnId) this.#resolve(entry, { reason });
  }

  /** Whether a request with this id was opened on this kernel and is still known. */
  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** Whether a turn waits for a request that any client may see. */
  isTurnWaiting(turnId: string): boolean {
    return [...this.#open].some(
      ({ turn_id, open }) => turn_id === turnId && open?.opening.channel === undefined,
    );
  }

  /** The open requests of all chats that any client may see, oldest first. */
  pending(): PendingRequest[] {
    const told = [...this.#open].filter(({ open }) => open?.opening.channel === undefined);
    return told.map(entry => toPendingRequest(entry, entry.open as Open));
  }

  /** Ends a request; all endings go through this method. Returns null if the request had already ended. */
  #resolve(entry: Entry, ending: RequestEnding): Resolution | null {
    const { open, id, question } = entry;
    if (open === null) return null;
    entry.open = null;
    open.stopTimer();
    const decision = ending.reason === 'answered' ? ending.answer.decision : undefined;
    const resolution: Resolution = {
      id,
      kind: open.opening.kind,
      reason: ending.reason satisfies ResolutionReason,
      ...(question !== undefined && { question }),
      ...(decision !== undefined && { decision }),
    };
    entry.resolution = resolution;
    this.#open.delete(entry);
    this.#known.remember(entry);
    this.#emitResolved(entry, open, resolution, ending);
    if (ending.reason === 'answered' && decision !== undefined && open.opening.kind === 'op')
      this.#onDecision({ request: toPendingRequest(entry, open), answer: { ...ending.answer, decision } });
    open.resolve(ending);
    return resolution;
  }

  #emitOpened(entry: Entry, open: Open, expire: () => void): void {
    const { asking, opening } = open;
    const { channel, event } = opening;
    if (channel) {
      channel.opened(toPendingRequest(entry, open), expire);
      return;
    }
    if (event.type !== 'tool_call') asking.feed.requestOpened(event, timestamp(this.#clock));
    this.#events.requestOpened(toPendingRequest(entry, open), asking.held);
  }

  #emitResolved(
    entry: Entry,
    { asking, opening }: Open,
    resolution: Resolution,
    ending: RequestEnding,
  ): void {
    if (opening.channel) {
      opening.channel.resolved(resolution);
      return;
    }
    // The current owner of the chat reports how its requests ended (FLEET-2).
    if (asking.life?.isFenced) return;
    asking.feed.requestResolved(resolution, !wasDone(ending));
    this.#events.requestResolved(entry, resolution, asking.held);
  }
}

/** The request in the form that the API lists. */
function toPendingRequest(
  { id, chat_id, turn_id, question }: Entry,
  { opening, opened_at, expires_at }: Open,
): PendingRequest {
  return {
    id,
    kind: opening.kind,
    chat_id,
    turn_id,
    ...(question !== undefined && { question }),
    ...(opening.agent !== undefined && { agent: opening.agent }),
    opened_at: new Date(opened_at).toISOString(),
    expires_at: new Date(expires_at).toISOString(),
    event: opening.event,
  };
}

/** The id of an answer under either of its names; the schema of the body ensures that there is one. */
const answerId = ({ id, op_id }: { id?: string | undefined; op_id?: string | undefined }): string =>
  (id ?? op_id) as string;

function late({ resolution }: Entry): KernelError {
  const detail = `The request is already closed: ${resolution?.reason}.`;
  return new KernelError('already_resolved', detail, { extra: { resolution } });
}
