/** The one turn: its message, its stream, and the hands that work for it. */
import type {
  HandsRunner,
  KernelClient,
  StartedTurn,
  TurnEvent,
  TurnRequest,
  TurnStream,
} from '@chat-kernel/client';
import { EXIT, exitOf } from '../program/exit-codes.ts';
import { say } from '../program/say.ts';
import { Answer } from './answer.ts';
import { runnerOf } from './hands.ts';
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
  /** It runs: it waits behind no other, and does not sleep. */
  #begun = false;

  /** @param interruption aborted: the turn is cancelled, or given up where that is not possible */
  constructor(
    client: KernelClient,
    chatId: string,
    message: TurnRequest,
    options: AskOptions,
    interruption: AbortSignal,
  ) {
    this.#client = client;
    this.#chatId = chatId;
    this.#options = options;
    this.#interruption = interruption;
    this.#runner = runnerOf(client, options);
    this.#progress = options.quiet ? () => {} : progressOf(say);
    const { model, effort } = options;
    const request: TurnRequest = {
      ...message,
      ...(model && { model }),
      ...(effort && { effort }),
      ...this.#runner?.turnFields,
      questions: false,
    };
    this.#stream = client.turn(chatId, request, {
      signal: this.#leaving.signal,
      onConnection: connection => {
        this.#progress(connection);
        // What was asked while the line was broken waits.
        if (connection.state === 'open') this.#runner?.catchUp(chatId).catch(error => say(error.message));
      },
    });
    this.started = this.#stream.started;
    if (interruption.aborted) this.#interrupt();
    else interruption.addEventListener('abort', this.#interrupt, { once: true });
  }

  /** Reads to the end. @returns an exit code of `EXIT` @throws ConnectionLost, Interrupted */
  async follow(): Promise<number> {
    const started = await this.started;
    this.#stored = true;
    const { json } = this.#options;
    const answer = json ? { take: writeJson, end() {} } : new Answer(write);
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

  /** Nothing is done any more for this turn here. */
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
    // A turn in the queue can't be cancelled alone, and the one that runs is another's.
    const others = chat !== undefined && !this.#begun;
    if (!this.#stored || others) this.#leave();
    else this.#cancel(chat === undefined);
  };

  /** @param queued also while it waits: nothing else is in a chat of its own */
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
/** The controls that JSON leaves as they are would steer a terminal. */
const writeJson = (value: object): void =>
  write(
    `${JSON.stringify(value).replace(/[\u007f-\u009f]/g, each => `\\u00${each.charCodeAt(0).toString(16)}`)}\n`,
  );
