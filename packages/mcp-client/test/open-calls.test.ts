/** Tests which call a question belongs to if its message does not say so. */
import type { RequestEnding } from '@chat-kernel/kernel';
import { expect, it } from 'vitest';
import { type OpenCall, OpenCalls } from '../src/asking/open-calls.ts';

const QUESTION = { question: 'Who is it?', header: 'desk', options: [] };
const { signal } = new AbortController();

/** A call that responds with its name. */
const named = (id: string): OpenCall => ({
  ask: async () => ({ reason: 'answered', answer: { id, answer: id } }),
});
const askedOf = (ending: RequestEnding | undefined) => ending?.reason === 'answered' && ending.answer.id;

it('[MCP-4] assigns a question to the only call or to the call that sends it, and drops it if several could be meant', async () => {
  const calls = new OpenCalls();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  expect(await calls.ask(QUESTION, signal)).toBeUndefined();
  const first = calls.run(named('one'), () => one.promise);
  expect(askedOf(await calls.ask(QUESTION, signal))).toBe('one');
  const second = calls.run(named('other'), async () => {
    await other.promise;
    return calls.ask(QUESTION, signal);
  });
  expect(await calls.ask(QUESTION, signal)).toBeUndefined();
  other.resolve();
  expect(askedOf(await second)).toBe('other');
  expect(askedOf(await calls.ask(QUESTION, signal))).toBe('one');
  one.resolve();
  await first;
  expect(await calls.ask(QUESTION, signal)).toBeUndefined();
});

it('[MCP-4] assigns a question to the one of several calls whose task it names', async () => {
  const calls = new OpenCalls();
  const end = Promise.withResolvers<void>();
  const tasks = ['one', 'other'].map(id =>
    calls.run({ ...named(id), task: `task-${id}` }, () => end.promise),
  );
  expect(askedOf(await calls.ask(QUESTION, signal, 'task-other'))).toBe('other');
  expect(await calls.ask(QUESTION, signal, 'task-none')).toBeUndefined();
  end.resolve();
  await Promise.all(tasks);
});
