/** Turns as the API offers them: started, watched, cancelled, looked up. */
import type { CancelResult, Turn, TurnRequest } from '@chat-kernel/protocol';
import type { Chats } from '../chats/chats.ts';
import type { ResumedReader } from '../feed/reader.ts';
import type { LiveRequest } from '../turns/live-reader.ts';
import type { Sent, StartedTurn } from '../turns/start-turn.ts';
import type { Turns } from '../turns/turns.ts';
import type { ChatChanges } from './chat-changes.ts';

export class TurnsApi {
  readonly #chats: Chats;
  readonly #turns: Turns;
  readonly #changes: ChatChanges;

  constructor(chats: Chats, turns: Turns, changes: ChatChanges) {
    this.#chats = chats;
    this.#turns = turns;
    this.#changes = changes;
  }

  /** The user's message is on disk when this answers. Errors as of `Turns.start`. */
  start(chatId: string, request: TurnRequest, sent: Sent = {}): Promise<StartedTurn> {
    return this.#changes.run(chatId, async () =>
      this.#turns.start(await this.#chats.get(chatId), request, sent),
    );
  }

  /** The reader behind GET /live; null where no turn is queued, sleeping or running. */
  async live(chatId: string, request: LiveRequest): Promise<ResumedReader | null> {
    await this.#chats.get(chatId);
    return this.#turns.live(chatId, request);
  }

  /** Answers once the turn has ended. */
  async cancel(chatId: string, { queued }: { queued: boolean }): Promise<CancelResult> {
    await this.#chats.get(chatId);
    return this.#turns.cancel(chatId, queued);
  }

  /** How a turn stands or ended (TURN-12). @throws KernelError not_found */
  async get(chatId: string, turnId: string): Promise<Turn> {
    await this.#chats.get(chatId);
    return this.#turns.outcome(chatId, turnId);
  }
}
