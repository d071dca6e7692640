/** Creates titles for chats that have none, with a model, concurrently with turns, which never wait for it. */
import {
  type CompletedTurn,
  estimateTokens,
  type LanguageModel,
  likelyCost,
  ModelError,
  sideCall,
  timestamp,
} from '@chat-kernel/kernel';
import type { Settings, Usage } from '@chat-kernel/protocol';
import type { FeatureServices } from '../feature.ts';
import { askForTitle, parseTitle, TITLE_SYSTEM } from './title-text.ts';

/** The maximum number of attempts per chat, each after another turn, until the process ends. */
const MAX_ATTEMPTS = 3;
const TITLE_TOKENS = 40;
/** The token limit for a model that cannot switch off reasoning: reasoning and title share the limit. */
const REASONED_TITLE_TOKENS = 1000;

const titleTokens = ({ record }: LanguageModel): number =>
  record.efforts.includes('off') ? TITLE_TOKENS : REASONED_TITLE_TOKENS;

type Host = Pick<FeatureServices, 'clock' | 'events' | 'log' | 'models' | 'settings' | 'spending' | 'store'>;

/** A title that is being created. */
interface Making {
  abort: AbortController;
  /** False once the user has named the chat. */
  wanted: boolean;
  /** Resolves when the attempt is over, with or without a title. */
  over: Promise<void>;
}

export class Titles {
  readonly #host: Host;
  readonly #settings: Settings['titles'];
  /** Attempts in progress, by chat. */
  readonly #making = new Map<string, Making>();
  readonly #attempts = new Map<string, number>();
  #stopped = false;

  constructor(host: Host) {
    this.#host = host;
    this.#settings = host.settings.titles;
  }

  /**
   * Creates a title for the chat of a completed turn if it has none. Returns immediately; a failure changes nothing.
   */
  turnCompleted(turn: CompletedTurn): void {
    const { chat_id } = turn;
    if (!this.#settings.enabled || this.#stopped || this.#making.has(chat_id)) return;
    const making: Making = { abort: new AbortController(), wanted: true, over: Promise.resolve() };
    this.#making.set(chat_id, making);
    making.over = this.#make(turn, making)
      .catch(error => {
        // The deletion of the chat between two steps is not a failure.
        if (!making.abort.signal.aborted)
          this.#host.log.error({ err: error, chat_id }, 'storing a title failed');
      })
      .finally(() => this.#making.delete(chat_id));
  }

  /** Records that the user has named the chat, so that a title by a model is not needed. */
  named(chatId: string): void {
    const making = this.#making.get(chatId);
    if (making) making.wanted = false;
  }

  /** Cancels the attempt for a chat that is being deleted. */
  forget(chatId: string): void {
    this.#making.get(chatId)?.abort.abort();
    this.#attempts.delete(chatId);
  }

  /** Cancels all attempts; their cost is stored when this resolves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { abort } of this.#making.values()) abort.abort();
    await Promise.all(Array.from(this.#making.values(), ({ over }) => over));
  }

  async #make({ id, chat_id, model: turnModel }: CompletedTurn, making: Making): Promise<void> {
    const { store, models, spending, log } = this.#host;
    const { signal } = making.abort;
    const chosen = this.#settings.model ?? turnModel;
    const model = chosen === null ? undefined : models.find(chosen);
    const attempts = this.#attempts.get(chat_id) ?? 0;
    if (model === undefined || model.demo || attempts >= MAX_ATTEMPTS) return;
    if ((await store.chats.get(chat_id))?.title !== null) return;
    const text = askForTitle(await store.messages.listOfTurn(chat_id, id));
    if (text === null || signal.aborted) return;
    const most = titleTokens(model);
    const estimate = () => likelyCost(model.record, estimateTokens(TITLE_SYSTEM.length + text.length), most);
    const reserved = await spending.reserveSide(model.record, chat_id, estimate, signal);
    if (typeof reserved === 'string')
      return log.info({ chat_id, reason: reserved }, 'a chat gets no title: spending limit');
    this.#attempts.set(chat_id, attempts + 1);
    let spent: Usage | null = null;
    try {
      const answer = await this.#ask(model, chat_id, text, signal, usage => {
        spent = usage;
      });
      await this.#keep(chat_id, model, { title: parseTitle(answer), spent }, making);
    } finally {
      reserved.free();
    }
  }

  /** The answer of the model; empty if it gave none. */
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
      this.#host.log.debug({ chat_id, reason }, 'a model returned no title');
      return '';
    }
  }

  /** Stores the title, and the cost of the call even if the title is not needed. */
  async #keep(
    chat_id: string,
    { record }: LanguageModel,
    { title, spent }: { title: string; spent: Usage | null },
    making: Making,
  ): Promise<void> {
    const { store, clock, events, spending } = this.#host;
    const before = await store.chats.get(chat_id);
    // There must be no await between this check and the write: a title that the user sets now must be written later.
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
