/** Titles: a chat without one gets one from a model, beside its turns, which never wait for it. */
import type { Settings, Usage } from '@chat-kernel/protocol';
import type { KernelEvents } from '../events/kernel-events.ts';
import { likelyCost } from '../model/likely-cost.ts';
import { sideCall } from '../model/side-call.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import {
  type Clock,
  type LanguageModel,
  type Log,
  ModelError,
  type Models,
  type Store,
  timestamp,
} from '../ports/index.ts';
import type { Spending } from '../spend/spending.ts';
import { askForTitle, TITLE_SYSTEM, titleOf } from './title-text.ts';

/** The most attempts in one chat, after as many turns, until the process ends. */
const MOST_ATTEMPTS = 3;
const TITLE_TOKENS = 40;
/** The tokens of a title by a model that cannot leave out reasoning: both come out of the same tokens. */
const REASONED_TITLE_TOKENS = 1000;

const titleTokens = ({ record }: LanguageModel): number =>
  record.efforts.includes('off') ? TITLE_TOKENS : REASONED_TITLE_TOKENS;

interface TitleParts {
  store: Pick<Store, 'chats' | 'messages'>;
  models: Models;
  events: KernelEvents;
  spending: Spending;
  clock: Clock;
  log: Log;
}

interface EndedTurn {
  id: string;
  chat_id: string;
  /** The id of the model of the turn. */
  model: string | null;
}

/** A title that is being made. */
interface Making {
  abort: AbortController;
  /** False once somebody has named the chat. */
  wanted: boolean;
  /** Resolves when the attempt is over, whether a title came of it or not. */
  over: Promise<void>;
}

export class Titles {
  readonly #parts: TitleParts;
  readonly #settings: Settings['titles'];
  /** The title that is being made, by chat. */
  readonly #making = new Map<string, Making>();
  readonly #attempts = new Map<string, number>();
  #stopped = false;

  constructor(parts: TitleParts, settings: Settings['titles']) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /**
   * Makes a title for the chat of a completed turn, where it has none. Returns at once; a failure leaves all as it
   * was.
   */
  afterTurn(turn: EndedTurn): void {
    const { chat_id } = turn;
    if (!this.#settings.enabled || this.#stopped || this.#making.has(chat_id)) return;
    const making: Making = { abort: new AbortController(), wanted: true, over: Promise.resolve() };
    this.#making.set(chat_id, making);
    making.over = this.#make(turn, making)
      .catch(error => {
        // A chat that was deleted between two steps is no failure.
        if (!making.abort.signal.aborted)
          this.#parts.log.error({ err: error, chat_id }, 'a title could not be kept');
      })
      .finally(() => this.#making.delete(chat_id));
  }

  /** Notes that somebody has named the chat: a title by a model is not wanted any more. */
  named(chatId: string): void {
    const making = this.#making.get(chatId);
    if (making) making.wanted = false;
  }

  /** Gives up on a chat that is being deleted. */
  forget(chatId: string): void {
    this.#making.get(chatId)?.abort.abort();
    this.#attempts.delete(chatId);
  }

  /** Gives up all titles that are being made; their cost is stored when this resolves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { abort } of this.#making.values()) abort.abort();
    await Promise.all(Array.from(this.#making.values(), ({ over }) => over));
  }

  async #make({ id, chat_id, model: turnModel }: EndedTurn, making: Making): Promise<void> {
    const { store, models, spending, log } = this.#parts;
    const { signal } = making.abort;
    const chosen = this.#settings.model ?? turnModel;
    const model = chosen === null ? undefined : models.find(chosen);
    const attempts = this.#attempts.get(chat_id) ?? 0;
    if (model === undefined || model.demo || attempts >= MOST_ATTEMPTS) return;
    if ((await store.chats.get(chat_id))?.title !== null) return;
    const text = askForTitle(await store.messages.listOfTurn(chat_id, id));
    if (text === null || signal.aborted) return;
    const most = titleTokens(model);
    const estimate = () => likelyCost(model.record, estimateTokens(TITLE_SYSTEM.length + text.length), most);
    const reserved = await spending.reserveSide(model.record, chat_id, estimate, signal);
    if (typeof reserved === 'string')
      return log.info({ chat_id, reason: reserved }, 'a chat gets no title: a cap on spending');
    this.#attempts.set(chat_id, attempts + 1);
    let spent: Usage | null = null;
    try {
      const answer = await this.#ask(model, chat_id, text, signal, usage => {
        spent = usage;
      });
      await this.#keep(chat_id, model, { title: titleOf(answer), spent }, making);
    } finally {
      reserved.free();
    }
  }

  /** The answer of the model; empty where it gave none. */
  async #ask(
    model: LanguageModel,
    chat_id: string,
    text: string,
    signal: AbortSignal,
    spend: (usage: Usage) => void,
  ): Promise<string> {
    const cache_key = `${chat_id} title`;
    const ask = { system: TITLE_SYSTEM, text, max_output_tokens: titleTokens(model), cache_key };
    try {
      return (await sideCall(model, ask, signal, spend)).text;
    } catch (error) {
      // The message of a provider may quote the conversation, which must not be in the log.
      const reason = error instanceof ModelError ? error.code : String(signal.reason ?? typeof error);
      this.#parts.log.debug({ chat_id, reason }, 'a model gave no title');
      return '';
    }
  }

  /** Stores the title, and the cost of the call even where the title is not wanted any more. */
  async #keep(
    chat_id: string,
    { record }: LanguageModel,
    { title, spent }: { title: string; spent: Usage | null },
    making: Making,
  ): Promise<void> {
    const { store, clock, events, spending } = this.#parts;
    const before = await store.chats.get(chat_id);
    // No wait may come between this check and the write: a title that somebody sets now must be set after it.
    const takes = title !== '' && before?.title === null && making.wanted && !making.abort.signal.aborted;
    if (before === undefined || (spent === null && !takes)) return;
    await store.chats.write({
      chat_id,
      ...(spent && {
        spend: { model: record.id, turns: 0, ...spent },
        days: [spending.record(spent, record.id, chat_id)],
      }),
      ...(takes && { chat: { title, updated_at: timestamp(clock) } }),
    });
    if (!takes) return;
    this.#attempts.delete(chat_id);
    const chat = await store.chats.get(chat_id);
    if (chat !== undefined && !making.abort.signal.aborted) events.chatUpdated(chat);
  }
}
