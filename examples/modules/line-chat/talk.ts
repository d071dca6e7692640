/** A connection: a nick that writes lines and reads the answers of the model while they come. */
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { KernelApiError, type KernelClient, type TurnStart } from '@chat-kernel/module-sdk';
import type { LineStore } from './line-store.ts';

export const SURFACE = 'line-chat';
export const MODULE = 'lines';

interface Talker {
  nick: string;
  /** The number of the nick in the store. */
  id: number;
  chat_id: string;
  person_id: string;
}

/**
 * The first line is the nick. Each later line is a message; `>12 text` answers line 12, `/cancel` stops the model.
 * Resolves when the connection has ended; a running turn continues.
 */
export async function talk(
  socket: Socket,
  kernel: KernelClient,
  store: LineStore,
  signal: AbortSignal,
): Promise<void> {
  const say = (text: string) => void (socket.writable && socket.write(text));
  let talker: Talker | undefined;
  /** Messages are answered one after the other. `/cancel` does not wait for them. */
  let turns: Promise<void> = Promise.resolve();
  say('nick?\n');
  for await (const line of createInterface({ input: socket })) {
    const text = line.trim();
    if (text === '') continue;
    try {
      if (!talker) {
        talker = await meet(text, kernel, store);
        say(`hello ${talker.nick}\n`);
      } else if (text === '/cancel') {
        const { cancelled } = await kernel.cancelTurn(talker.chat_id);
        if (!cancelled) say('nothing runs\n');
      } else {
        const who = talker;
        const answered = turns.then(() => answer(text, who, kernel, store, say, signal));
        turns = answered.catch(error => say(`error: ${messageOf(error)}\n`));
      }
    } catch (error) {
      say(`error: ${messageOf(error)}\n`);
    }
  }
  await turns;
}

/** Finds the person and the chat of a nick, and makes them where the nick is new. */
async function meet(nick: string, kernel: KernelClient, store: LineStore): Promise<Talker> {
  const person = await kernel.resolvePerson({ surface: SURFACE, external_id: nick, name: nick });
  const known =
    store.chatOf(nick) ?? store.bind(nick, (await kernel.createChat({ shelf: SURFACE, consent: 'ask' })).id);
  return { nick, ...known, person_id: person.id };
}

async function answer(
  text: string,
  { nick, id, chat_id, person_id }: Talker,
  kernel: KernelClient,
  store: LineStore,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const [, quoted, rest] = /^>(\d+)\s+(.+)$/.exec(text) ?? [];
  const quote = quoted === undefined ? undefined : store.line(id, Number(quoted));
  if (quoted !== undefined && !quote) return say(`there is no line ${quoted}\n`);
  const line = store.keep(id, rest ?? text);
  const request: TurnStart = {
    text: line.text,
    sender: nick,
    person_id,
    anchor: { chat_id: id, message_id: line.id, module: MODULE },
    chat_title: `${nick} on ${SURFACE}`,
    ...(quote && { reply_to_ext_id: String(quote.id), reply_to_text: quote.text }),
  };
  let reply = '';
  let status = 'failed';
  /** After a reset the stream repeats the answer: so many characters of it were written already. */
  let written = 0;
  for await (const event of kernel.turn(chat_id, request, { signal })) {
    if (event.type === 'text_delta') {
      const news = event.text.slice(written);
      written -= event.text.length - news.length;
      reply += news;
      say(news);
    } else if (event.type === 'reset') written = reply.length;
    else if (event.type === 'error') say(`\nerror: ${event.message}`);
    else if (event.type === 'done') status = event.status;
  }
  const replyLine = store.keep(id, reply);
  say(`\n[${replyLine.id} ${status}]\n`);
  // The surface takes up every message. A message counts as answered when any text came.
  await kernel.reportTriage({ engaged: 1, responded: reply === '' ? 0 : 1 });
}

const messageOf = (error: unknown): string =>
  error instanceof KernelApiError ? error.detail : String(error);
