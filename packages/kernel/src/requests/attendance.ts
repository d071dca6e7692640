/**
 * Limits how long requests wait: shorter for requests for consent that no client can show, and not at all after two
 * of them in a turn (CONSENT-1).
 */
import type { Clock, NewRequest } from '../ports/index.ts';

/** After this many such expiries in a turn, further requests are refused at once. */
const MAX_UNATTENDED = 2;

/** The turn that makes a request. */
interface AskingTurn {
  /** One object for each turn; absent: the request does not belong to a turn. */
  life?: object;
  /** Whether a client that shows requests for consent reads the stream of the turn. */
  isShown?(): boolean;
}

/** An open request, whose timer is started here. */
interface OpenRequest {
  readonly asking: AskingTurn;
  readonly opening: NewRequest;
  /** Milliseconds since 1970. */
  readonly opened_at: number;
  expires_at: number;
  stopTimer(): void;
}

export class Attendance {
  readonly #isKernelWatched: () => boolean;
  readonly #expired = new WeakMap<object, number>();

  /** @param isKernelWatched whether a client or a notification reports requests outside of the streams of turns */
  constructor(isKernelWatched: () => boolean) {
    this.#isKernelWatched = isKernelWatched;
  }

  /** Whether no client could show the request now, and no notification would be sent. Only requests for consent are checked. */
  isUnattended(asking: AskingTurn, { unattended_timeout_secs }: NewRequest): boolean {
    if (unattended_timeout_secs === undefined) return false;
    return asking.isShown?.() !== true && !this.#isKernelWatched();
  }

  /** Whether an unattended request of the turn would only waste time, because earlier ones expired. */
  isRefused({ life }: AskingTurn): boolean {
    return life !== undefined && this.#getExpired(life) >= MAX_UNATTENDED;
  }

  /** Starts the timeout of a request. An unattended one ends sooner, unless a client can show it by then. */
  startTimer(open: OpenRequest, isUnattended: boolean, expire: () => void, clock: Clock): void {
    const { asking, opening, opened_at } = open;
    const { timeout_secs, unattended_timeout_secs = timeout_secs } = opening;
    const isShort = isUnattended && unattended_timeout_secs < timeout_secs;
    open.expires_at = opened_at + (isShort ? unattended_timeout_secs : timeout_secs) * 1000;
    const end = () => {
      const isStill = isUnattended && this.isUnattended(asking, opening);
      if (isShort && !isStill) return this.startTimer(open, false, expire, clock);
      if (isStill) this.#countExpired(asking);
      expire();
    };
    open.stopTimer = clock.after(Math.max(0, open.expires_at - clock.now()), end);
  }

  #countExpired({ life }: AskingTurn): void {
    if (life !== undefined) this.#expired.set(life, this.#getExpired(life) + 1);
  }

  #getExpired(life: object): number {
    return this.#expired.get(life) ?? 0;
  }
}
