/** Tests sub-agents of one turn, for any number that its model requests. */
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { builtinTools } from '@chat-kernel/tools';
import { expect, it, onTestFinished } from 'vitest';
import type { ModelEvent } from '../src/index.ts';
import { allOf, finish, openCore, says, until } from './core.ts';

const NOWHERE = new MachinePaths([]);
const tools = builtinTools({
  paths: NOWHERE,
  sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, NOWHERE),
  environment: {},
  question_timeout_secs: 60,
});

/** Calls that request this many each, all in one step. */
const asksFor = (...counts: number[]) =>
  async function* (): AsyncGenerator<ModelEvent> {
    for (const [call, count] of counts.entries()) {
      const agents = Array.from({ length: count }, (_, n) => ({ name: `${call}.${n}`, task: 'Work.' }));
      yield { type: 'call', id: `agents_${call}`, name: 'agent', input: { agents } };
    }
    yield finish('tools');
  };

it('[BT-10] runs eight at once, and the others as slots become free', async () => {
  const core = await openCore({ tools });
  onTestFinished(() => core.close());
  const chat = (await core.kernel.chats.create({})).id;
  let [began, working, most] = [0, 0, 0];
  const waiting: (() => void)[] = [];
  const agent = async function* (): AsyncGenerator<ModelEvent> {
    began++;
    most = Math.max(most, ++working);
    await new Promise<void>(resolve => waiting.push(resolve));
    working--;
    yield* says('Done.')();
  };
  core.scripts.push(asksFor(8, 8, 4), ...Array.from({ length: 20 }, () => agent));
  const turn = await core.kernel.turns.start(chat, { text: 'Go.', on_busy: 'queue' });
  await until(() => waiting.length === 8);
  await until(() => {
    waiting.shift()?.();
    return turn.feed.closed;
  });
  expect([began, most]).toEqual([20, 8]);
  const results = (await allOf(turn.feed)).filter(({ type }) => type === 'tool_result');
  expect(results).toMatchObject(Array(3).fill({ is_error: false }));
});

it('[BT-10] [TURN-10] never starts waiting ones after the turn is canceled', async () => {
  const core = await openCore({ tools });
  onTestFinished(() => core.close());
  const chat = (await core.kernel.chats.create({})).id;
  let began = 0;
  const agent = async function* (): AsyncGenerator<ModelEvent> {
    began++;
    await new Promise(() => {});
    yield finish();
  };
  core.scripts.push(asksFor(8, 8), ...Array.from({ length: 16 }, () => agent));
  const turn = await core.kernel.turns.start(chat, { text: 'Go.', on_busy: 'queue' });
  await until(() => began === 8);
  const cancelled = core.kernel.turns.cancel(chat, { queued: false });
  await until(() => {
    core.clock.advance(1000);
    return turn.feed.closed;
  });
  expect(await cancelled).toMatchObject({ cancelled: true });
  expect(began).toBe(8);
});
