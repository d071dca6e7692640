/** Tests how the bytes of an answer are read while much else is to do. */
import { PassThrough } from 'node:stream';
import { loopTime } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { pipe } from '../src/trip/post.ts';

/** Uses up the time in which work may begin in this turn of the event loop. */
function useUpLoopTime(): void {
  const begun = performance.now();
  while (loopTime() === undefined)
    if (performance.now() - begun > 1000) throw new Error('loop time does not end');
}

function receive() {
  const answer = Object.assign(new PassThrough(), { complete: false });
  const heard: string[] = [];
  const sink = {
    text: (text: string) => void heard.push(text),
    end: () => void heard.push('end'),
    fail: (error: unknown) => void heard.push((error as Error).message),
  };
  pipe(answer, sink, { provider: 'p', onBytes: () => {} });
  return { answer, heard };
}

test('reads what has arrived in the meantime at once, in a later turn of the event loop', async () => {
  const { answer, heard } = receive();
  useUpLoopTime();
  answer.write('data: 1\n\n');
  answer.write('data: 2\n\n');
  await Promise.resolve();
  expect(heard).toEqual([]);
  answer.complete = true;
  answer.end('data: 3\n\n');
  await expect.poll(() => heard, { interval: 1 }).toEqual(['data: 1\n\ndata: 2\n\ndata: 3\n\n', 'end']);
});

test('delivers what arrived before the connection broke', async () => {
  const { answer, heard } = receive();
  useUpLoopTime();
  answer.write('data: 1\n\n');
  await Promise.resolve();
  expect(heard).toEqual([]);
  answer.destroy(new Error('broken'));
  await expect.poll(() => heard, { interval: 1 }).toEqual(['data: 1\n\n', 'broken', 'The connection broke.']);
});
