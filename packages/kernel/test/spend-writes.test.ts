/**
 * Tests that the spend of turns is written once, whatever happens to their writes: by chat, by day, and in the totals
 * in memory.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allOf, calls, LOST, openCore, says, tool } from './core.ts';

const FATES = ['stored', 'failed', 'lost'] as const;

it('keeps the spend of chat, day and turns equal, also if writes fail or lose their acknowledgment', async () => {
  // The spend of a sub-agent is written without a message.
  const tools = [
    tool('note', async () => ({ output: 'noted' })),
    tool('ask', (_, { runAgent }) => runAgent({ name: 'scout', task: 'Look.', onStep() {} })),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 6 }), async fates => {
      const core = await openCore({ tools });
      try {
        const left = [...fates];
        core.before.writeTurn = () => {
          const fate = left.shift() ?? 'stored';
          if (fate === 'failed') throw new Error('database or disk is full');
          return fate === 'lost' ? LOST : undefined;
        };
        const chat = (await core.kernel.chats.create({})).id;
        core.scripts.push(calls('note', 'ask'), calls('note'), says('Seen.'), calls('note'));
        let spent = 0;
        for (const key of ['1', '2']) {
          const { turn_id, feed } = await core.kernel.turns.start(
            chat,
            { text: key, on_busy: 'queue' },
            { idempotencyKey: key },
          );
          await allOf(feed);
          left.splice(0);
          spent += (await core.kernel.turns.get(chat, turn_id)).usage?.prompt_tokens ?? 0;
        }
        const days = await core.store.spend.listDays('2000-01-01');
        const { prompt_tokens } = await core.kernel.chats.spend(chat);
        expect(spent).toBeGreaterThan(0);
        expect([prompt_tokens, days.reduce((sum, day) => sum + day.prompt_tokens, 0)]).toEqual([
          spent,
          spent,
        ]);
      } finally {
        await core.close();
      }
    }),
    { numRuns: 25 },
  );
}, 300_000);
