import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { fold } from '../src/compaction/fold.ts';
import type { NewMessage } from '../src/index.ts';
import { PLAIN_MODEL as record, says } from './core.ts';

const asked: NewMessage = {
  id: 'm',
  chat_id: 'chat',
  turn_id: 't',
  role: 'user',
  content: [{ type: 'text', text: 'Tea or coffee?' }],
  status: 'completed',
  created_at: '2026-01-01T00:00:00.000Z',
};

it('[HIST-1] returns no summary of a compaction that a spending cap ends', async () => {
  const folded = (spend: () => void, { signal }: AbortController) =>
    fold(
      {
        chat_id: 'chat',
        turn_id: 't',
        messages: [asked],
        sofar: null,
        outside: new Set(),
        learning: null,
        known: null,
        model: { record, stream: says('Tea.') },
        clock: new ManualClock(),
        spend,
      },
      signal,
    );
  expect((await folded(() => {}, new AbortController())).summary).toMatchObject({
    text: expect.stringMatching(/Tea\.$/),
  });
  const ending = new AbortController();
  await expect(folded(() => ending.abort(new Error('spent')), ending)).rejects.toThrow('spent');
});
