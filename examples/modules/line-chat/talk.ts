/** One connection: a nick that says lines, and reads what the model answers as it comes. */

import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { KernelApiError, type KernelClient, type TurnStart } from '@chat-kernel/module-sdk';
import type { Book } from './book.ts';

export const SURFACE = 'line-chat';

interface Talker {
  nick: string;
  /** Of the nick, in the book. */
  id: number;
  chat_id: string;
  person_id: string;
}

/**
 * The first line is the nick. Then each line is a message; `>12 text` answers line 12, `/cancel` stops the model.
 * Resolves when the connection has ended. The turn that runs then goes on.
 */
export async function talk(
  socket: Socket,
  kernel: KernelClient,
  book: Book,
  signal: AbortSignal,
): Promise<void> {
  const say = (text: string) => void (socket.writable && socket.write(text));
  let talker: Talker | undefined;
  /** Messages are answered one after the other; /cancel does not wait for them. */
  let turns: Promise<void> = Promise.resolve();
  say('nick?\n');
  for await (const line of createInterface({ input: socket })) {
    const text = line.trim();
    if (text === '') continue;
    try {
      if (!talker) {
        talker = await meet(text, kernel, book);
        say(`hello ${talker.nick}\n`);
      } else if (text === '/cancel') {
        const { cancelled } = await kernel.cancelTurn(talker.chat_id);
        if (!cancelled) say('nothing runs\n');
      } else {
        const who = talker;
        const answered = turns.then(() => answer(text, who, kernel, book, say, signal));
        turns = answered.catch(error => say(`error: ${messageOf(error)}\n`));
      }
    } catch (error) {
      say(`error: ${messageOf(error)}\n`);
    }
  }
  await turns;
}

/** Whoever comes back finds the chat of last time. */
async function meet(nick: string, kernel: KernelClient, book: Book): Promise<Talker> {
  const person = await kernel.resolvePerson({ surface: SURFACE, external_id: nick, name: nick });
  const known = book.chatOf(nick) ?? book.bind(nick, (await kernel.createChat({ shelf: SURFACE })).id);
  return { nick, ...known, person_id: person.id };
}

async function answer(
  text: string,
  { nick, id, chat_id, person_id }: Talker,
  kernel: KernelClient,
  book: Book,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const [, quoted, rest] = /^>(\d+)\s+(.+)$/.exec(text) ?? [];
  const quote = quoted === undefined ? undefined : book.line(id, Number(quoted));
  if (quoted !== undefined && !quote) return say(`there is no line ${quoted}\n`);
  const said = book.keep(id, rest ?? text);
  const request: TurnStart = {
    text: said.text,
    sender: nick,
    person_id,
    anchor: { chat_id: id, message_id: said.id },
    chat_title: `${nick} on ${SURFACE}`,
    ...(quote && { reply_to_ext_id: String(quote.id), reply_to_text: quote.text }),
  };
  let told = '';
  let status = 'failed';
  /** Of what is told again, this much stands there already. */
  let known = 0;
  for await (const event of kernel.turn(chat_id, request, { signal })) {
    if (event.type === 'text_delta') {
      const news = event.text.slice(known);
      known -= event.text.length - news.length;
      told += news;
      say(news);
    } else if (event.type === 'reset') known = told.length;
    else if (event.type === 'error') say(`\nerror: ${event.message}`);
    else if (event.type === 'done') status = event.status;
  }
  const reply = book.keep(id, told);
  say(`\n[${reply.id} ${status}]\n`);
  // Every message here is one that the surface took up; it counts as answered when something came.
  await kernel.reportTriage({ engaged: 1, responded: told === '' ? 0 : 1 });
}

const messageOf = (error: unknown): string =>
  error instanceof KernelApiError ? error.detail : String(error);
