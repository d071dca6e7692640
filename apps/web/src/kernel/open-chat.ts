/** An open chat: its view, which updates at most once per frame, and the messages that are being sent. */
import { ChatView, type RetryRequest, type StartedTurn, type TurnRequest } from '@chat-kernel/client';
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

export type OpenChat = ReturnType<typeof openChat>;

export function openChat({ client, lines }: Kernel, id: string) {
  const view = new ChatView(client, id, { online: window, schedule: nextFrame });
  const outgoing = new Store<readonly Outgoing[]>([]);
  /** Messages that are being sent, or are stored and not in the view yet. */
  const sends = new Set<Promise<unknown>>();
  const leave = lines.onShown(() => {
    // The history has everything that a suspended page has missed.
    view.reconnectNow();
    void view.refresh();
  });
  return {
    id,
    view,
    outgoing,

    /** Starts a turn in place of the one that a message began. Resolves when it is stored and on the screen. */
    async retry(messageId: string, request: RetryRequest): Promise<void> {
      await view.retry(messageId, { ...TURN_OPTIONS, ...request });
      await view.refresh();
    },

    /** Shows the old or the new content of the chat from the place of a version on. */
    async activate(versionId: string): Promise<void> {
      await client.activateVersion(id, versionId);
      await view.refresh();
    },

    /** Shows the message immediately. Resolves when it is stored and on the screen. */
    async send(request: TurnRequest): Promise<StartedTurn> {
      const key = crypto.randomUUID();
      const files = (request.files?.length ?? 0) + (request.images?.length ?? 0);
      outgoing.update(list => [...list, { key, text: request.text ?? '', files }]);
      const sent = view.send({ ...TURN_OPTIONS, ...request }, { idempotencyKey: key });
      sends.add(sent);
      try {
        const started = await sent;
        await view.refresh();
        return started;
      } finally {
        // The view takes what was read at the next frame.
        nextFrame(() => sends.delete(sent));
        outgoing.update(list => list.filter(each => each.key !== key));
      }
    },

    /**
     * Stops the turn, also that of a message that is being sent. Returns the text of a message whose turn had not begun, because
     * the kernel removes it from the chat; otherwise null.
     */
    async stop(): Promise<string | null> {
      const isInView = sends.size === 0;
      await Promise.allSettled(sends);
      const { items } = isInView ? view.getSnapshot() : await client.listItems(id, { limit: NEWEST });
      const { turn_id } = await client.cancelTurn(id);
      const message = items.find(item => item.turn_id === turn_id && item.kind === 'user_message');
      if (message?.kind !== 'user_message' || !message.waiting) return null;
      await view.refresh();
      return message.text;
    },

    close(): void {
      leave();
      view.close();
    },
  };
}

/** Hidden pages get no frames, so updates are drawn when the page is shown. */
function nextFrame(take: () => void): void {
  requestAnimationFrame(() => take());
}
