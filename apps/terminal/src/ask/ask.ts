/** `chat-kernel ask`: one turn for scripts. Words go to stdout, all else to stderr, how it went into the exit code. */
import { text as textOf } from 'node:stream/consumers';
import { BrokenLine, type Chat, ConnectionLost, KernelApiError, KernelClient } from '@chat-kernel/client';
import { upload } from '../upload.ts';
import { EXIT } from './exit.ts';
import type { AskOptions } from './options.ts';
import { AskedTurn } from './turn.ts';

export type { AskOptions } from './options.ts';

/** Never rejects for what the kernel or the network does. @returns an exit code of `EXIT` */
export async function ask(options: AskOptions): Promise<number> {
  try {
    const input = process.stdin.isTTY ? '' : await textOf(process.stdin);
    const text = options.text ?? input;
    if (text.trim() === '') throw new Error('nothing was asked: say it as an argument, or on stdin');
    const context = options.text !== undefined && input.trim() !== '' ? { context: input } : {};
    const client = new KernelClient(options);
    const files = await Promise.all(options.files.map(path => upload(client, path)));
    const chat = await chatOf(client, options);
    let stored = false;
    try {
      const turn = new AskedTurn(client, chat.id, { text, ...context, files }, options);
      await turn.started;
      stored = true;
      return await turn.follow();
    } finally {
      // A chat that nothing was said in is of no use to anybody.
      if (options.forget || (!stored && options.chat === undefined)) {
        await client.deleteChat(chat.id, { force: true });
      }
    }
  } catch (error) {
    const { exit, sentence } = reasonOf(error, options.url);
    process.stderr.write(`chat-kernel ask: ${sentence}\n`);
    return exit;
  }
}

function chatOf(client: KernelClient, { chat, hands, workdir }: AskOptions): Promise<Chat> {
  if (chat !== undefined) return client.getChat(chat);
  return client.createChat(hands === 'none' ? {} : { workdir, workdir_on: 'client' });
}

function reasonOf(error: unknown, url: string): { exit: number; sentence: string } {
  const { message } = error as Error;
  if (error instanceof KernelApiError) return { exit: EXIT.refused, sentence: message };
  if (error instanceof ConnectionLost) return { exit: EXIT.unreachable, sentence: message };
  if (error instanceof BrokenLine) {
    const sentence = `no kernel answers at ${url}: start one with \`npm start\`, or name another with --url`;
    return { exit: EXIT.unreachable, sentence };
  }
  return { exit: EXIT.usage, sentence: message };
}
