/**
 * What is kept for an undo goes with its chat: the kernel tells of chats that are deleted while it is followed, and is asked
 * for those that may have gone before.
 */
import type { KernelClient } from '../../client/client.ts';
import { KernelApiError } from '../../http/errors.ts';
import { Undo, type UndoOptions } from './undo.ts';

export class DeletedChats {
  readonly #client: KernelClient;
  readonly #undo: Undo;
  #looking: Promise<void> | undefined;

  /** @param options with the address of this kernel: chats of other kernels are not its business */
  constructor(client: KernelClient, options: UndoOptions) {
    this.#client = client;
    this.#undo = new Undo({ ...options, kernel: client.url });
  }

  /** A chat was deleted. Never rejects: what stays is bounded. */
  async deleted(chatId: string): Promise<void> {
    await this.#undo.forget(chatId).catch(() => {});
  }

  /** The kernel is here, or here again: asks for each chat of it of which something is kept. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Follows the kernel until the signal. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      const onConnection = ({ state }: { state: string }) => void (state === 'open' && this.look());
      for await (const event of this.#client.events({ signal, onConnection }))
        if (event.type === 'chat_deleted') await this.deleted(event.chat_id);
    } catch {
      // Such as a token that is none any more: whoever works with the kernel says so.
    }
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      for (const id of await this.#undo.chats()) if (await this.#isGone(id)) await this.deleted(id);
    } catch {
      // The kernel is away: it is asked again when it is back.
    }
  }

  async #isGone(chatId: string): Promise<boolean> {
    try {
      await this.#client.getChat(chatId);
      return false;
    } catch (error) {
      if (error instanceof KernelApiError && error.code === 'not_found') return true;
      throw error;
    }
  }
}
