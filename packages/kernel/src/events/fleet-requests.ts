/**
 * Tracks which kernel opened which request: an answer is forwarded to it, whichever kernel received it, and requests
 * that it left open are closed by the next owner of their chat.
 */
import type { KernelEvent, PendingRequest } from '@chat-kernel/protocol';

/** The maximum number of ids that are kept, including answered ones. */
const MAX_HISTORY = 2000;

interface KnownRequest {
  kernel: string;
  request: PendingRequest;
  isOpen: boolean;
}

export class FleetRequests {
  readonly #byKey = new Map<string, KnownRequest>();

  /** Handles an event of a kernel. */
  onEvent(kernel: string, event: KernelEvent): void {
    if (event.type === 'request_opened') {
      const { request } = event;
      this.#byKey.set(requestKey(request), { kernel, request, isOpen: true });
      this.#forgetOldest();
    }
    if (event.type === 'request_resolved') {
      const known = this.#byKey.get(requestKey(event));
      if (known) known.isOpen = false;
    }
  }

  /** The kernel other than `own` that opened a request with this id last; undefined if none is known. */
  holderOf(id: string, own: string | undefined): string | undefined {
    const named = [...this.#byKey.values()].filter(
      ({ request, kernel }) => request.id === id && kernel !== own,
    );
    return (named.findLast(({ isOpen }) => isOpen) ?? named.at(-1))?.kernel;
  }

  /** The requests of a turn that the former owner of its chat left open. */
  openOf(turnId: string): PendingRequest[] {
    return [...this.#byKey.values()]
      .filter(({ isOpen, request }) => isOpen && request.turn_id === turnId)
      .map(({ request }) => request);
  }

  #forgetOldest(): void {
    for (const key of this.#byKey.keys()) {
      if (this.#byKey.size <= MAX_HISTORY) break;
      this.#byKey.delete(key);
    }
  }
}

const requestKey = ({ turn_id, id, question }: Pick<PendingRequest, 'turn_id' | 'id' | 'question'>): string =>
  `${turn_id} ${id} ${question ?? ''}`;
