/**
 * Deletes the stored edits of deleted chats. The kernel reports deleted chats while a client follows it; for chats
 * deleted earlier, the kernel is asked.
 */
import { KernelApiError, type KernelClient } from '@chat-kernel/client';
import { Undo, type UndoOptions } from './undo.ts';

export class DeletedChats {
  readonly #client: KernelClient;
  readonly #undo: Undo;
  #checking: Promise<void> | undefined;

  /** @param options with the address of this kernel; chats of other kernels are ignored */
  constructor(client: KernelClient, options: UndoOptions) {
    this.#client = client;
    this.#undo = new Undo({ ...options, kernel: client.url });
  }

  /** Handles a deleted chat. Never rejects: the remaining data is limited. */
  async forget(chatId: string): Promise<void> {
    await this.#undo.forget(chatId).catch(() => {});
  }

  /** Runs when the kernel is reachable (again): checks each of its chats that has stored edits. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Follows the kernel until the signal. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      const onConnection = ({ state }: { state: string }) => void (state === 'open' && this.check());
      for await (const event of this.#client.events({ signal, onConnection }))
        if (event.type === 'chat_deleted') await this.forget(event.chat_id);
    } catch {
      // For example, a token has become invalid. The client that works with the kernel reports this.
    }
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    try {
      for (const id of await this.#undo.chats()) if (await this.#isDeleted(id)) await this.forget(id);
    } catch {
      // The kernel is unreachable. The check runs again when it is back.
    }
  }

  async #isDeleted(chatId: string): Promise<boolean> {
    try {
      await this.#client.getChat(chatId);
      return false;
    } catch (error) {
      if (error instanceof KernelApiError && error.code === 'not_found') return true;
      throw error;
    }
  }
}
