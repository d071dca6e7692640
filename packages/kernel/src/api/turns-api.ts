/** Implements turns for the API: start, stream, cancel and lookup, and starts those of schedules. */
import type { CancelResult, Turn, TurnRequest } from '@chat-kernel/protocol';
import type { NewRun, TurnStarter } from '../feature-host.ts';
import type { ResumedReader } from '../feed/reader.ts';
import type { LiveRequest } from '../turns/live-reader.ts';
import type { Retry } from '../turns/retry.ts';
import type { Sent, StartedTurn } from '../turns/start-turn.ts';
import { ApiBase } from './api-base.ts';
import { undoFiles } from './undo-files.ts';

export class TurnsApi extends ApiBase implements TurnStarter {
  /** The user's message is on disk when this resolves. Errors as for `Turns.start`. */
  start(chatId: string, request: TurnRequest, sent: Sent = {}): Promise<StartedTurn> {
    return this.changes.run(chatId, async () =>
      this.turns.start(await this.chats.get(chatId), request, sent),
    );
  }

  /**
   * Starts a turn in place of the one that a user message began (EDIT-1).
   * @param files restores the files that tools changed from the message on
   * @param gone aborted when the caller has disconnected
   * @throws KernelError turn_running, not_found, files_changed, files_stuck, and as `start`
   */
  retry(
    chatId: string,
    { message_id, request, files }: Pick<Retry, 'message_id' | 'request'> & { files?: 'restore' | undefined },
    sent: Sent,
    gone?: AbortSignal,
  ): Promise<StartedTurn> {
    return this.changes.run(chatId, async () => {
      const chat = await this.chats.get(chatId);
      const { client_id } = request;
      const retry: Retry = {
        message_id,
        request,
        ...(files && {
          restore: async from => {
            await undoFiles(files, { chat, from, client_id, gone }, this.services);
          },
        }),
      };
      return this.turns.retry(chatId, retry, sent, async () => {
        await this.changes.settleHistory(chatId);
        return this.chats.get(chatId);
      });
    });
  }

  /** The reader behind GET /live; null if no turn is queued, sleeping or running. */
  async live(chatId: string, request: LiveRequest): Promise<ResumedReader | null> {
    await this.chats.get(chatId);
    return this.turns.live(chatId, request);
  }

  /** Resolves once the turn has ended. */
  async cancel(chatId: string, { queued }: { queued: boolean }): Promise<CancelResult> {
    await this.chats.get(chatId);
    return this.turns.cancel(chatId, queued);
  }

  /** The state or the result of a turn (TURN-12). @throws KernelError not_found */
  async get(chatId: string, turnId: string): Promise<Turn> {
    await this.chats.get(chatId);
    return this.turns.outcome(chatId, turnId);
  }

  /** Starts the turn of a schedule, in the queue of changes of its chat. */
  async startRun({ claim, chat_id, title, max_cost_usd, grants, request }: NewRun) {
    const { ownership, store } = this.services;
    const { schedule_id: id, due_at } = claim;
    const parameters = {
      schedule: { id, due_at },
      ...(max_cost_usd !== null && { max_cost_usd }),
      ...(grants.length > 0 && { grants }),
    };
    const made = chat_id === null ? this.chats.made(title === null ? {} : { title }) : undefined;
    const chatId = made?.id ?? (chat_id as string);
    const owner = store.fleet?.id;
    const newChat = made && { chat: made, ...(owner !== undefined && { owner }) };
    if (made) ownership.made(chatId);
    const { turn_id } = await this.changes
      .run(chatId, async () => {
        const chat = made ?? (await this.chats.get(chatId));
        const run = { claim: { ...claim, ...newChat }, parameters };
        return this.turns.start(chat, request(chat), {}, { run });
      })
      .catch(error => {
        if (made) ownership.unmade(chatId);
        throw error;
      });
    return { turn_id, chat_id: chatId };
  }
}
