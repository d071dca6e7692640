/**
 * THE registry of requests to clients. A request is one object with exactly one ending: its answer, its timeout, the
 * end of its turn and a cancel race, and the first one wins (EV-13). No request of a turn outlives it.
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
  type NewRequest,
  type RequestEnding,
  type RequestHandle,
  timestamp,
} from '../ports/index.ts';
import { checkAnswer } from './check-answer.ts';
import { type KnownRequest, KnownRequests, unknown } from './known-requests.ts';
import { snapshotOf } from './snapshot.ts';

/** The turn that makes a request, and where it shows what becomes of it. */
interface Asking {
  chat_id: string;
  turn_id: string;
  feed: Pick<TurnFeed, 'requestOpened' | 'requestResolved'>;
  /** Shows a snapshot of the client's work. */
  progress(output: string): void;
}

/** For requests that no turn makes, and that no stream of a chat shows. */
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
  readonly stopTimer: () => void;
  readonly resolve: (ending: RequestEnding) => void;
}

export class Requests {
  readonly #clock: Clock;
  readonly #secrets: readonly string[];
  readonly #events: Pick<KernelEvents, 'requestOpened' | 'requestResolved'>;
  readonly #known = new KnownRequests<Entry>();
  /** The oldest first. */
  readonly #open = new Set<Entry>();

  /** @param secrets texts that no snapshot may show */
  constructor(
    clock: Clock,
    secrets: readonly string[],
    events: Pick<KernelEvents, 'requestOpened' | 'requestResolved'>,
  ) {
    this.#clock = clock;
    this.#secrets = secrets;
    this.#events = events;
  }

  open(asking: Asking, opening: NewRequest): RequestHandle {
    const { chat_id, turn_id } = asking;
    const { id } = opening.event;
    const { promise, resolve } = Promise.withResolvers<RequestEnding>();
    this.#known.forgetOtherTurns(id, asking);
    const entry: Entry = { chat_id, turn_id, id, question: opening.question, open: null, resolution: null };
    const expire = () => this.#resolve(entry, { reason: 'expired' });
    entry.open = {
      asking,
      opening,
      opened_at: this.#clock.now(),
      stopTimer: this.#clock.after(opening.timeout_secs * 1000, expire),
      resolve,
    };
    this.#known.add(entry);
    this.#open.add(entry);
    this.#tellOpened(entry, entry.open, expire);
    return { ending: promise, end: () => this.#resolve(entry, { reason: 'turn_ended' }) };
  }

  /**
   * Takes the answer of a client. `chatId` counts only where several chats have a request of this id (OP-9).
   * @throws KernelError unknown_request, already_resolved, invalid_value (the request then stays open)
   */
  answer(chatId: string, answer: OpsResult): Resolution {
    const entry = this.#known.find(chatId, idOf(answer), answer.question);
    if (entry.open === null) throw late(entry);
    const decided = answer.decision !== undefined && entry.open.opening.channel && this.#known.decided(entry);
    if (decided) throw late(decided);
    checkAnswer(answer, entry.open.opening);
    return this.#resolve(entry, { reason: 'answered', answer }) as Resolution;
  }

  /**
   * Takes a snapshot of a client's progress. Progress for a sub-agent's operation is shown to nobody (OP-8). Errors
   * as of `answer`.
   */
  progress(chatId: string, progress: OpsProgress): void {
    const entry = this.#known.find(chatId, idOf(progress), undefined);
    if (entry.open === null) throw late(entry);
    const { asking, opening } = entry.open;
    if (opening.kind === 'question') throw unknown(`${entry.id} is a question, not an operation.`);
    if (opening.agent === undefined) asking.progress(snapshotOf(progress.output, this.#secrets));
  }

  /** Ends all requests that a turn left open when it ended. */
  endTurn(turnId: string, reason: 'turn_ended' | 'cancelled'): void {
    for (const entry of this.#open) if (entry.turn_id === turnId) this.#resolve(entry, { reason });
  }

  /** Whether a request of this id was opened here, and is not forgotten. */
  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** The open requests of all chats that any client may see, the oldest first. */
  pending(): PendingRequest[] {
    const told = [...this.#open].filter(({ open }) => open?.opening.channel === undefined);
    return told.map(entry => pendingOf(entry, entry.open as Open));
  }

  /** Ends a request; the only place where one ends. Returns null where it had ended before. */
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
    this.#tellResolved(entry, open, resolution, ending);
    open.resolve(ending);
    return resolution;
  }

  #tellOpened(entry: Entry, open: Open, expire: () => void): void {
    const { asking, opening } = open;
    const { channel, event } = opening;
    if (channel) {
      channel.opened(pendingOf(entry, open), expire);
      return;
    }
    if (event.type !== 'tool_call') asking.feed.requestOpened(event, timestamp(this.#clock));
    this.#events.requestOpened(pendingOf(entry, open));
  }

  #tellResolved(
    entry: Entry,
    { asking, opening }: Open,
    resolution: Resolution,
    ending: RequestEnding,
  ): void {
    if (opening.channel) {
      opening.channel.resolved(resolution);
      return;
    }
    asking.feed.requestResolved(resolution, !wasDone(ending));
    this.#events.requestResolved(entry, resolution);
  }
}

/** The request as the API lists it. */
function pendingOf({ id, chat_id, turn_id, question }: Entry, { opening, opened_at }: Open): PendingRequest {
  return {
    id,
    kind: opening.kind,
    chat_id,
    turn_id,
    ...(question !== undefined && { question }),
    ...(opening.agent !== undefined && { agent: opening.agent }),
    opened_at: new Date(opened_at).toISOString(),
    expires_at: new Date(opened_at + opening.timeout_secs * 1000).toISOString(),
    event: opening.event,
  };
}

const wasDone = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' && ending.answer.error === undefined && ending.answer.decision !== 'deny';

/** The id of an answer under either of its names; the schema of the body makes sure that there is one. */
const idOf = ({ id, op_id }: { id?: string | undefined; op_id?: string | undefined }): string =>
  (id ?? op_id) as string;

function late({ resolution }: Entry): KernelError {
  const detail = `The request has ended already: ${resolution?.reason}.`;
  return new KernelError('already_resolved', detail, { extra: { resolution } });
}
