/** Tests the context that identifies the speaker to tools and modules, in all cases and with real turns. */
import type { TurnContext, TurnRequest } from '@chat-kernel/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allOf, type Core, calls, openCore, says, tool } from './core.ts';

const ANCHOR = { chat_id: 7, message_id: 8 };
const NO_PERSON = { master: false, trusted: false };

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

type Case = [
  string,
  Partial<TurnRequest>,
  { master?: boolean; trusted?: boolean } | null,
  Partial<TurnContext>,
];

test.each<Case>([
  ['the master', {}, null, { master: true, trusted: true, privileged: true }],
  ['the master with hands', { client_ops: true }, null, { master: true, privileged: true, client_ops: true }],
  [
    'the master through a surface',
    { anchor: ANCHOR },
    null,
    { master: true, trusted: true, privileged: false, anchor: ANCHOR },
  ],
  ['a stranger', { sender: 'Eve' }, null, { sender: 'Eve' }],
  ['a guest', { sender: 'Eve', guest: true }, null, { sender: 'Eve' }],
  ['a guest without a sender', { guest: true }, null, { master: true, trusted: false, privileged: false }],
  ['a person', { sender: 'Ada' }, {}, { sender: 'Ada' }],
  ['a trusted person', { sender: 'Ada' }, { trusted: true }, { sender: 'Ada', trusted: true }],
  [
    'the person of the master, through a surface',
    { sender: 'Me', anchor: ANCHOR },
    { master: true },
    { sender: 'Me', master: true, trusted: true, privileged: false, anchor: ANCHOR },
  ],
  ['a trusted person as a guest', { sender: 'Ada', guest: true }, { trusted: true }, { sender: 'Ada' }],
])('[MOD-5] %s', async (_, request, marks, told) => {
  const { kernel, scripts } = core;
  const { id } = await kernel.chats.create({});
  scripts.push(calls('look'), says('Done.'));
  const person = marks && (await kernel.persons.resolve({ surface: 'test', external_id: 'x' }));
  if (person) await kernel.persons.patch(person.id, marks);
  const asked = { text: 'Look.', on_busy: 'queue' as const, ...request };
  const { feed } = await kernel.turns.start(id, { ...asked, ...(person && { person_id: person.id }) });
  await allOf(feed);
  expect(seen).toEqual([
    { chat_id: id, sender: '', ...NO_PERSON, privileged: false, client_ops: false, ...told, ...trust(told) },
  ]);
  // The anchor is absent, not empty, so that a module finds it only if the turn is linked to a message.
  expect('anchor' in (seen[0] as object)).toBe(request.anchor !== undefined);
});

/** The master is trusted, unless the case says otherwise. */
const trust = ({ master = false, trusted = master }: Partial<TurnContext>) => ({ trusted });

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
