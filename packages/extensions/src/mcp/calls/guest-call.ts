/** A call of a tool of a guest: its progress, its time limit, and a sentence for every failure. */
import { type Clock, failure, type ToolContext, type ToolOutput } from '@chat-kernel/kernel';
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import type { Tool as DeclaredTool, Progress } from '@modelcontextprotocol/client';
import type { OpenCall } from '../asking/open-calls.ts';
import { refusalOf } from '../auth/refusal.ts';
import type { GuestConnection } from '../connection/guest-connection.ts';
import type { ListedTool } from '../listing/listing.ts';
import {
  isAnswer,
  isClosed,
  isForgottenSession,
  isQuestion,
  isUnwantedTask,
  reasonOf,
} from '../rules/failures.ts';
import { CALL_MS, cut, NO_TIMEOUT, PROGRESS_CHARS } from '../rules/limits.ts';
import { guestOutputOf } from './guest-output.ts';
import { ProgressDisplay } from './progress-display.ts';
import { callAsTask } from './task-call.ts';
import { TaskFailed } from './task-requests.ts';

/**
 * The members of the context that a call uses. Of them only the trace reaches the server, whose ids are random and say
 * nothing of chats (MCP-2).
 */
export type GuestCallContext = Pick<ToolContext, 'signal' | 'progress' | 'askOwner' | 'trace'>;

/** The server has forgotten the session and has not run the call: it can be made again on another connection. */
export class SessionForgotten extends Error {}

/** Calls a tool. Of all failures, only SessionForgotten is thrown: the output tells of the others. */
export async function callTool(
  connection: GuestConnection,
  { name, declared_schema, as_task }: ListedTool,
  input: JsonObject,
  { signal, progress, askOwner, trace }: GuestCallContext,
  clock: Clock,
): Promise<ToolOutput> {
  const { client, calls, auth, check, lost } = connection;
  const silence = new AbortController();
  let cancelTimer = () => {};
  let asking = 0;
  const waitAnew = () => {
    cancelTimer();
    if (asking > 0) return;
    cancelTimer = clock.after(CALL_MS, () => silence.abort(`no answer within ${CALL_MS / 1000} s`));
  };
  const display = new ProgressDisplay(progress, clock);
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
    // Where traces go in MCP, whatever the wire.
    const params = { name, arguments: input, ...(trace && { _meta: { ...trace } }) };
    const over = AbortSignal.any([signal, silence.signal]);
    const plain = () =>
      client.callTool(params, {
        signal: over,
        timeout: NO_TIMEOUT,
        onprogress(step) {
          waitAnew();
          display.show(textOf(step));
        },
        // The output schema is left out: the model may read results that do not fit it.
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
          if (statusMessage && statusMessage !== said) display.show(cut(statusMessage, PROGRESS_CHARS));
          said = statusMessage;
        },
      });
    };
    const result = await calls.run(call, as_task ? asTask : plain);
    return guestOutputOf(result);
  } catch (error) {
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    if (silence.signal.aborted) {
      return failure(
        `The server gave no answer and no sign of progress for ${CALL_MS / 1000} s. The call was cancelled; whether it took effect is unknown.`,
      );
    }
    if (error instanceof TaskFailed) return failure(error.message);
    if (isForgottenSession(error)) throw new SessionForgotten(undefined, { cause: error });
    const refusal = await refusalOf(error, auth);
    if (refusal !== undefined) {
      void check();
      return failure(`The call was not made: the server refuses it, for ${refusal}.`);
    }
    if (isAnswer(error)) return failure(`The server refused the call: ${reasonOf(error)}`);
    if (isUnwantedTask(error)) {
      return failure(
        'The server made a task of the call, which cannot be followed in its revision of the protocol. Whether it took effect is unknown.',
      );
    }
    if (isQuestion(error)) {
      return failure(
        'The server asked for something in return (a model or folders) which it cannot have here.',
      );
    }
    const reason = isClosed(error) ? (await lost).problem : reasonOf(error);
    void check();
    return failure(`The call failed on its way: ${reason}. Whether it took effect is unknown.`);
  } finally {
    // Questions of the call end with it.
    asking += 1;
    silence.abort();
    cancelTimer();
    display.close();
  }
}

function textOf({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message ? `${cut(message, PROGRESS_CHARS)} (${count})` : count;
}
