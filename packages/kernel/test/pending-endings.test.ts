/** Tests the ends of turns that could not be stored. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { NewMessage } from '../src/index.ts';
import type { UnstoredTurn } from '../src/turn/turn-writes.ts';
import { PendingEndings } from '../src/turns/pending-endings.ts';

/** Runs everything that waits for no timer. */
const settle = () => new Promise(resolve => setImmediate(resolve));

function opened() {
  const clock = new ManualClock();
  const endings = new PendingEndings(clock);
  const disk = { isFull: true, tries: 0 };
  const turnOf = (chat_id: string, id: string, previous?: UnstoredTurn): UnstoredTurn => {
    const writes = {
      previous,
      unsaved: true,
      unsavedMessages: [{ id: `message of ${id}` } as NewMessage],
      async settle() {
        disk.tries++;
        if (disk.isFull) throw new Error('the disk is full');
        writes.unsaved = false;
      },
    };
    return { record: { id, chat_id }, writes } as unknown as UnstoredTurn;
  };
  return { clock, endings, disk, turnOf };
}

it('tries to store an end once a second until that succeeds', async () => {
  const { clock, endings, disk, turnOf } = opened();
  const turn = turnOf('c', 'a');
  endings.note(turn);
  expect([endings.last('c'), disk.tries]).toEqual([turn, 0]);
  for (const tries of [1, 2]) {
    clock.advance(1000);
    await settle();
    expect([endings.last('c'), disk.tries]).toEqual([turn, tries]);
  }
  disk.isFull = false;
  clock.advance(1000);
  await settle();
  expect([endings.last('c'), disk.tries, clock.timers.size]).toEqual([undefined, 3, 0]);
});

it('has the messages of all turns of a chat that are not stored, oldest first', () => {
  const { endings, turnOf } = opened();
  const first = turnOf('c', 'a');
  const second = turnOf('c', 'b', first);
  endings.note(first);
  endings.note(second);
  expect(endings.messages('c').map(({ id }) => id)).toEqual(['message of a', 'message of b']);
  expect([endings.find('c', 'a'), endings.find('c', 'b'), endings.find('c', 'x')]).toEqual([
    first,
    second,
    undefined,
  ]);
  expect(endings.messages('d')).toEqual([]);
});

it('drops the ends of a chat when a later turn is stored, or the chat is deleted', async () => {
  const { endings, turnOf } = opened();
  endings.note(turnOf('c', 'a'));
  endings.note({ record: { id: 'b', chat_id: 'c' }, writes: { unsaved: null } } as unknown as UnstoredTurn);
  endings.note(turnOf('d', 'a'));
  endings.forget('d');
  expect([endings.last('c'), endings.last('d')]).toEqual([undefined, undefined]);
});

it('tries for ten seconds at a shutdown, and returns how many chats remain', async () => {
  const { clock, endings, disk, turnOf } = opened();
  endings.note(turnOf('c', 'a'));
  endings.note(turnOf('d', 'a'));
  const stopped = endings.stop();
  for (let second = 0; second < 10; second++) {
    await settle();
    clock.advance(1000);
  }
  expect([await stopped, disk.tries, clock.timers.size]).toEqual([2, 22, 0]);
});
