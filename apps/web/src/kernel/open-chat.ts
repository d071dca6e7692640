/** An open chat: its view, which updates at most once per frame, and the messages that are being sent. */
import {
  ChatView,
  type KernelClient,
  type RetryRequest,
  type StartedTurn,
  type TurnRequest,
} from '@chat-kernel/client';
import { Store } from '../base/store.ts';
import type { Kernel } from './kernel.ts';

/** This page shows questions and requests for consent, and asks about a call as a whole. */
export const TURN_OPTIONS = { questions: true, consents: true, whole_calls: true };

/** How many of the newest messages are read to find one that is being sent. */
const NEWEST = 10;

export interface Outgoing {
  key: string;
  text: string;
  files: number;
}

export class OpenChat {
  readonly id: string;
  readonly view: ChatView;
  readonly outgoing = new Store<readonly Outgoing[]>([]);
  readonly #client: KernelClient;
  readonly #leave: () => void;
  /** Messages that are being sent, or are stored and not in the view yet. */
  readonly #sends = new Set<Promise<unknown>>();

  constructor(kernel: Kernel, id: string) {
    this.id = id;
    this.#client = kernel.client;
    this.view = new ChatView(kernel.client, id, { online: window, schedule: nextFrame });
    this.#leave = kernel.lines.onShown(() => {
      // The history has everything that a suspended page has missed.
      this.view.reconnectNow();
      void this.view.refresh();
    });
  }

  /** Starts a turn in place of the one that a message began. Resolves when it is stored and on the screen. */
  async retry(messageId: string, request: RetryRequest): Promise<void> {
    await this.view.retry(messageId, { ...TURN_OPTIONS, ...request });
    await this.view.refresh();
  }

  /** Shows the old or the new content of the chat from the place of a version on. */
  async activate(versionId: string): Promise<void> {
    await this.#client.activateVersion(this.id, versionId);
    await this.view.refresh();
  }

  /** Shows the message immediately. Resolves when it is stored and on the screen. */
  async send(request: TurnRequest): Promise<StartedTurn> {
    const key = crypto.randomUUID();
    const files = (request.files?.length ?? 0) + (request.images?.length ?? 0);
    this.outgoing.update(list => [...list, { key, text: request.text ?? '', files }]);
    const sent = this.view.send({ ...TURN_OPTIONS, ...request }, { idempotencyKey: key });
    this.#sends.add(sent);
    try {
      const started = await sent;
      await this.view.refresh();
      return started;
    } finally {
      // The view takes what was read at the next frame.
      nextFrame(() => this.#sends.delete(sent));
      this.outgoing.update(list => list.filter(each => each.key !== key));
    }
  }

  /**
   * Stops the turn, also that of a message that is being sent. Returns the text of a message whose turn had not begun, because
   * the kernel removes it from the chat; otherwise null.
   */
  async stop(): Promise<string | null> {
    const isInView = this.#sends.size === 0;
    await Promise.allSettled(this.#sends);
    const { items } = isInView
      ? this.view.getSnapshot()
      : await this.#client.listItems(this.id, { limit: NEWEST });
    const { turn_id } = await this.#client.cancelTurn(this.id);
    const message = items.find(item => item.turn_id === turn_id && item.kind === 'user_message');
    if (message?.kind !== 'user_message' || !message.waiting) return null;
    await this.view.refresh();
    return message.text;
  }

  close(): void {
    this.#leave();
    this.view.close();
  }
}

/** Hidden pages get no frames, so updates are drawn when the page is shown. */
function nextFrame(take: () => void): void {
  requestAnimationFrame(() => take());
}
