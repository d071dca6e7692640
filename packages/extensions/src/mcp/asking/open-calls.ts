/** The calls that run on a connection: what the server asks meanwhile belongs to one of them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OwnerQuestion, RequestEnding } from '@chat-kernel/kernel';

export interface OpenCall {
  /** The task that the server has made of it, once there is one. */
  task?: string;
  /** @param unwanted aborted when the server does not want to know any more */
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
   * Asks in the chat of the call that is meant; undefined where that is not known, or over.
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
   * A question comes on the stream of its call, or in its answer, save from programs of 2025, whose messages have one stream
   * and, other than for tasks, do not say to which call they belong. Of several calls there, none is meant: the question of one chat is not
   * shown in another.
   */
  #meant(task: string | undefined): OpenCall | undefined {
    const current = this.#current.getStore();
    if (current !== undefined) return this.#running.has(current) ? current : undefined;
    if (task !== undefined) return [...this.#running].find(call => call.task === task);
    return this.#running.size === 1 ? [...this.#running][0] : undefined;
  }
}
