/** Implements turns for the API: start, stream, cancel and lookup. */
import type { CancelResult, Turn, TurnRequest } from '@chat-kernel/protocol';
import type { Chats } from '../chats/chats.ts';
import type { ResumedReader } from '../feed/reader.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { LiveRequest } from '../turns/live-reader.ts';
import type { Retry } from '../turns/retry.ts';
import type { Sent, StartedTurn } from '../turns/start-turn.ts';
import type { Turns } from '../turns/turns.ts';
import type { ChatChanges } from './chat-changes.ts';
import { undoFiles } from './undo-files.ts';

export class TurnsApi {
  readonly #chats: Chats;
  readonly #turns: Turns;
  readonly #changes: ChatChanges;
  readonly #services: TurnServices;

  constructor(chats: Chats, turns: Turns, changes: ChatChanges, services: TurnServices) {
    this.#chats = chats;
    this.#turns = turns;
    this.#changes = changes;
    this.#services = services;
  }

  /** The user's message is on disk when this resolves. Errors as for `Turns.start`. */
  start(chatId: string, request: TurnRequest, sent: Sent = {}): Promise<StartedTurn> {
    return this.#changes.run(chatId, async () =>
      this.#turns.start(await this.#chats.get(chatId), request, sent),
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
    return this.#changes.run(chatId, async () => {
      const chat = await this.#chats.get(chatId);
      const { client_id } = request;
      const retry: Retry = {
        message_id,
        request,
        ...(files && {
          restore: async from => {
            await undoFiles(files, { chat, from, client_id, gone }, this.#services);
          },
        }),
      };
      return this.#turns.retry(chatId, retry, sent, async () => {
        await this.#changes.settleHistory(chatId);
        return this.#chats.get(chatId);
      });
    });
  }

  /** The reader behind GET /live; null if no turn is queued, sleeping or running. */
  async live(chatId: string, request: LiveRequest): Promise<ResumedReader | null> {
    await this.#chats.get(chatId);
    return this.#turns.live(chatId, request);
  }

  /** Resolves once the turn has ended. */
  async cancel(chatId: string, { queued }: { queued: boolean }): Promise<CancelResult> {
    await this.#chats.get(chatId);
    return this.#turns.cancel(chatId, queued);
  }

  /** The state or the result of a turn (TURN-12). @throws KernelError not_found */
  async get(chatId: string, turnId: string): Promise<Turn> {
    await this.#chats.get(chatId);
    return this.#turns.outcome(chatId, turnId);
  }
}
