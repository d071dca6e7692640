/** Calls a tool of a guest, with progress and a time limit, and describes every failure in a sentence. */
import { Throttle } from '@chat-kernel/base';
import { type Clock, currentTrace, failure, type ToolContext, type ToolOutput } from '@chat-kernel/kernel';
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import type { Tool as DeclaredTool, Progress } from '@modelcontextprotocol/client';
import type { OpenCall } from '../asking/open-calls.ts';
import { describeRefusal } from '../auth/describe-refusal.ts';
import type { GuestConnection } from '../connection/guest-connection.ts';
import type { ListedTool } from '../listing/listing.ts';
import {
  describeError,
  isAnswer,
  isClosed,
  isForgottenSession,
  isQuestion,
  isUnwantedTask,
} from '../rules/failures.ts';
import { CALL_MS, cut, NO_TIMEOUT, PROGRESS_CHARS, PROGRESS_EVERY_MS } from '../rules/limits.ts';
import { toToolOutput } from './guest-output.ts';
import { callAsTask } from './task-call.ts';
import { TaskFailed } from './task-requests.ts';

/**
 * The members of the context that a call uses, which stay in the kernel. The server receives the trace, whose ids are
 * random and reveal nothing about chats (MCP-2).
 */
export type GuestCallContext = Pick<ToolContext, 'signal' | 'progress' | 'askOwner'>;

/** Thrown if the server has lost the session and has not run the call, which can be retried on another connection. */
export class SessionForgotten extends Error {}

/** Calls a tool. Throws only SessionForgotten; all other failures are in the output. */
export async function callTool(
  connection: GuestConnection,
  { name, declared_schema, as_task }: ListedTool,
  input: JsonObject,
  { signal, progress, askOwner }: GuestCallContext,
  clock: Clock,
): Promise<ToolOutput> {
  const { client, calls, auth, check, lost } = connection;
  const silence = new AbortController();
  let cancelTimer = () => {};
  let asking = 0;
  const waitAnew = () => {
    cancelTimer();
    if (asking > 0) return;
    cancelTimer = clock.after(CALL_MS, () => silence.abort(`no response within ${CALL_MS / 1000} s`));
  };
  const display = new Throttle(PROGRESS_EVERY_MS, clock, progress);
  waitAnew();
  const call: OpenCall = {
    async ask(question, unwanted) {
      asking += 1;
      // The server waits for the owner, who may take a day.
      cancelTimer();
      try {
        return await askOwner(question, AbortSignal.any([silence.signal, unwanted]));
      } finally {
        asking -= 1;
        waitAnew();
      }
    },
  };
  try {
    // The location of traces in MCP on every transport.
    const trace = currentTrace();
    const params = { name, arguments: input, ...(trace && { _meta: { ...trace } }) };
    const over = AbortSignal.any([signal, silence.signal]);
    const plain = () =>
      client.callTool(params, {
        signal: over,
        timeout: NO_TIMEOUT,
        onprogress(step) {
          waitAnew();
          display.put(formatProgress(step));
        },
        // The output schema is left out, because the model may also read results that do not match it.
        toolDefinition: { name, inputSchema: declared_schema } as DeclaredTool,
      });
    const asTask = () => {
      let said: string | undefined;
      return callAsTask(connection, params, {
        clock,
        signal: over,
        onStep({ taskId, statusMessage }) {
          waitAnew();
          call.task = taskId;
          if (statusMessage && statusMessage !== said) display.put(cut(statusMessage, PROGRESS_CHARS));
          said = statusMessage;
        },
      });
    };
    const result = await calls.run(call, as_task ? asTask : plain);
    return toToolOutput(result);
  } catch (error) {
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    if (silence.signal.aborted) {
      return failure(
        `The server sent no response and no progress for ${CALL_MS / 1000} s. The call was canceled; whether it took effect is unknown.`,
      );
    }
    if (error instanceof TaskFailed) return failure(error.message);
    if (isForgottenSession(error)) throw new SessionForgotten(undefined, { cause: error });
    const refusal = await describeRefusal(error, auth);
    if (refusal !== undefined) {
      void check();
      return failure(`The call was not made. The server rejected it: ${refusal}.`);
    }
    if (isAnswer(error)) return failure(`The server rejected the call: ${describeError(error)}`);
    if (isUnwantedTask(error)) {
      return failure(
        'The server turned the call into a task, which its protocol version does not allow to follow. Whether it took effect is unknown.',
      );
    }
    if (isQuestion(error)) {
      return failure('The server requested sampling or roots, which this client does not support.');
    }
    const reason = isClosed(error) ? (await lost).problem : describeError(error);
    void check();
    return failure(`The connection failed during the call: ${reason}. Whether it took effect is unknown.`);
  } finally {
    // The questions of the call end with it.
    asking += 1;
    silence.abort();
    cancelTimer();
    display.stop();
  }
}

function formatProgress({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message ? `${cut(message, PROGRESS_CHARS)} (${count})` : count;
}
