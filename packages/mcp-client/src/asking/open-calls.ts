/** Tracks the running calls of a connection, and assigns questions of the server to them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OwnerQuestion, RequestEnding } from '@chat-kernel/kernel';

export interface OpenCall {
  /** The task that the server has created for it, if any. */
  task?: string;
  /** @param unwanted aborted when the server no longer needs the answer */
  ask(question: OwnerQuestion, unwanted: AbortSignal): Promise<RequestEnding>;
}

export class OpenCalls {
  readonly #running = new Set<OpenCall>();
  readonly #current = new AsyncLocalStorage<OpenCall>();

  async run<Result>(call: OpenCall, work: () => Promise<Result>): Promise<Result> {
    this.#running.add(call);
    try {
      return await this.#current.run(call, work);
    } finally {
      this.#running.delete(call);
    }
  }

  /**
   * Asks in the chat of the matching call; undefined if that is unknown, or over.
   * @param task that the question names
   */
  async ask(
    question: OwnerQuestion,
    unwanted: AbortSignal,
    task?: string,
  ): Promise<RequestEnding | undefined> {
    return this.#meant(task)?.ask(question, unwanted);
  }

  /**
   * A question arrives on the stream of its call, or in its answer. Programs of 2025 are the exception: their messages
   * share one stream and name the call only for tasks. If several calls are running there, none is chosen, because the
   * question of one chat must not appear in another.
   */
  #meant(task: string | undefined): OpenCall | undefined {
    const current = this.#current.getStore();
    if (current !== undefined) return this.#running.has(current) ? current : undefined;
    if (task !== undefined) return [...this.#running].find(call => call.task === task);
    return this.#running.size === 1 ? [...this.#running][0] : undefined;
  }
}
