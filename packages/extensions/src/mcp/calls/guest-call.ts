/** One call of a guest's tool: what is shown meanwhile, how long it may take, and how every failure reads. */
import type { Clock, ToolContext, ToolOutput } from '@chat-kernel/kernel';
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import type { Tool as DeclaredTool, Progress } from '@modelcontextprotocol/client';
import type { Connection } from '../connection/guest-connection.ts';
import { isAnswer, isClosed, isForgottenSession, isQuestion, reasonOf } from '../rules/failures.ts';
import { CALL_MS, cut, NO_TIMEOUT, PROGRESS_CHARS, PROGRESS_EVERY_MS } from '../rules/limits.ts';
import type { ListedTool } from '../listing/listing.ts';
import { outputOf } from './guest-output.ts';

/** All that a call needs of its turn; nothing of the turn reaches the server (MCP-2). */
export type CallContext = Pick<ToolContext, 'signal' | 'progress'>;

/** The server has forgotten the session: the call did not take place, and can be made again on another connection. */
export class SessionForgotten extends Error {}

/** @throws SessionForgotten; whatever else goes wrong is an output that says so */
export async function callTool(
  { client, check, lost }: Connection,
  { name, declared_schema }: ListedTool,
  input: JsonObject,
  { signal, progress }: CallContext,
  clock: Clock,
): Promise<ToolOutput> {
  const silence = new AbortController();
  let stopWatch = () => {};
  const watch = () => {
    stopWatch();
    stopWatch = clock.after(CALL_MS, () => silence.abort(`no answer within ${CALL_MS / 1000} s`));
  };
  const display = new Display(progress, clock);
  watch();
  try {
    const result = await client.callTool(
      { name, arguments: input },
      {
        signal: AbortSignal.any([signal, silence.signal]),
        timeout: NO_TIMEOUT,
        onprogress(step) {
          watch();
          display.show(textOf(step));
        },
        // Without an output schema: what a model reads is not judged by what the server promised of it.
        toolDefinition: { name, inputSchema: declared_schema } as DeclaredTool,
      },
    );
    return outputOf(result);
  } catch (error) {
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    if (silence.signal.aborted) {
      return failure(
        `The server gave no answer and no sign of progress for ${CALL_MS / 1000} s. The call was cancelled; whether it took effect is unknown.`,
      );
    }
    if (isForgottenSession(error)) throw new SessionForgotten(undefined, { cause: error });
    if (isAnswer(error)) return failure(`The server refused the call: ${reasonOf(error)}`);
    if (isQuestion(error)) {
      return failure(
        'The server asked for something in return (an input, a model or folders), which it cannot have here.',
      );
    }
    const reason = isClosed(error) ? (await lost).problem : reasonOf(error);
    void check();
    return failure(`The call failed on its way: ${reason}. Whether it took effect is unknown.`);
  } finally {
    stopWatch();
    display.close();
  }
}

/** The last of the snapshots, and not too many of them. */
class Display {
  readonly #show: (text: string) => void;
  readonly #clock: Clock;
  #next: string | undefined;
  #resting = false;
  #closed = false;

  constructor(show: (text: string) => void, clock: Clock) {
    this.#show = show;
    this.#clock = clock;
  }

  show(text: string): void {
    this.#next = text;
    if (!this.#resting) this.#flush();
  }

  close(): void {
    this.#closed = true;
  }

  #flush(): void {
    this.#resting = false;
    if (this.#next === undefined || this.#closed) return;
    this.#show(this.#next);
    this.#next = undefined;
    this.#resting = true;
    this.#clock.after(PROGRESS_EVERY_MS, () => this.#flush());
  }
}

function textOf({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message ? `${cut(message, PROGRESS_CHARS)} (${count})` : count;
}

const failure = (output: string): ToolOutput => ({ output, is_error: true });
