/** Messages that were edited: one that still waits is replaced; of any other the model is told what it says now. */
import type { TurnStart } from '@chat-kernel/module-sdk';
import type { Message } from 'grammy/types';
import { hasStatus, whenThere } from './kernel-answers.ts';
import { fileIn } from './media.ts';
import { quoting, wordsIn } from './message.ts';
import type { Posting } from './posting.ts';
import type { SurfaceServices } from './services.ts';
import type { Place, SaidRow } from './tables.ts';
import type { Known } from './who.ts';

interface Edit {
  update_id: number;
  message: Message;
  place: Place;
  who: Known;
}

export class Edits {
  readonly #services: SurfaceServices;
  readonly #posting: Posting;

  constructor(services: SurfaceServices, posting: Posting) {
    this.#services = services;
    this.#posting = posting;
  }

  /** Resolves when the kernel has what the message says now. */
  async take({ update_id, message, place, who }: Edit): Promise<void> {
    const before = this.#services.store.said(place, message.message_id);
    // What never was part of a turn, such as a command, becomes none by an edit.
    if (!before || wordsIn(message).startsWith('/')) return;
    // Telegram tells of other changes of a message too, such as a preview that came late.
    if (before.words === wordsIn(message) && before.file === fileIn(message)) return;
    const replaced = await this.#dropped(before);
    const incoming = { updates: [update_id], messages: [message], place, who } as const;
    await this.#posting.post(
      incoming,
      replaced ? undefined : request => toldAnew(request, message.message_id, before),
    );
  }

  /**
   * Takes the message out of the chat if it is the last there and waits: with another behind it, that would go too.
   * Should its turn begin and end before the kernel is asked, its answer goes with it, and the new words are answered.
   */
  async #dropped({ update_id }: SaidRow): Promise<boolean> {
    const { store, kernel, teller, signal } = this.#services;
    const turn = store.turn(update_id);
    if (!turn?.turn_id) return false;
    const { kernel_chat, turn_id } = turn;
    try {
      const page = { limit: 1 };
      const { items } = await whenThere(() => kernel.listItems(kernel_chat, page, { signal }), signal);
      const last = items.at(-1);
      if (last?.kind !== 'user_message' || !last.waiting || last.turn_id !== turn_id) return false;
      teller.replaced.add(update_id);
      await whenThere(() => kernel.rewind(kernel_chat, last.message_id, { signal }), signal);
      return true;
    } catch (error) {
      teller.replaced.delete(update_id);
      // It has begun, or somebody has taken it away.
      if (hasStatus(error, 409) || hasStatus(error, 404)) return false;
      throw error;
    }
  }
}

const toldAnew = (request: TurnStart, messageId: number, { words }: SaidRow): TurnStart => ({
  ...request,
  text: `[A message from before was edited, and says now:]\n${request.text ?? ''}`.trimEnd(),
  ...quoting(messageId, words),
});
