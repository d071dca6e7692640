/** Which other kernel asked what: an answer goes there, whichever kernel got it. */
import type { KernelEvent, PendingRequest } from '@chat-kernel/protocol';

/** Ids that are remembered, those that were answered included. */
const REMEMBERED = 2000;

interface RemoteRequest {
  kernel: string;
  request: PendingRequest;
  isOpen: boolean;
}

export class RemoteRequests {
  readonly #byKey = new Map<string, RemoteRequest>();

  /** Takes an event of another kernel. */
  hear(kernel: string, event: KernelEvent): void {
    if (event.type === 'request_opened') {
      const { request } = event;
      this.#byKey.set(keyOf(request), { kernel, request, isOpen: true });
      this.#forgetOldest();
    }
    if (event.type === 'request_resolved') {
      const known = this.#byKey.get(keyOf(event));
      if (known) known.isOpen = false;
    }
  }

  /** The kernel that opened a request of this id last; undefined: none is known. */
  holderOf(id: string): string | undefined {
    const named = [...this.#byKey.values()].filter(({ request }) => request.id === id);
    return (named.findLast(({ isOpen }) => isOpen) ?? named.at(-1))?.kernel;
  }

  /** The requests of a turn that its kernel left open when it died. */
  openOf(turnId: string): PendingRequest[] {
    return [...this.#byKey.values()]
      .filter(({ isOpen, request }) => isOpen && request.turn_id === turnId)
      .map(({ request }) => request);
  }

  #forgetOldest(): void {
    for (const key of this.#byKey.keys()) {
      if (this.#byKey.size <= REMEMBERED) break;
      this.#byKey.delete(key);
    }
  }
}

const keyOf = ({ turn_id, id, question }: Pick<PendingRequest, 'turn_id' | 'id' | 'question'>): string =>
  `${turn_id} ${id} ${question ?? ''}`;
