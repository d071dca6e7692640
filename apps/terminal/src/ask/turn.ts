/** Runs the turn of `ask`: sends the message, follows the stream, and runs its operations. */

import { stripVTControlCharacters } from 'node:util';
import {
  factsOfNote,
  type HandsRunner,
  type Item,
  type KernelClient,
  type StartedTurn,
  type TurnEvent,
  type TurnRequest,
  type TurnStream,
} from '@chat-kernel/client';
import { toMachineField } from '../machine/hands-policy.ts';
import { EXIT, toExitCode } from '../program/exit-codes.ts';
import { printError } from '../program/print-error.ts';
import type { AskOptions } from './options.ts';
import { createProgressPrinter } from './progress.ts';

interface Asked {
  client: KernelClient;
  chatId: string;
  message: TurnRequest;
  runner: HandsRunner | undefined;
  options: AskOptions;
  /** Cancels the turn when aborted, or leaves it if that is not possible. */
  interruption: AbortSignal;
}

export class AskedTurn {
  /** Settles when the message is stored. */
  readonly started: Promise<StartedTurn>;
  readonly #asked: Asked;
  readonly #stream: TurnStream;
  readonly #leaving = new AbortController();
  readonly #progress: ReturnType<typeof createProgressPrinter>;
  /** Printed notes: a stream may replay its turn. */
  readonly #notes = new Set<string>();
  #stored = false;
  /** Whether the turn has started: it is neither queued nor asleep. */
  #begun = false;

  constructor(asked: Asked) {
    const { client, chatId, message, runner, options, interruption } = asked;
    this.#asked = asked;
    this.#progress = options.quiet ? () => {} : createProgressPrinter(printError);
    const { model, effort, hands } = options;
    const request: TurnRequest = {
      ...message,
      ...(model && { model }),
      ...(effort && { effort }),
      ...runner?.turnFields,
      machine: toMachineField(hands),
      questions: false,
    };
    this.#stream = client.turn(chatId, request, {
      signal: this.#leaving.signal,
      onConnection: connection => {
        this.#progress(connection);
        // Operations that were requested while disconnected are still pending.
        if (connection.state === 'open') runner?.catchUp(chatId).catch(error => printError(error.message));
      },
    });
    this.started = this.#stream.started;
    if (interruption.aborted) this.#interrupt();
    else interruption.addEventListener('abort', this.#interrupt, { once: true });
  }

  /** Follows the turn to its end. @returns an exit code of `EXIT` @throws RetriesExhaustedError, Interrupted */
  async follow(): Promise<number> {
    const started = await this.started;
    this.#stored = true;
    const { json } = this.#asked.options;
    const answer = json ? { take: writeJson, end() {} } : new AnswerWriter(write);
    if (json) writeJson({ type: 'started', chat_id: this.#asked.chatId, ...started });
    let exit: number = EXIT.unreachable;
    try {
      for await (const event of this.#stream) {
        this.#take(event);
        answer.take(event);
        if (event.type === 'done') exit = toExitCode(event.status, this.#asked.interruption.aborted);
      }
      return exit;
    } finally {
      answer.end();
    }
  }

  /** Ends the stream and the hands. */
  close(): void {
    this.#asked.interruption.removeEventListener('abort', this.#interrupt);
    this.#leaving.abort();
    this.#asked.runner?.close();
  }

  #take(event: TurnEvent): void {
    this.#begun ||= event.type !== 'queued' && event.type !== 'sleeping';
    this.#asked.runner?.take(this.#asked.chatId, event);
    this.#progress(event);
    if (event.type === 'item_completed') this.#takeItem(event.item);
    if (event.type === 'error') printError(`chat-kernel ask: ${event.message}`);
  }

  /** The notes on a reply explain what stdout lacks, so they are printed even with --quiet. */
  #takeItem(item: Item): void {
    if (item.kind !== 'machine_note' || !factsOfNote(item.note)?.isAboutReply) return;
    if (this.#notes.has(item.id)) return;
    this.#notes.add(item.id);
    printError(`chat-kernel ask: ${item.text}`);
  }

  readonly #interrupt = (): void => {
    const { chat } = this.#asked.options;
    // A single queued turn can't be canceled, and the running one belongs to another client.
    const others = chat !== undefined && !this.#begun;
    if (!this.#stored || others) this.#leave();
    else this.#cancel(chat === undefined);
  };

  /** @param queued also cancels a queued turn: the chat was created for it and has no other */
  #cancel(queued: boolean): void {
    this.#asked.client.cancelTurn(this.#asked.chatId, { queued }).then(
      ({ cancelled }) => {
        if (!cancelled) this.#leave();
      },
      error => printError(`chat-kernel ask: ${error.message}`),
    );
  }

  #leave(): void {
    this.#leaving.abort(this.#asked.interruption.reason);
  }
}

const write = (piece: string): void => void process.stdout.write(piece);
/** Escapes control characters that JSON does not, because they act on a terminal. */
const writeJson = (value: object): void =>
  write(
    `${JSON.stringify(value).replace(/[\u007f-\u009f]/g, each => `\\u00${each.charCodeAt(0).toString(16)}`)}\n`,
  );

/** Writes the text of the answer as it streams, each character once. */
class AnswerWriter {
  readonly #write: (piece: string) => void;
  /** Characters received since the start or last reset of the turn. */
  #received = 0;
  /** Characters written: text that is sent again after a reset is not written again. */
  #written = 0;
  #gap = false;
  #last = '';

  constructor(write: (piece: string) => void) {
    this.#write = write;
  }

  take(event: TurnEvent): void {
    switch (event.type) {
      case 'text_delta':
        this.#takeText(event.text);
        return;
      case 'tool_call':
        this.#gap = this.#received > 0;
        return;
      case 'reset':
        this.#received = 0;
        this.#gap = false;
        return;
    }
  }

  /** Ends the last line if the text does not. */
  end(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#write('\n');
  }

  #takeText(text: string): void {
    const before = this.#received;
    this.#received += text.length;
    const fresh = text.slice(Math.max(0, this.#written - before));
    if (fresh === '') return;
    this.#written = this.#received;
    // Text before and after a tool call is separate paragraphs.
    const gap = this.#gap && this.#last !== '' ? '\n'.repeat(2 - countTrailingNewlines(this.#last)) : '';
    this.#gap = false;
    this.#last = fresh.length > 1 ? fresh : this.#last.slice(-1) + fresh;
    this.#write(gap + shown(fresh));
  }
}

/** Counts the newlines at the end of a text, at most 2. */
const countTrailingNewlines = (text: string): number => /\n{0,2}$/.exec(text)?.[0].length ?? 0;

/** Programs get the raw text; a terminal gets no control characters. */
const shown = (text: string): string =>
  process.stdout.isTTY ? stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '') : text;
