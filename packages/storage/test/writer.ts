/** A process for tests: writes chats, turns and images endlessly and prints their ids once they are acknowledged. */
import { systemClock } from '@chat-kernel/kernel';
import { openStore } from '../src/index.ts';
import { NOW, newChat, newMessage, newTurn } from './records.ts';

const [data_dir, url] = process.argv.slice(2);
const say = (_: object, sentence: string) => void process.stderr.write(`${sentence}\n`);
const log = { debug() {}, info() {}, warn: say, error: say };

try {
  const store = await openStore({ data_dir: data_dir!, url: url ?? null, log, clock: systemClock });
  while (true) {
    const chat = newChat({ id: crypto.randomUUID() });
    await store.chats.create(chat);
    const turn_id = crypto.randomUUID();
    const question = newMessage(chat.id, { id: crypto.randomUUID(), turn_id });
    await store.turns.create(newTurn(question), question, { place: true });
    const image = crypto.randomUUID();
    await store.images.save(
      { id: image, chat_id: chat.id, media_type: 'image/png', created_at: NOW },
      new Uint8Array(1000),
    );
    const answer = newMessage(chat.id, { id: crypto.randomUUID(), turn_id });
    await store.turns.write({ turn_id, chat_id: chat.id, turn: { status: 'completed' }, append: [answer] });
    process.stdout.write(`${JSON.stringify({ chat: chat.id, turn: turn_id, image })}\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
