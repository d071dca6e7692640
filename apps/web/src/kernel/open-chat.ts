/** A chat that is on the screen: its view, a snapshot at most once a frame, and messages that are on their way. */
import { ChatView, type StartedTurn, type TurnRequest } from '@chat-kernel/client';
import { Store } from '../base/store.ts';
import type { Kernel } from './kernel.ts';

export interface Outgoing {
  key: string;
  text: string;
  files: number;
}

export class OpenChat {
  readonly id: string;
  readonly view: ChatView;
  readonly outgoing = new Store<readonly Outgoing[]>([]);
  readonly #leave: () => void;

  constructor(kernel: Kernel, id: string) {
    this.id = id;
    this.view = new ChatView(kernel.client, id, {
      online: window,
      schedule: nextFrame,
      mute: ['text_delta', 'thinking_delta'],
    });
    this.#leave = kernel.lines.onShown(() => {
      // Whatever a frozen page has slept through stands in the history.
      this.view.reconnectNow();
      void this.view.refresh();
    });
  }

  /** Resolves once the message is stored and on the screen; it is shown at once. */
  async send(request: TurnRequest): Promise<StartedTurn> {
    const key = crypto.randomUUID();
    const files = (request.files?.length ?? 0) + (request.images?.length ?? 0);
    this.outgoing.update(list => [...list, { key, text: request.text ?? '', files }]);
    try {
      const started = await this.view.send(request, { idempotencyKey: key });
      await this.view.refresh();
      return started;
    } finally {
      this.outgoing.update(list => list.filter(each => each.key !== key));
    }
  }

  close(): void {
    this.#leave();
    this.view.close();
  }
}

/** A page that nobody sees has no frames; what came meanwhile is drawn when it is shown. */
function nextFrame(take: () => void): void {
  requestAnimationFrame(() => take());
}
