/** Tests the copies of running steps, for the loss of a machine with its journal (SAFE-4). */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { newMessage, newTurn } from '../../storage/test/records.ts';
import { KnownSecrets } from '../src/base/known-secrets.ts';
import { type NewMessage, type StepCopy, TurnFeed } from '../src/index.ts';
import { Journal } from '../src/journal/journal.ts';
import { Checkpoints } from '../src/turn/checkpoints.ts';
import { RunningTurn } from '../src/turn/running-turn.ts';
import { StepBuilder } from '../src/turn/step-builder.ts';

const TURN = '01900000-0000-7000-8000-000000000001';
const record = { id: TURN, chat_id: 'c' };
const settled = () => new Promise(resolve => setImmediate(resolve));

function opened({ isEnough = false, fails }: { isEnough?: boolean; fails?: Error } = {}) {
  const clock = new ManualClock();
  const step = new StepBuilder(record, new TurnFeed(TURN), { clock, secrets: new KnownSecrets([]) });
  const copied: NewMessage[][] = [];
  const logged: string[] = [];
  const checkpoint = async (copies: readonly StepCopy[]) => {
    copied.push(...copies.map(copy => copy.checkpoint ?? []));
    if (fails) throw fails;
  };
  const log = {
    debug() {},
    info() {},
    warn: (_: object, text: string) => void logged.push(`warn: ${text}`),
    error: (_: object, text: string) => void logged.push(`error: ${text}`),
  };
  const checkpoints = new Checkpoints({ isEnough }, { store: { turns: { checkpoint } }, clock, log });
  const stop = checkpoints.of({ record, step, held: { chat_id: 'c', epoch: undefined } });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  return { clock, step, copied, logged, stop, pass };
}

it('[FLEET-2] copies a step only while its chat has the owner of the beginning of the turn', async () => {
  const clock = new ManualClock();
  const epochs: unknown[] = [];
  const checkpoint = async (copies: readonly StepCopy[]) =>
    void epochs.push(...copies.map(copy => copy.epoch));
  const steps = { journal: new Journal(undefined, {} as never) };
  const ownership = { hold: (chat_id: string) => ({ chat_id, epoch: 7 }) };
  const services = { clock, secrets: new KnownSecrets([]), ownership, steps };
  const turn = new RunningTurn(newTurn(newMessage('c')), services as never);
  ownership.hold = (chat_id: string) => ({ chat_id, epoch: 9 });
  const store = { turns: { checkpoint } };
  new Checkpoints({ isEnough: false }, { store, clock, log: {} as never }).of(turn);
  turn.step.write('text', 'a');
  clock.advance(250);
  await settled();
  expect(epochs).toEqual([7]);
});

describe('[SAFE-4] a running step', () => {
  it('is copied every 250 ms if it has changed, also by a call', async () => {
    const { clock, step, copied, stop, pass } = opened();
    step.call('call', 'shell', {}, undefined);
    await pass(249);
    expect(copied).toEqual([]);
    await pass(1);
    expect(copied).toMatchObject([[{ role: 'assistant', content: [{ type: 'tool_use', id: 'call' }] }]]);
    await pass(250);
    expect(copied).toHaveLength(1);
    step.write('text', 'a');
    await pass(250);
    expect(copied).toHaveLength(2);
    stop();
    await pass(250);
    expect(clock.timers.size).toBe(0);
  });

  it('is not copied where the journal is enough', async () => {
    const { step, copied, pass } = opened({ isEnough: true });
    step.write('text', 'a');
    await pass(250);
    expect(copied).toEqual([]);
  });

  it.each([
    ['warn', { code: 'storage_unavailable' }],
    ['error', {}],
  ])('is copied again later if that fails, with a line of level %s', async (level, code) => {
    const { step, copied, logged, pass } = opened({ fails: Object.assign(new Error('no'), code) });
    for (const n of [1, 2]) {
      step.write('text', 'a');
      await pass(250);
      expect(copied).toHaveLength(n);
    }
    expect(logged).toEqual(Array(2).fill(`${level}: a checkpoint failed`));
  });

  it('is restored with the block that was being written as aborted, and no other', () => {
    const { step } = opened();
    step.restore(
      [
        {
          ...{ id: 'm', chat_id: 'c', role: 'assistant', turn_id: TURN, status: 'completed' },
          content: [
            { type: 'thinking', text: 'Hm.' },
            { type: 'text', text: 'Wel' },
          ],
          created_at: '2026-01-01T00:00:00.000Z',
        },
      ],
      [],
    );
    expect(step.messages[0]?.content).toEqual([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'Wel', internal: { status: 'aborted' } },
    ]);
  });
});
