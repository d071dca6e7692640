/**
 * Finds the chat that a conversation continues: known from recent answers, or found in the contents of the shelf's
 * chats.
 */
import { BoundedMap } from '@chat-kernel/base';
import { KernelApiError, type KernelClient } from '@chat-kernel/client';
import { type CallerContext, hashInstructions } from '../conversation/caller-context.ts';
import type { Conversation } from '../conversation/conversation.ts';
import {
  type ChatEnd,
  type Entry,
  endsAlike,
  fingerprintEntries,
  goesOn,
  haveSameQuestions,
} from '../conversation/entries.ts';
import { readTail, readWhole } from './stored-chat.ts';

/** The shelf of new chats from this face. */
export const SHELF = 'openai';
/** Maximum number of chats whose conversation is cached. */
const MAX_KNOWN_CHATS = 1000;
/** Maximum number of searched chats of the shelf, the newest first, and the size of a page. */
const MAX_SEARCHED_CHATS = 200;
const PAGE = 100;

interface FoundChat {
  chat_id: string;
  told: CallerContext;
}

interface Known {
  /** The fingerprint of everything that its client has received. */
  fingerprint: string;
  told: CallerContext;
}

interface Tail {
  last_message_at: string | null;
  end: ChatEnd;
}

export class KnownChats {
  readonly #known = new BoundedMap<string, Known>(MAX_KNOWN_CHATS);
  /** The ends of chats, cached from earlier searches. */
  readonly #tails = new BoundedMap<string, Tail>(MAX_KNOWN_CHATS);

  /** @param entries the whole conversation, up to the answer that its client has now */
  remember(chatId: string, entries: readonly Entry[], told: CallerContext): void {
    this.#known.set(chatId, { fingerprint: fingerprintEntries(entries), told });
  }

  /**
   * The context of a chat that waits for answers to calls of this conversation; undefined if the chat has another one.
   * The text before the calls does not count, because some clients omit it.
   */
  async waitingIn(
    kernel: KernelClient,
    chatId: string,
    conversation: Conversation,
  ): Promise<CallerContext | undefined> {
    const { entries } = conversation;
    const known = this.#known.get(chatId);
    const isKnown = known?.fingerprint === fingerprintEntries(entries);
    const chat = isKnown ? undefined : await readWhole(kernel, chatId);
    if (chat && !haveSameQuestions(chat.entries, chat.told.before, entries)) return undefined;
    const told = isKnown ? known.told : chat?.told;
    return told?.instructions === hashInstructions(conversation) ? told : undefined;
  }

  /**
   * Finds the chat whose history these entries are; undefined if there is none, or none among the newest. The chat is
   * then not found again until it is remembered, because its history continues now.
   */
  async find(
    kernel: KernelClient,
    entries: readonly Entry[],
    instructions: string,
  ): Promise<FoundChat | undefined> {
    if (entries.at(-1)?.role !== 'assistant') return undefined;
    const known = await this.#amongKnown(kernel, entries, instructions);
    const found = known ?? (await this.#search(kernel, entries, instructions));
    if (found !== undefined) this.#known.delete(found.chat_id);
    return found;
  }

  async #amongKnown(
    kernel: KernelClient,
    entries: readonly Entry[],
    instructions: string,
  ): Promise<FoundChat | undefined> {
    const fingerprint = fingerprintEntries(entries);
    // Another program may have had the same conversation with other instructions.
    const alike = [...this.#known].filter(
      ([, known]) => known.fingerprint === fingerprint && known.told.instructions === instructions,
    );
    for (const [chat_id, { told }] of alike.reverse()) {
      // The user may also write in the chat with other clients.
      if (endsAlike(await readEnd(kernel, chat_id), entries)) return { chat_id, told };
      this.#known.delete(chat_id);
    }
    return undefined;
  }

  async #search(
    kernel: KernelClient,
    entries: readonly Entry[],
    instructions: string,
  ): Promise<FoundChat | undefined> {
    for await (const { id, last_message_at, turn } of listShelfChats(kernel)) {
      const known = this.#tails.get(id);
      const end = known?.last_message_at === last_message_at ? known.end : await readEnd(kernel, id);
      // During a turn, the end of the chat still changes.
      if (turn === null) this.#tails.set(id, { last_message_at, end });
      if (!endsAlike(end, entries)) continue;
      const whole = await readWhole(kernel, id);
      if (whole?.told.instructions !== instructions) continue;
      if (goesOn(whole, whole.told.before, entries)) return { chat_id: id, told: whole.told };
    }
    return undefined;
  }
}

/** Reads the end of a chat; empty if it was deleted. */
async function readEnd(kernel: KernelClient, chatId: string): Promise<ChatEnd> {
  try {
    return await readTail(kernel, chatId);
  } catch (error) {
    if (error instanceof KernelApiError && error.status === 404) return { entries: [], isCut: false };
    throw error;
  }
}

async function* listShelfChats(kernel: KernelClient) {
  let before: string | undefined;
  for (let seen = 0; seen < MAX_SEARCHED_CHATS; seen += PAGE) {
    const query = { shelf: SHELF, limit: PAGE, ...(before !== undefined && { before }) };
    const { chats, next_before } = await kernel.listChats(query);
    yield* chats;
    if (next_before === null) return;
    before = next_before;
  }
}
