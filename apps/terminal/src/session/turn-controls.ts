/** Cancels turns of the chat on the screen and answers their questions. */
import { KernelApiError, type KernelClient } from '@chat-kernel/client';
import type { Outbox } from '../chats/outbox.ts';
import type { QuestionAnswer, QuestionRequest } from '../dialogs/question.ts';
import type { Submission } from '../editor/state.ts';
import type { AppState } from '../state/app-state.ts';
import type { Notices } from './notices.ts';

export class TurnControls {
  readonly #client: KernelClient;
  readonly #state: () => AppState;
  readonly #outbox: Outbox;
  readonly #notices: Notices;

  constructor(client: KernelClient, state: () => AppState, outbox: Outbox, notices: Notices) {
    this.#client = client;
    this.#state = state;
    this.#outbox = outbox;
    this.#notices = notices;
  }

  /** Cancels the running turn. @param queued also the queued ones @returns their messages, oldest first */
  async cancel({ queued = false } = {}): Promise<Submission[]> {
    const { chat, waiting } = this.#state();
    const { cancelled, dropped = [] } =
      chat === null ? { cancelled: false } : await this.#client.cancelTurn(chat.id, { queued });
    if (!cancelled) this.#notices.notify('No turn is running.');
    if (dropped.length > 0) await this.#outbox.recount();
    return dropped.map(({ message_id, text }) => {
      const own = waiting.find(each => each.message_id === message_id);
      return own?.sent ?? { text, attachments: [] };
    });
  }

  /** Never rejects: errors become notices. */
  answer(request: QuestionRequest, answer: QuestionAnswer): void {
    const { chat } = this.#state();
    if (chat === null) return;
    const body = { id: request.id, question: request.index, ...answer };
    void this.#notices.attempt(async () => {
      await this.#client.answerRequest(chat.id, body).catch(error => {
        // Another client answered first. The dialog closes automatically.
        if (!(error instanceof KernelApiError && OVER.includes(error.code))) throw error;
      });
    });
  }
}

const OVER = ['already_resolved', 'unknown_request'];
