/** `chat-kernel chat`: runs the terminal client. */
// First, because the imports below load React.
import '../program/react-build.ts';

import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setFlagsFromString } from 'node:v8';
import { type Chat, KernelApiError, KernelClient } from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';
import { render } from 'ink';
import { runCommand } from '../commands/index.ts';
import { submission } from '../editor/state.ts';
import type { HandsPolicy } from '../machine/hands-policy.ts';
import { historyPath, InputHistory, isKept } from '../machine/input-history.ts';
import { openClient } from '../machine/local-client.ts';
import { EXIT } from '../program/exit-codes.ts';
import { printError } from '../program/print-error.ts';
import { forgetBuild } from '../program/react-build.ts';
import { h } from '../screen/element.ts';
import { type ChatSession, chatSession } from '../session/session.ts';
import { App } from './app.ts';
import { GIVE_TITLE_BACK, KEEP_TITLE } from './window-title.ts';

export interface ChatOptions {
  url: string;
  token?: string | undefined;
  /** The address of the command line. The command that resumes the chat repeats it. */
  named?: boolean | undefined;
  /** Chat id. If absent, the first message creates a chat. */
  chat?: string | undefined;
  /** Opens the latest chat in `workdir`, or else the latest chat. */
  continueLast?: boolean | undefined;
  /** Model of the opened chat and of new ones. */
  model?: string | undefined;
  /** Absolute working directory of new chats on this machine. */
  workdir: string;
  /** The machine that the model may use, and how operations are approved. */
  hands: HandsPolicy;
  /** How commands run on this machine. */
  commands?: CommandOptions | undefined;
  /** Starts a kernel in the background and resolves with its address when it answers. */
  startKernel?: (() => Promise<string>) | undefined;
}

/** Never rejects for failures of the kernel or the network. @returns an exit code of `EXIT`, or 128 plus a signal's number */
export async function chat(options: ChatOptions): Promise<number> {
  forgetBuild();
  // Limit the memory of a program that stays open for long.
  for (const flag of SMALL) setFlagsFromString(flag);
  if (!isAbsolute(options.workdir))
    throw new TypeError(`The working directory is not absolute: ${options.workdir}`);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    say('This is not a terminal. For scripts and pipes, use `chat-kernel ask`.');
    return EXIT.usage;
  }
  if (process.env.TERM === 'dumb') {
    say('This terminal (TERM=dumb) is not supported. Use `chat-kernel ask`.');
    return EXIT.usage;
  }
  const client = await reachKernel(options);
  if (typeof client === 'number') return client;
  let first: Chat | null;
  try {
    first = await firstChat(client, options);
  } catch (error) {
    return refused(error);
  }
  const own = openClient(process.env);
  const history = new InputHistory(historyPath(process.env));
  const session: ChatSession = chatSession(client, { ...options, own }, history, sent =>
    runCommand(session, sent),
  );
  if (first !== null) session.open(first);
  return show(session, options.named ? client.url : null).finally(() => own.close());
}

const SMALL = ['--heap-growing-percent=40'];

async function firstChat(client: KernelClient, options: ChatOptions): Promise<Chat | null> {
  const { chat: id, continueLast, model } = options;
  const found =
    id !== undefined
      ? await client.getChat(id)
      : continueLast
        ? await newestHere(client, options.workdir)
        : null;
  return found !== null && model !== undefined ? client.setModel(found.id, { model }) : found;
}

/** Finds the latest chat in the folder among the last 500, or else the latest chat. */
async function newestHere(client: KernelClient, workdir: string): Promise<Chat | null> {
  const { chats } = await client.listChats({ limit: 500 });
  return chats.find(chat => chat.workdir === workdir && chat.workdir_on === 'client') ?? chats[0] ?? null;
}

/**
 * Shows the chat until it ends, and always restores the terminal.
 * @param named the address to repeat in the last lines
 */
async function show(session: ChatSession, named: string | null): Promise<number> {
  const ending = Promise.withResolvers<{ code: number; error?: unknown }>();
  void session.left.then(() => ending.resolve({ code: 0 }));
  let isEnding = false;
  const onSignal = (_: string, number: number) => {
    // On a second signal, exit without waiting.
    if (isEnding) process.exit(128 + number);
    ending.resolve({ code: 128 + number });
  };
  const onCrash = (error: unknown) => ending.resolve({ code: EXIT.failed, error });
  for (const signal of SIGNALS) process.on(signal, onSignal);
  for (const crash of CRASHES) process.on(crash, onCrash);
  // The window may close without a signal.
  for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on('error', onCrash);
  process.stdin.on('end', () => ending.resolve({ code: 128 + SIGHUP }));
  // Start raw mode before the first frame, or early keys would be echoed into it.
  process.stdin.setRawMode(true);
  process.stdout.write(KEEP_TITLE);
  const screen = render(h(App, { session }), {
    exitOnCtrlC: false,
    interactive: true,
    kittyKeyboard: { mode: 'auto' },
  });
  screen.waitUntilExit().catch(onCrash);
  const { code, error } = await ending.promise;
  isEnding = true;
  // A kernel that does not respond must not keep the process alive.
  setTimeout(() => process.exit(code), ENDING_MS).unref();
  screen.unmount();
  process.stdin.setRawMode(false);
  process.stdout.write(GIVE_TITLE_BACK);
  const words = lastWords(session, named);
  await session.close();
  for (const signal of SIGNALS) process.off(signal, onSignal);
  for (const crash of CRASHES) process.off(crash, onCrash);
  process.stdout.write(words);
  if (error !== undefined) for (const line of errorStack(error).split('\n')) say(line);
  return code;
}

/** Number of the signal that a closing window sends. */
const SIGHUP = 1;
/** Limit for closing, in milliseconds. */
const ENDING_MS = 4000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CRASHES = ['uncaughtException', 'unhandledRejection'] as const;

const errorStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns the command that starts this program: a checkout has no `chat-kernel` on the path. */
export const programWords = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === 'start' ? 'npm start -- chat' : 'chat-kernel chat';

/** Quotes a shell argument if necessary. */
const shellWord = (text: string): string =>
  /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function lastWords(session: ChatSession, named: string | null): string {
  const { chat, snapshot, sending, editor } = session.store.get();
  return [
    sending > 0 ? 'Your last message was not delivered.\n' : '',
    !editor.text.startsWith(' ') && isKept(submission(editor).text)
      ? 'To restore your draft, press ↑ in the next chat.\n'
      : '',
    chat !== null && snapshot.busy ? 'The turn continues on the server.\n' : '',
    chat !== null
      ? `Resume with: ${programWords(process.env)} --chat ${chat.id}${named === null ? '' : ` --url ${shellWord(named)}`}\n`
      : '',
  ].join('');
}

interface ReachOptions {
  url: string;
  token?: string | undefined;
  startKernel?: (() => Promise<string>) | undefined;
}

/** @returns the client, or an exit code if no kernel answers; stderr then says why */
async function reachKernel({ url, token, startKernel }: ReachOptions): Promise<KernelClient | number> {
  const client = new KernelClient({ url, token });
  try {
    await client.getHealth();
    return client;
  } catch (error) {
    if (error instanceof KernelApiError) return refused(error);
    if (startKernel === undefined) {
      say(
        `No server is responding at ${url}. Start one with \`chat-kernel up\`, or set another address with --url.`,
      );
      return EXIT.unreachable;
    }
  }
  if (!(await agreed(`No server is responding at ${url}. Start one? [Y/n] `))) return EXIT.unreachable;
  try {
    process.stdout.write('Starting a server …\n');
    return new KernelClient({ url: await startKernel(), token });
  } catch (error) {
    say((error as Error).message);
    return EXIT.unreachable;
  }
}

/** Writes the error of the first request to stderr. @returns the exit code for it */
function refused(error: unknown): number {
  say((error as Error).message);
  return error instanceof KernelApiError ? EXIT.refused : EXIT.unreachable;
}

const say = (sentence: string): void => printError(`chat-kernel chat: ${sentence}`);

/** Asks a yes-or-no question. Enter means yes, end of input means no. */
async function agreed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = Promise.withResolvers<string>();
  lines.once('close', () => ended.resolve('no'));
  try {
    const answer = await Promise.race([lines.question(question), ended.promise]);
    return /^(?:y(?:es)?)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
