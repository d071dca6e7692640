/** `chat-kernel ask`: a turn for scripts. The answer goes to stdout, all else to stderr, the outcome into the exit code. */
import {
  BrokenLine,
  ConnectionLost,
  KernelApiError,
  KernelClient,
  OwnUploads,
  type TurnRequest,
} from '@chat-kernel/client';
import { placeOf } from '../machine/hands-policy.ts';
import { upload } from '../machine/upload.ts';
import { EXIT } from '../program/exit-codes.ts';
import { say } from '../program/say.ts';
import { runnerElsewhere, runnerOf, wordsElsewhere } from './hands.ts';
import { readInput } from './input.ts';
import { Interrupted, watchSignals } from './interruption.ts';
import type { AskOptions } from './options.ts';
import { AskedTurn } from './turn.ts';

export { HANDS } from '../machine/hands-policy.ts';
export type { AskOptions } from './options.ts';

/** Never rejects for failures of the kernel or the network. @returns an exit code of `EXIT` */
export async function ask(options: AskOptions): Promise<number> {
  const { signal, stop } = watchSignals();
  try {
    const input = await readInput(signal);
    const text = options.text ?? input;
    if (text.trim() === '') throw new Error('nothing was asked: say it as an argument, or on stdin');
    const context = options.text !== undefined && input.trim() !== '' ? { context: input } : {};
    const client = new KernelClient(options);
    const uploads = new OwnUploads();
    const files = await Promise.all(options.files.map(path => upload(client, path, uploads, { signal })));
    return await runTurn(client, { text, ...context, files }, options, { signal, uploads });
  } catch (error) {
    const { exit, sentence } = failureOf(error, options.url);
    if (sentence !== undefined) say(`chat-kernel ask: ${sentence}`);
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
  // Where nobody can be asked, that is said before anything is made.
  const runner = known?.hands ? runnerElsewhere(client, options) : runnerOf(client, options, uploads);
  const elsewhere = known?.hands ? wordsElsewhere(known.hands, options) : undefined;
  if (elsewhere !== undefined) say(`chat-kernel ask: ${elsewhere}`);
  const chat = known ?? (await client.createChat(placeOf(options.hands, options.workdir)));
  const turn = new AskedTurn(client, chat.id, message, runner, options, signal);
  let stored = false;
  try {
    await turn.started;
    stored = true;
    return await turn.follow();
  } finally {
    turn.close();
    // A new chat without a message is of no use.
    if (options.forget || (!stored && options.chat === undefined)) await forget(client, chat.id);
  }
}

/** Never rejects: the outcome of the turn counts. */
async function forget(client: KernelClient, id: string): Promise<void> {
  try {
    await client.deleteChat(id, { force: true });
  } catch (error) {
    say(`chat-kernel ask: the chat ${id} could not be deleted: ${(error as Error).message}`);
  }
}

function failureOf(error: unknown, url: string): { exit: number; sentence?: string } {
  if (error instanceof Interrupted) return { exit: EXIT.interrupted };
  const { message } = error as Error;
  if (error instanceof KernelApiError) return { exit: EXIT.refused, sentence: message };
  if (error instanceof ConnectionLost) return { exit: EXIT.unreachable, sentence: message };
  if (error instanceof BrokenLine) {
    const sentence = `no kernel answers at ${url}: start one with \`chat-kernel up\`, or name another with --url`;
    return { exit: EXIT.unreachable, sentence };
  }
  return { exit: EXIT.usage, sentence: message };
}
