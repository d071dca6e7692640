/**
 * Makes a call that the server runs as a task (revisions of 2025): starts it, polls it until it has ended, and cancels
 * it if the caller has stopped waiting.
 */
import type { Clock } from '@chat-kernel/kernel';
import { JsonObject } from '@chat-kernel/protocol';
import { type CallToolResult, specTypeSchemas } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { GuestConnection } from '../connection/guest-connection.ts';
import { CANCEL_MS, cut, NO_TIMEOUT, SENTENCE_CHARS } from '../rules/limits.ts';
import { Task, TaskFailed, TaskRequests } from './task-requests.ts';

const Begun = z.object({ task: Task });

interface TaskWaiting {
  clock: Clock;
  /** Aborted when the caller stops waiting for the result. */
  signal: AbortSignal;
  /** Called after each status of the task from the server. */
  onStep(task: Readonly<Task>): void;
}

/**
 * @param params of tools/call
 * @throws TaskFailed
 * @throws Error as for a plain call: no task was started, the connection is lost, or the signal is aborted
 */
export async function callAsTask(
  connection: GuestConnection,
  params: JsonObject,
  waiting: TaskWaiting,
): Promise<CallToolResult> {
  const answer = await begin(connection, params, waiting);
  const begun = Begun.safeParse(answer);
  // Some servers reject the input with a result, before they create a task.
  if (!begun.success) return resultIn(answer);
  const { task } = begun.data;
  const requests = new TaskRequests(connection, task.taskId, waiting.clock, waiting.signal);
  return follow(task, requests, waiting);
}

/**
 * Waits briefly for the start, because a task that starts while its call is canceled would otherwise continue
 * unnoticed.
 */
async function begin(
  { client }: GuestConnection,
  params: JsonObject,
  { clock, signal }: TaskWaiting,
): Promise<JsonObject> {
  const late = new AbortController();
  let cancelTimer = () => {};
  const wait = () => {
    cancelTimer = clock.after(CANCEL_MS, () => late.abort(signal.reason));
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', wait);
  try {
    const options = { signal: late.signal, timeout: NO_TIMEOUT };
    return await client.request(
      { method: 'tools/call', params: { ...params, task: {} } },
      JsonObject,
      options,
    );
  } finally {
    signal.removeEventListener('abort', wait);
    cancelTimer();
  }
}

async function follow(
  begun: Task,
  requests: TaskRequests,
  { signal, onStep }: TaskWaiting,
): Promise<CallToolResult> {
  let task = begun;
  let result: Promise<CallToolResult> | undefined;
  try {
    for (;;) {
      signal.throwIfAborted();
      onStep(task);
      if (hasEnded(task)) break;
      if (task.status === 'input_required' && result === undefined) {
        // Servers send their questions before this answer.
        result = requests.result();
        result.catch(() => {
          result = undefined;
        });
      }
      await requests.pause(task.pollInterval);
      task = await requests.state();
    }
  } finally {
    if (!hasEnded(task)) await requests.cancel();
  }
  const { status, statusMessage } = task;
  if (status === 'cancelled') throw new TaskFailed(sentence('The server canceled the task', statusMessage));
  try {
    const output = await (result ?? requests.result());
    return status === 'failed' ? { ...output, isError: true } : output;
  } catch (error) {
    // A failed task may have no result.
    if (status !== 'failed' || !(error instanceof TaskFailed)) throw error;
    throw new TaskFailed(sentence('The task failed', statusMessage));
  }
}

const hasEnded = ({ status }: Task): boolean => status !== 'working' && status !== 'input_required';

/** @throws TaskFailed */
function resultIn(answer: JsonObject): CallToolResult {
  const read = specTypeSchemas.CallToolResult['~standard'].validate(answer);
  if (read.issues !== undefined) throw new TaskFailed('The server returned neither a task nor a result.');
  return read.value;
}

const sentence = (what: string, why: string | undefined): string =>
  why ? `${what}: ${cut(why, SENTENCE_CHARS)}` : `${what}.`;
