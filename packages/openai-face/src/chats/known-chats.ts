/** Which chat a conversation goes on in: known from the last answers, or found by what the chats of the shelf hold. */
import { KernelApiError, type KernelClient } from '@chat-kernel/client';
import { BoundedMap } from '../base/bounded-map.ts';
import { type Entry, endsAlike, fingerprintOf, goesOn } from '../conversation/entries.ts';
import type { Told } from '../conversation/told.ts';
import { readTail, readWhole } from './stored-chat.ts';

/** The shelf of chats that begin here. */
export const SHELF = 'openai';
/** Chats whose conversation is known without a look. */
const MOST_KNOWN = 1000;
/** Chats of the shelf that are looked through, the newest first, and how many a page has. */
const MOST_SEARCHED = 200;
const PAGE = 100;

interface FoundChat {
  chat_id: string;
  told: Told;
}

interface Known {
  /** Of all that its client has heard. */
  fingerprint: string;
  told: Told;
}

interface Tail {
  last_message_at: string | null;
  entries: readonly Entry[];
}

export class KnownChats {
  readonly #known = new BoundedMap<string, Known>(MOST_KNOWN);
  /** How the chats of earlier searches ended. */
  readonly #tails = new BoundedMap<string, Tail>(MOST_KNOWN);

  /** @param entries the whole conversation, up to the answer that its client has now */
  remember(chatId: string, entries: readonly Entry[], told: Told): void {
    this.#known.set(chatId, { fingerprint: fingerprintOf(entries), told });
  }

  /** Whether a conversation is what was last remembered of a chat. */
  isAt(chatId: string, entries: readonly Entry[]): boolean {
    return this.#known.get(chatId)?.fingerprint === fingerprintOf(entries);
  }

  toldTo(chatId: string): Told | undefined {
    return this.#known.get(chatId)?.told;
  }

  /**
   * The chat whose history these entries are; undefined: none, or none of the newest. It is not found again until it is
   * remembered: its history goes on now.
   */
  async find(
    kernel: KernelClient,
    entries: readonly Entry[],
    instructions: string,
  ): Promise<FoundChat | undefined> {
    if (entries.at(-1)?.role !== 'assistant') return undefined;
    const known = await this.#amongKnown(kernel, entries, instructions);
    const found = known ?? (await this.#search(kernel, entries));
    if (found !== undefined) this.#known.delete(found.chat_id);
    return found;
  }

  async #amongKnown(
    kernel: KernelClient,
    entries: readonly Entry[],
    instructions: string,
  ): Promise<FoundChat | undefined> {
    const fingerprint = fingerprintOf(entries);
    const alike = [...this.#known].filter(([, known]) => known.fingerprint === fingerprint).reverse();
    // Two programs may have had the same conversation under other instructions.
    const isSame = ([, { told }]: [string, Known]) => told.instructions === instructions;
    for (const [chat_id, { told }] of [...alike.filter(isSame), ...alike.filter(each => !isSame(each))]) {
      // People write in a chat elsewhere, too.
      if (endsAlike(await endOf(kernel, chat_id), entries)) return { chat_id, told };
      this.#known.delete(chat_id);
    }
    return undefined;
  }

  async #search(kernel: KernelClient, entries: readonly Entry[]): Promise<FoundChat | undefined> {
    for await (const { id, last_message_at, turn } of chatsOf(kernel)) {
      const known = this.#tails.get(id);
      const end = known?.last_message_at === last_message_at ? known.entries : await endOf(kernel, id);
      // A turn that runs says more at the same time.
      if (turn === null) this.#tails.set(id, { last_message_at, entries: end });
      if (!endsAlike(end, entries)) continue;
      const whole = await readWhole(kernel, id);
      if (whole && goesOn(whole.entries, whole.told.before, entries))
        return { chat_id: id, told: whole.told };
    }
    return undefined;
  }
}

/** How a chat ends; empty: it is gone. */
async function endOf(kernel: KernelClient, chatId: string): Promise<readonly Entry[]> {
  try {
    return (await readTail(kernel, chatId)).entries;
  } catch (error) {
    if (error instanceof KernelApiError && error.status === 404) return [];
    throw error;
  }
}

async function* chatsOf(kernel: KernelClient) {
  let before: string | undefined;
  for (let seen = 0; seen < MOST_SEARCHED; seen += PAGE) {
    const query = { shelf: SHELF, limit: PAGE, ...(before !== undefined && { before }) };
    const { chats, next_before } = await kernel.listChats(query);
    yield* chats;
    if (next_before === null) return;
    before = next_before;
  }
}
