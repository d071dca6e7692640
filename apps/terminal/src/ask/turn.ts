/** Runs the turn of `ask`: sends the message, follows the stream, and runs its operations. */
import { stripVTControlCharacters } from 'node:util';
import {
  factsOfNote,
  type HandsRunner,
  type Item,
  type KernelClient,
  type TurnEvent,
  type TurnRequest,
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

export function askTurn({ client, chatId, message, runner, options, interruption }: Asked) {
  const { model, effort, hands, chat, json, quiet } = options;
  const leaving = new AbortController();
  const progress = quiet ? () => {} : createProgressPrinter(printError);
  /** Printed notes: a stream may replay its turn. */
  const notes = new Set<string>();
  let isStored = false;
  /** Whether the turn has started: it is neither queued nor asleep. */
  let hasBegun = false;

  const request: TurnRequest = {
    ...message,
    ...(model && { model }),
    ...(effort && { effort }),
    ...runner?.turnFields,
    machine: toMachineField(hands),
    questions: false,
  };
  const stream = client.turn(chatId, request, {
    signal: leaving.signal,
    onConnection: connection => {
      progress(connection);
      // Operations that were requested while disconnected are still pending.
      if (connection.state === 'open') runner?.catchUp(chatId).catch(error => printError(error.message));
    },
  });

  /** The notes on a reply explain what stdout lacks, so they are printed even with --quiet. */
  const takeItem = (item: Item): void => {
    if (item.kind !== 'machine_note' || !factsOfNote(item.note)?.isAboutReply || notes.has(item.id)) return;
    notes.add(item.id);
    printError(`chat-kernel ask: ${item.text}`);
  };

  const take = (event: TurnEvent): void => {
    hasBegun ||= event.type !== 'queued' && event.type !== 'sleeping';
    runner?.take(chatId, event);
    progress(event);
    if (event.type === 'item_completed') takeItem(event.item);
    if (event.type === 'error') printError(`chat-kernel ask: ${event.message}`);
  };

  const leave = (): void => leaving.abort(interruption.reason);

  const interrupt = (): void => {
    // A single queued turn can't be canceled, and the running one belongs to another client.
    if (!isStored || (chat !== undefined && !hasBegun)) return void leave();
    // A new chat was created for its turn, which may be queued, and has no other.
    client.cancelTurn(chatId, { queued: chat === undefined }).then(
      ({ cancelled }) => {
        if (!cancelled) leave();
      },
      error => printError(`chat-kernel ask: ${error.message}`),
    );
  };
  if (interruption.aborted) interrupt();
  else interruption.addEventListener('abort', interrupt, { once: true });

  return {
    /** Settles when the message is stored. */
    started: stream.started,

    /** Follows the turn to its end. @returns an exit code of `EXIT` @throws RetriesExhaustedError, Interrupted */
    async follow(): Promise<number> {
      const started = await stream.started;
      isStored = true;
      const answer = json ? { take: writeJson, end() {} } : answerWriter(write);
      if (json) writeJson({ type: 'started', chat_id: chatId, ...started });
      let exit: number = EXIT.unreachable;
      try {
        for await (const event of stream) {
          take(event);
          answer.take(event);
          if (event.type === 'done') exit = toExitCode(event.status, interruption.aborted);
        }
        return exit;
      } finally {
        answer.end();
      }
    },

    /** Ends the stream and the hands. */
    close(): void {
      interruption.removeEventListener('abort', interrupt);
      leaving.abort();
      runner?.close();
    },
  };
}

const write = (piece: string): void => void process.stdout.write(piece);
/** Escapes control characters that JSON does not, because they act on a terminal. */
const writeJson = (value: object): void =>
  write(
    `${JSON.stringify(value).replace(/[\u007f-\u009f]/g, each => `\\u00${each.charCodeAt(0).toString(16)}`)}\n`,
  );

/** Writes the text of the answer as it streams, each character once. */
function answerWriter(write: (piece: string) => void) {
  /** Characters received since the start or last reset of the turn. */
  let received = 0;
  /** Characters written: text that is sent again after a reset is not written again. */
  let written = 0;
  let hasGap = false;
  let last = '';

  const takeText = (text: string): void => {
    const before = received;
    received += text.length;
    const fresh = text.slice(Math.max(0, written - before));
    if (fresh === '') return;
    written = received;
    // Text before and after a tool call is separate paragraphs.
    const gap = hasGap && last !== '' ? '\n'.repeat(2 - countTrailingNewlines(last)) : '';
    hasGap = false;
    last = fresh.length > 1 ? fresh : last.slice(-1) + fresh;
    write(gap + shown(fresh));
  };

  return {
    take(event: TurnEvent): void {
      if (event.type === 'text_delta') takeText(event.text);
      else if (event.type === 'tool_call') hasGap = received > 0;
      else if (event.type === 'reset') {
        received = 0;
        hasGap = false;
      }
    },

    /** Ends the last line if the text does not. */
    end(): void {
      if (last !== '' && !last.endsWith('\n')) write('\n');
    },
  };
}

/** Counts the newlines at the end of a text, at most 2. */
const countTrailingNewlines = (text: string): number => /\n{0,2}$/.exec(text)?.[0].length ?? 0;

/** Programs get the raw text; a terminal gets no control characters. */
const shown = (text: string): string =>
  process.stdout.isTTY ? stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '') : text;
