/**
 * Tests calls outside of turns: however they end, their cost is reported once, and an unresponsive model delays
 * nothing.
 */
import type { Usage } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import type { ModelEvent } from '../src/index.ts';
import { answerTo } from '../src/model/side-call.ts';
import { finish, openCore, PLAIN_MODEL as record, says, until } from './core.ts';

const request = {
  system: 'x'.repeat(398),
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'y'.repeat(400) }] }],
  effort: 'low' as const,
  cache_key: 'side',
};
/** The bills of a call to a model that says this. */
async function billsOf(stream: () => AsyncIterable<ModelEvent>, signal = new AbortController().signal) {
  const bills: Usage[] = [];
  const outcome = await answerTo({ record, stream }, request, signal, usage => bills.push(usage)).catch(
    (error: unknown) => error,
  );
  return { outcome, bills };
}
/** A model that ignores a disconnect. */
const deaf = (begun?: () => void) =>
  async function* (): AsyncGenerator<ModelEvent> {
    yield { type: 'text', text: 'z'.repeat(40) };
    begun?.();
    await new Promise(() => {});
  };

it('[CHAT-7] charges the usage of the provider', async () => {
  const { outcome, bills } = await billsOf(says('Tea.'));
  expect(outcome).toMatchObject({ text: 'Tea.', finish: 'stop', usage: { prompt_tokens: 10 } });
  expect(bills).toMatchObject([{ prompt_tokens: 10, completion_tokens: 5 }]);
});

it('[CHAT-7] charges an estimate if the provider reports no usage or its response is truncated', async () => {
  const uncounted = { ...finish(), usage: null } as ModelEvent;
  const whole = await billsOf(async function* () {
    yield { type: 'text', text: 'z'.repeat(40) };
    yield uncounted;
  });
  const broken = await billsOf(async function* () {
    yield { type: 'text', text: 'z'.repeat(40) };
    throw new Error('the line broke');
  });
  for (const { bills } of [whole, broken]) {
    expect(bills).toEqual([
      {
        prompt_tokens: 200,
        completion_tokens: 10,
        reasoning_tokens: 0,
        cached_tokens: 0,
        cost_usd: expect.closeTo(0.0003, 12),
      },
    ]);
  }
  expect(whole.outcome).toMatchObject({ usage: null });
  expect(broken.outcome).toMatchObject({ message: 'the line broke' });
});

it('charges nothing for a rejected or unsent request', async () => {
  const refused = await billsOf(async function* () {
    yield* [];
    throw new Error('no');
  });
  expect(refused.bills).toEqual([]);
  let made = 0;
  const never = await billsOf(() => {
    made++;
    return says('Tea.')();
  }, AbortSignal.abort('too late'));
  expect([never.outcome, never.bills, made]).toEqual(['too late', [], 0]);
});

it('[CHAT-7] does not wait for an unresponsive model, and charges its output', async () => {
  const abort = new AbortController();
  const { outcome, bills } = await billsOf(
    deaf(() => setImmediate(() => abort.abort('enough'))),
    abort.signal,
  );
  expect(outcome).toBe('enough');
  expect(bills).toMatchObject([{ prompt_tokens: 200, completion_tokens: 10 }]);
});

it('[HIST-1] [CHAT-7] compacts nothing if the kernel stops during the summary, and charges it', async () => {
  const core = await openCore();
  const { kernel, store, scripts } = core;
  const { id } = await kernel.chats.create({});
  for (const text of ['one', 'two']) {
    const { feed } = await kernel.turns.start(id, { text, on_busy: 'queue' });
    await until(() => feed.closed);
  }
  const before = await kernel.chats.spend(id);
  let asked = false;
  scripts.push(
    deaf(() => {
      asked = true;
    }),
  );
  const folding = expect(kernel.history.compact(id)).rejects.toMatchObject({ code: 'shutting_down' });
  await until(() => asked);
  await kernel.shutdown(0);
  await folding;
  expect((await store.chats.get(id))?.summary).toBeNull();
  const after = await kernel.chats.spend(id);
  expect(after.prompt_tokens).toBeGreaterThan(before.prompt_tokens + 100);
  expect(after.turns).toBe(2);
  await core.close();
});
