/** The one turn: its message, its stream, and the hands that work for it. */
import {
  type Approve,
  allowReads,
  denyAll,
  HandsRunner,
  type KernelClient,
  type StartedTurn,
  type TurnRequest,
  type TurnStream,
} from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import { Answer } from './answer.ts';
import { cancelOnSignal } from './cancel.ts';
import { EXIT, exitOf } from './exit.ts';
import type { AskOptions } from './options.ts';
import { progressOf } from './progress.ts';

export class AskedTurn {
  /** Settles when the message is stored. */
  readonly started: Promise<StartedTurn>;
  readonly #client: KernelClient;
  readonly #chatId: string;
  readonly #options: AskOptions;
  readonly #runner: HandsRunner | undefined;
  readonly #stream: TurnStream;
  readonly #progress: ReturnType<typeof progressOf>;

  constructor(client: KernelClient, chatId: string, message: TurnRequest, options: AskOptions) {
    this.#client = client;
    this.#chatId = chatId;
    this.#options = options;
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
      onConnection: connection => {
        this.#progress(connection);
        // What was asked while the line was broken waits.
        if (connection.state === 'open') this.#runner?.catchUp(chatId).catch(error => say(error.message));
      },
    });
    this.started = this.#stream.started;
  }

  /** Reads to the end. @returns an exit code of `EXIT` @throws ConnectionLost */
  async follow(): Promise<number> {
    const { json } = this.#options;
    const answer = json ? { take: writeJson, end() {} } : new Answer(write);
    if (json) writeJson({ type: 'started', chat_id: this.#chatId, ...(await this.started) });
    const watch = cancelOnSignal(this.#client, this.#chatId, say);
    let exit: number = EXIT.unreachable;
    try {
      for await (const event of this.#stream) {
        watch.take(event);
        this.#runner?.take(this.#chatId, event);
        this.#progress(event);
        answer.take(event);
        if (event.type === 'error') say(`chat-kernel ask: ${event.message}`);
        if (event.type === 'done') exit = exitOf(event.status, watch.asked);
      }
      answer.end();
      return exit;
    } finally {
      watch.stop();
      this.#runner?.close();
    }
  }
}

function runnerOf(client: KernelClient, { hands, workdir }: AskOptions): HandsRunner | undefined {
  if (hands === 'none') return undefined;
  const allowAll: Approve = () => 'allow';
  const approve = hands === 'all' ? allowAll : allowReads(workdir, denyAll);
  const within = hands === 'all' ? ['/'] : [workdir];
  return new HandsRunner(client, { hands: nodeHands({ workdir, within }), approve });
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const write = (piece: string): void => void process.stdout.write(piece);
const writeJson = (value: object): void => write(`${JSON.stringify(value)}\n`);
