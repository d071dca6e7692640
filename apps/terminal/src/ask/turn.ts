/** The turn of `ask`: its message, its stream, and the hands that work for it. */
import type {
  HandsRunner,
  KernelClient,
  StartedTurn,
  TurnEvent,
  TurnRequest,
  TurnStream,
} from '@chat-kernel/client';
import { machineOf } from '../machine/hands-policy.ts';
import { EXIT, exitOf } from '../program/exit-codes.ts';
import { say } from '../program/say.ts';
import { AnswerWriter } from './answer.ts';
import type { AskOptions } from './options.ts';
import { progressOf } from './progress.ts';

export class AskedTurn {
  /** Settles when the message is stored. */
  readonly started: Promise<StartedTurn>;
  readonly #client: KernelClient;
  readonly #chatId: string;
  readonly #options: AskOptions;
  readonly #interruption: AbortSignal;
  readonly #runner: HandsRunner | undefined;
  readonly #stream: TurnStream;
  readonly #leaving = new AbortController();
  readonly #progress: ReturnType<typeof progressOf>;
  #stored = false;
  /** The turn has run: it waits behind no other, and does not sleep. */
  #begun = false;

  /** @param interruption cancels the turn when it is aborted, or leaves it where that is not possible */
  constructor(
    client: KernelClient,
    chatId: string,
    message: TurnRequest,
    runner: HandsRunner | undefined,
    options: AskOptions,
    interruption: AbortSignal,
  ) {
    this.#client = client;
    this.#chatId = chatId;
    this.#options = options;
    this.#interruption = interruption;
    this.#runner = runner;
    this.#progress = options.quiet ? () => {} : progressOf(say);
    const { model, effort, hands } = options;
    const request: TurnRequest = {
      ...message,
      ...(model && { model }),
      ...(effort && { effort }),
      ...this.#runner?.turnFields,
      machine: machineOf(hands),
      questions: false,
    };
    this.#stream = client.turn(chatId, request, {
      signal: this.#leaving.signal,
      onConnection: connection => {
        this.#progress(connection);
        // Operations that were asked for while there was no connection still wait.
        if (connection.state === 'open') this.#runner?.catchUp(chatId).catch(error => say(error.message));
      },
    });
    this.started = this.#stream.started;
    if (interruption.aborted) this.#interrupt();
    else interruption.addEventListener('abort', this.#interrupt, { once: true });
  }

  /** Follows the turn to its end. @returns an exit code of `EXIT` @throws ConnectionLost, Interrupted */
  async follow(): Promise<number> {
    const started = await this.started;
    this.#stored = true;
    const { json } = this.#options;
    const answer = json ? { take: writeJson, end() {} } : new AnswerWriter(write);
    if (json) writeJson({ type: 'started', chat_id: this.#chatId, ...started });
    let exit: number = EXIT.unreachable;
    try {
      for await (const event of this.#stream) {
        this.#take(event);
        answer.take(event);
        if (event.type === 'done') exit = exitOf(event.status, this.#interruption.aborted);
      }
      return exit;
    } finally {
      answer.end();
    }
  }

  /** Ends the stream and the hands. */
  close(): void {
    this.#interruption.removeEventListener('abort', this.#interrupt);
    this.#leaving.abort();
    this.#runner?.close();
  }

  #take(event: TurnEvent): void {
    this.#begun ||= event.type !== 'queued' && event.type !== 'sleeping';
    this.#runner?.take(this.#chatId, event);
    this.#progress(event);
    if (event.type === 'error') say(`chat-kernel ask: ${event.message}`);
  }

  readonly #interrupt = (): void => {
    const { chat } = this.#options;
    // A single turn in the queue can't be cancelled, and the running one belongs to somebody else.
    const others = chat !== undefined && !this.#begun;
    if (!this.#stored || others) this.#leave();
    else this.#cancel(chat === undefined);
  };

  /** @param queued also cancels a turn that waits: the chat was created for it, and has no other */
  #cancel(queued: boolean): void {
    this.#client.cancelTurn(this.#chatId, { queued }).then(
      ({ cancelled }) => {
        if (!cancelled) this.#leave();
      },
      error => say(`chat-kernel ask: ${error.message}`),
    );
  }

  #leave(): void {
    this.#leaving.abort(this.#interruption.reason);
  }
}

const write = (piece: string): void => void process.stdout.write(piece);
/** JSON leaves some control characters as they are; escaped, they cannot steer a terminal. */
const writeJson = (value: object): void =>
  write(
    `${JSON.stringify(value).replace(/[\u007f-\u009f]/g, each => `\\u00${each.charCodeAt(0).toString(16)}`)}\n`,
  );
