/** `chat-kernel ask`: one turn for scripts. The answer goes to stdout, other output to stderr; the exit code is the outcome. */
import {
  ConnectionError,
  KernelApiError,
  KernelClient,
  OwnUploads,
  RetriesExhaustedError,
  type TurnRequest,
} from '@chat-kernel/client';
import { newChatFields } from '../machine/hands-policy.ts';
import { upload } from '../machine/upload.ts';
import { EXIT } from '../program/exit-codes.ts';
import { printError } from '../program/print-error.ts';
import { createRunner, describeRemoteMachine, runnerElsewhere } from './hands-runner.ts';
import type { AskOptions } from './options.ts';
import { askTurn } from './turn.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Time without input after which a line says what the program waits for. */
const SILENT_MS = 3000;

/** Returns '' if stdin is a terminal. @throws Error for more than 16 MiB, or the reason of the signal */
async function readInput(signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const hint = setTimeout(
    () => printError('chat-kernel ask: Reading stdin until it ends. To send no input, add < /dev/null.'),
    SILENT_MS,
  );
  const leave = () => stdin.destroy(signal.reason);
  signal.addEventListener('abort', leave);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of stdin) {
      clearTimeout(hint);
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw new Error('stdin is longer than 16 MiB. Attach it with --file.');
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    clearTimeout(hint);
    signal.removeEventListener('abort', leave);
  }
}

export { HANDS } from '../machine/hands-policy.ts';
export type { AskOptions } from './options.ts';

/** Never rejects for failures of the kernel or the network. @returns an exit code of `EXIT` */
export async function ask(options: AskOptions): Promise<number> {
  const { signal, stop } = watchSignals();
  try {
    const input = await readInput(signal);
    const text = options.text ?? input;
    if (text.trim() === '') throw new Error('No prompt. Pass it as an argument or on stdin.');
    const context = options.text !== undefined && input.trim() !== '' ? { context: input } : {};
    const client = new KernelClient(options);
    const uploads = new OwnUploads();
    const files = await Promise.all(options.files.map(path => upload(client, path, uploads, { signal })));
    return await runTurn(client, { text, ...context, files }, options, { signal, uploads });
  } catch (error) {
    const { exit, sentence } = describeFailure(error, options.url);
    if (sentence !== undefined) printError(`chat-kernel ask: ${sentence}`);
    return exit;
  } finally {
    stop();
  }
}

async function runTurn(
  client: KernelClient,
  message: TurnRequest,
  options: AskOptions,
  { signal, uploads }: { signal: AbortSignal; uploads: OwnUploads },
): Promise<number> {
  const known = options.chat === undefined ? null : await client.getChat(options.chat);
  // Without a terminal to ask at, fail before creating anything.
  const runner = known?.hands ? runnerElsewhere(client, options) : createRunner(client, options, uploads);
  const elsewhere = known?.hands ? describeRemoteMachine(known.hands, options) : undefined;
  if (elsewhere !== undefined) printError(`chat-kernel ask: ${elsewhere}`);
  const chat = known ?? (await client.createChat(newChatFields(options.hands, options.workdir)));
  const turn = askTurn({ client, chatId: chat.id, message, runner, options, interruption: signal });
  let stored = false;
  try {
    await turn.started;
    stored = true;
    return await turn.follow();
  } finally {
    turn.close();
    // Delete the new chat if its message was not stored.
    if (options.forget || (!stored && options.chat === undefined)) await forget(client, chat.id);
  }
}

/** Never rejects, because the outcome of the turn decides the exit code. */
async function forget(client: KernelClient, id: string): Promise<void> {
  try {
    await client.deleteChat(id, { force: true });
  } catch (error) {
    printError(`chat-kernel ask: Could not delete chat ${id}: ${(error as Error).message}`);
  }
}

function describeFailure(error: unknown, url: string): { exit: number; sentence?: string } {
  if (error instanceof Interrupted) return { exit: EXIT.interrupted };
  const { message } = error as Error;
  if (error instanceof KernelApiError) return { exit: EXIT.refused, sentence: message };
  if (error instanceof RetriesExhaustedError) return { exit: EXIT.unreachable, sentence: message };
  if (error instanceof ConnectionError) {
    const sentence = `No server is responding at ${url}. Start one with \`chat-kernel up\`, or set another address with --url.`;
    return { exit: EXIT.unreachable, sentence };
  }
  return { exit: EXIT.usage, sentence: message };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of the aborted signal. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

interface Interruption {
  /** Aborted with `Interrupted`. */
  readonly signal: AbortSignal;
  /** Restores the default handling of signals. */
  stop(): void;
}

function watchSignals(): Interruption {
  const asked = new AbortController();
  const interrupt = () => {
    if (asked.signal.aborted) process.exit(EXIT.interrupted);
    asked.abort(new Interrupted('interrupted'));
  };
  // Keep the handlers after `stop`: pending writes can fail in the same way.
  process.stdout.on('error', error => {
    if (!isUnread(error)) throw error;
    asked.abort(new Interrupted('stdout was closed'));
  });
  // A closed stderr does not stop the work: stdout may still be read.
  process.stderr.on('error', error => {
    if (!isUnread(error)) throw error;
  });
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: asked.signal,
    stop() {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}

const isUnread = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
