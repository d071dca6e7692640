/**
 * A process for tests of power cuts: writes turns in eight chats as the kernel does, as fast as it can, and prints a line of
 * JSON for each acknowledged and each rejected write. Its messages are large, so that the write-ahead log soon starts again.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import { openStore } from '../src/index.ts';
import type { PowerLine } from './disk.ts';
import { newChat, newMessage, newTurn } from './records.ts';

const [data_dir] = process.argv.slice(2);
const CHATS = 8;

/** The maintenance, with its checkpoints, runs every 300 ms instead of once a minute. */
const clock: Clock = { ...systemClock, after: (ms, callback) => systemClock.after(ms / 200, callback) };
const ignore = () => {};
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Returns once the line is written, so that a kill cannot take it back. */
const print = (line: PowerLine): void =>
  void writeSync(1, `${JSON.stringify({ ...line, at: Date.now() })}\n`);

// A killed process would not do so at its end, and the next one would start slowly.
flushCompileCache();
print({});
const store = await openStore({ data_dir: data_dir!, url: null, log, clock });
const chats = Array.from({ length: CHATS }, () => newChat({ id: randomUUID() }));
for (const chat of chats) {
  await store.chats.create(chat);
  print({ acknowledged: { chat: chat.id } });
}
await Promise.all(chats.map(({ id }) => writeForever(id)));

async function writeForever(chat: string): Promise<void> {
  for (;;) await writeTurn(chat, 1000 + Math.random() * 60_000);
}

/** Goes on after a rejected write, like a kernel whose users try again. */
async function writeTurn(chat: string, characters: number): Promise<void> {
  const turn = randomUUID();
  const question = messageOf(chat, turn, characters);
  const answer = messageOf(chat, turn, characters);
  try {
    await store.turns.create(newTurn(question.message), question.message, { place: true });
    print({ acknowledged: { chat, turn, message: question.message.id, hash: question.hash } });
    const append = [answer.message];
    await store.turns.write({ turn_id: turn, chat_id: chat, turn: { status: 'completed' }, append });
    print({ acknowledged: { chat, turn, message: answer.message.id, hash: answer.hash, is_last: true } });
  } catch (error) {
    print({ rejected: error instanceof KernelError ? error.code : String(error) });
    await sleep(200);
  }
}

function messageOf(chat: string, turn_id: string, characters: number) {
  const id = randomUUID();
  // One long word, because to index many would take most of the time.
  const text = randomBytes(characters / 2).toString('hex');
  const message = newMessage(chat, { id, turn_id, content: [{ type: 'text', text }] });
  return { message, hash: createHash('sha256').update(text).digest('base64') };
}
