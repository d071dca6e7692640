/** Tests the context that identifies the speaker to tools and modules, in all cases and with real turns. */
import type { TurnContext } from '@chat-kernel/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allOf, type Core, calls, openCore, says, tool } from './core.ts';

let core: Core;
let seen: TurnContext[];
beforeEach(async () => {
  seen = [];
  const look = tool('look', async (_input, { turn_context }) => {
    seen.push(turn_context);
    return { output: 'seen' };
  });
  core = await openCore({ tools: [look] });
});
afterEach(() => core.close());

test('[MOD-5] starts a turn without a person if the person was deleted', async () => {
  const { kernel, scripts } = core;
  const { id } = await kernel.chats.create({});
  const [old, other] = [
    await kernel.persons.resolve({ surface: 'test', external_id: 'old' }),
    await kernel.persons.resolve({ surface: 'test', external_id: 'other' }),
  ];
  await kernel.persons.patch(old.id, { trusted: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  scripts.push(
    async function* () {
      await promise;
      yield* says('One.')();
    },
    calls('look'),
    says('Two.'),
  );
  const start = (body: object) => kernel.turns.start(id, { text: 'Go.', on_busy: 'queue', ...body });
  const [first, second] = [await start({}), await start({ sender: 'Old', person_id: old.id })];
  await kernel.persons.merge(old.id, { into: other.id });
  resolve();
  await Promise.all([allOf(first.feed), allOf(second.feed)]);
  expect(seen).toMatchObject([{ sender: 'Old', master: false, trusted: false }]);
});
