/** Sends the requests about one task: its status, its result, and its cancellation. */
import { pause } from '@chat-kernel/base';
import type { Clock } from '@chat-kernel/kernel';
import { JsonObject } from '@chat-kernel/protocol';
import {
  type CallToolResult,
  SdkError,
  SdkErrorCode,
  type StandardSchemaV1,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { describeRefusal } from '../auth/describe-refusal.ts';
import type { GuestConnection } from '../connection/guest-connection.ts';
import { describeError, isAnswer, isBrokenLine, isForgottenSession } from '../rules/failures.ts';
import { CANCEL_MS, LONGEST_POLL_MS, NO_TIMEOUT, POLL_MS, SHORTEST_POLL_MS } from '../rules/limits.ts';

export type Task = z.infer<typeof Task>;
export const Task = z.object({
  taskId: z.string(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  /** Milliseconds. */
  pollInterval: z.number().optional(),
});

/** Thrown if a task ended without a result; the message is for the model. */
export class TaskFailed extends Error {}

const SILENT = 'The server no longer reports the status of the task';
const UNKNOWN = 'Whether it took effect is unknown.';

export class TaskRequests {
  readonly #connection: GuestConnection;
  readonly #id: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** Aborted by the signal, or at the end of the connection. */
  readonly #over: AbortSignal;

  /** @param signal aborted when the caller stops waiting for the task; then everything except `cancel` rejects */
  constructor(connection: GuestConnection, taskId: string, clock: Clock, signal: AbortSignal) {
    const closed = new AbortController();
    void connection.lost.then(() => closed.abort());
    this.#connection = connection;
    this.#id = taskId;
    this.#clock = clock;
    this.#signal = signal;
    this.#over = AbortSignal.any([signal, closed.signal]);
  }

  /** @throws TaskFailed @throws Error if the connection is lost, or the signal is aborted */
  state(): Promise<Task> {
    return this.#request('tasks/get', Task);
  }

  /** Resolves when the task has ended. @throws TaskFailed @throws Error as `state` */
  result(): Promise<CallToolResult> {
    return this.#request('tasks/result', specTypeSchemas.CallToolResult);
  }

  /** Cancels the task if the server supports that. Never rejects. */
  async cancel(): Promise<void> {
    const { client, tasks } = this.#connection;
    if (!tasks?.cancellable) return;
    const late = new AbortController();
    const cancelTimer = this.#clock.after(CANCEL_MS, () => late.abort('no response'));
    try {
      await client.request({ method: 'tasks/cancel', params: { taskId: this.#id } }, JsonObject, {
        signal: late.signal,
        timeout: NO_TIMEOUT,
      });
    } catch {
      // The task has ended, or the server is unreachable: the result is not needed.
    } finally {
      cancelTimer();
    }
  }

  /** Waits as long as the server requests, within limits. @throws Error as `state` */
  async pause(wished = POLL_MS): Promise<void> {
    const ms = Math.min(Math.max(wished, SHORTEST_POLL_MS), LONGEST_POLL_MS);
    await pause(ms, { clock: this.#clock, signal: this.#over }).catch(() => {});
    this.#check();
  }

  /** Repeats the request while the connection fails, because the task continues until then. */
  async #request<Schema extends StandardSchemaV1>(
    method: string,
    schema: Schema,
  ): Promise<StandardSchemaV1.InferOutput<Schema>> {
    const { client, check } = this.#connection;
    for (;;) {
      this.#check();
      try {
        return await client.request({ method, params: { taskId: this.#id } }, schema, {
          signal: this.#over,
          timeout: NO_TIMEOUT,
        });
      } catch (error) {
        this.#check();
        const failure = await this.#failureOf(error);
        if (failure !== undefined) throw failure;
        void check();
        await this.pause();
      }
    }
  }

  /** Returns the error that ends the task here; undefined for a dropped connection. */
  async #failureOf(error: unknown): Promise<unknown> {
    const { auth, lose } = this.#connection;
    if (isForgottenSession(error)) {
      lose({ problem: 'the server ended the session', forgotten: true });
      return new TaskFailed(`The server ended the session and its task. ${UNKNOWN}`);
    }
    const refusal = await describeRefusal(error, auth);
    if (refusal !== undefined) return new TaskFailed(`${SILENT}: ${refusal}. ${UNKNOWN}`);
    if (isBrokenLine(error)) return undefined;
    if (!isAnswer(error)) return error;
    return new TaskFailed(`${SILENT}: ${describeError(error)}. It may have expired. ${UNKNOWN}`);
  }

  /** @throws Error if the caller has stopped waiting, or the connection has ended */
  #check(): void {
    this.#signal.throwIfAborted();
    if (this.#over.aborted) throw new SdkError(SdkErrorCode.ConnectionClosed, 'the connection was closed');
  }
}
