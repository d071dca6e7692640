/** `chat-kernel chat`: a whole chat in the terminal, with hands. */
// First, for React is loaded by the imports below.
import '../program/react-build.ts';

import { isAbsolute } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Chat, KernelClient } from '@chat-kernel/client';
import { render } from 'ink';
import { runCommand } from '../commands/index.ts';
import { submission } from '../editor/state.ts';
import type { HandsPolicy } from '../machine/hands-policy.ts';
import { historyPath, InputHistory, isKept } from '../machine/input-history.ts';
import { ownClient } from '../machine/own-client.ts';
import { EXIT } from '../program/exit-codes.ts';
import { forgetBuild } from '../program/react-build.ts';
import { h } from '../screen/element.ts';
import { ChatSession } from '../session/session.ts';
import { App, appProps } from './app.ts';
import { reachKernel, refused, say } from './reach-kernel.ts';
import { GIVE_TITLE_BACK, KEEP_TITLE } from './window-title.ts';

export interface ChatOptions {
  url: string;
  token?: string | undefined;
  /** The address was named on the command line: the call that comes back has to name it, too. */
  named?: boolean | undefined;
  /** The id of a chat; absent: a new one, which its first message creates. */
  chat?: string | undefined;
  /** Opens the newest chat that works in `workdir`, else the newest of all. */
  continueLast?: boolean | undefined;
  /** The model of new chats, and of the one that is opened. */
  model?: string | undefined;
  /** The absolute directory where new chats work on this machine. */
  workdir: string;
  /** The machine that the model may work on, and with whose consent. */
  hands: HandsPolicy;
  /** Starts a kernel in the background; resolves with its address once it answers. */
  startKernel?: (() => Promise<string>) | undefined;
}

/** Never rejects for failures of the kernel or the network. @returns an exit code of `EXIT`, or 128 plus a signal's number */
export async function chat(options: ChatOptions): Promise<number> {
  forgetBuild();
  // A screen should need little memory.
  for (const flag of SMALL) setFlagsFromString(flag);
  if (!isAbsolute(options.workdir)) throw new TypeError(`workdir is not absolute: ${options.workdir}`);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    say('this is no terminal: `chat-kernel ask` is for scripts and pipes');
    return EXIT.usage;
  }
  if (process.env.TERM === 'dumb') {
    say('this terminal (TERM=dumb) cannot be drawn on: use `chat-kernel ask`');
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
  const own = ownClient(process.env);
  const history = new InputHistory(historyPath(process.env));
  const session = new ChatSession(client, { ...options, own }, history, runCommand);
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

/** The newest chat that works in the folder; among the last 500, and where none does, the newest of all. */
async function newestHere(client: KernelClient, workdir: string): Promise<Chat | null> {
  const { chats } = await client.listChats({ limit: 500 });
  return chats.find(chat => chat.workdir === workdir && chat.workdir_on === 'client') ?? chats[0] ?? null;
}

/**
 * Shows the chat until it ends; however it ends, the terminal is as it was before.
 * @param named the address that the last words have to name
 */
async function show(session: ChatSession, named: string | null): Promise<number> {
  const ending = Promise.withResolvers<{ code: number; error?: unknown }>();
  void session.left.then(() => ending.resolve({ code: 0 }));
  let isEnding = false;
  const onSignal = (_: string, number: number) => {
    // A second signal means that its sender does not want to wait.
    if (isEnding) process.exit(128 + number);
    ending.resolve({ code: 128 + number });
  };
  const onCrash = (error: unknown) => ending.resolve({ code: EXIT.failed, error });
  for (const signal of SIGNALS) process.on(signal, onSignal);
  for (const crash of CRASHES) process.on(crash, onCrash);
  // The window may be gone without a signal.
  for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on('error', onCrash);
  process.stdin.on('end', () => ending.resolve({ code: 128 + SIGHUP }));
  // Raw mode begins before the first frame: keys that come meanwhile would be echoed into it.
  process.stdin.setRawMode(true);
  process.stdout.write(KEEP_TITLE);
  const screen = render(h(App, appProps(session)), {
    exitOnCtrlC: false,
    interactive: true,
    kittyKeyboard: { mode: 'auto' },
  });
  screen.waitUntilExit().catch(onCrash);
  const { code, error } = await ending.promise;
  isEnding = true;
  // A kernel that neither answers nor hangs up must not keep the process.
  setTimeout(() => process.exit(code), ENDING_MS).unref();
  screen.unmount();
  process.stdin.setRawMode(false);
  process.stdout.write(GIVE_TITLE_BACK);
  const words = lastWords(session, named);
  await session.close();
  for (const signal of SIGNALS) process.off(signal, onSignal);
  for (const crash of CRASHES) process.off(crash, onCrash);
  process.stdout.write(words);
  if (error !== undefined) for (const line of stackOf(error).split('\n')) say(line);
  return code;
}

/** The number of the signal by which a window says that it closes. */
const SIGHUP = 1;
/** The longest time from the decision to end to the end of the process. */
const ENDING_MS = 4000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CRASHES = ['uncaughtException', 'unhandledRejection'] as const;

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns the words that call this program again: a checkout has no `chat-kernel` on the path. */
export const programWords = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === 'start' ? 'npm start -- chat' : 'chat-kernel chat';

/** Quotes what a shell would read as more than a word. */
const shellWord = (text: string): string =>
  /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function lastWords(session: ChatSession, named: string | null): string {
  const { chat, snapshot, sending, editor } = session.store.get();
  return [
    sending > 0 ? 'Your last message has not reached the kernel.\n' : '',
    !editor.text.startsWith(' ') && isKept(submission(editor).text)
      ? 'What you had not sent comes back by ↑.\n'
      : '',
    chat !== null && snapshot.busy ? 'The turn goes on in the kernel.\n' : '',
    chat !== null
      ? `Go on with: ${programWords(process.env)} --chat ${chat.id}${named === null ? '' : ` --url ${shellWord(named)}`}\n`
      : '',
  ].join('');
}
