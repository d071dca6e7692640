/** Clients that send without end: the kernel keeps no more of it than it needs. */
import type { Event, EventOf } from '@chat-kernel/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { failureText } from '../src/client-machine/answers.ts';
import { Grants } from '../src/client-machine/grants.ts';
import { KernelEvents } from '../src/events/kernel-events.ts';
import { TurnFeed } from '../src/feed/feed.ts';
import { type ApprovalStore, OperationError } from '../src/index.ts';
import { allOf, openCore } from './core.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const NOW = '2026-01-01T00:00:00.000Z';
const NO_NAMES = { path: undefined, client_id: undefined, hands: undefined };
const HERE = { workdir: null, workdir_on: 'client', ...NO_NAMES } as const;

it('[OP-14] of permissions for the session the last thousand are remembered, and all that are for always', async () => {
  const core = await openCore();
  onTestFinished(() => core.close());
  const chat_id = (await core.kernel.chats.create({})).id;
  const grants = new Grants(core.store, core.clock, SILENT);
  const shell = (command: string) => ({ chat_id, action: 'shell', command, ...HERE });
  await grants.give('allow_always', shell('for good'));
  for (let n = 0; n <= 1000; n++) await grants.give('allow_session', shell(`n ${n}`));
  expect(grants.list()).toHaveLength(1001);
  expect(['for good', 'n 0', 'n 1', 'n 1000'].map(one => grants.covers(shell(one)))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

it('[OP-14] a permission that is taken back while it is stored does not come back with the next start', async () => {
  const core = await openCore();
  onTestFinished(() => core.close());
  const chat_id = (await core.kernel.chats.create({})).id;
  const begun = Promise.withResolvers<void>();
  const approvals: ApprovalStore = {
    ...core.store.approvals,
    async save(approval) {
      await begun.promise;
      await core.store.approvals.save(approval);
    },
  };
  const grants = new Grants({ approvals }, core.clock, SILENT);
  const given = grants.give('allow_always', { chat_id, action: 'read', command: undefined, ...HERE });
  const revoked = grants.revoke();
  begun.resolve();
  await given;
  expect(await revoked).toBe(1);
  expect(await core.store.approvals.list()).toEqual([]);
});

it('[OP-1] a long file that was written leaves the log, and items show its beginning', async () => {
  const feed = new TurnFeed('turn');
  const size = 5_000_000;
  for (let n = 0; n < 10; n++) {
    const event = {
      type: 'client_op',
      id: `op-${n}`,
      op_id: `op-${n}`,
      action: 'write',
      path: '/a',
      content: 'x'.repeat(size),
    };
    feed.requestOpened(event as EventOf<'client_op'>, NOW);
    feed.requestResolved({ id: `op-${n}`, kind: 'op', reason: 'answered' }, false);
  }
  feed.close();
  expect(feed.log.chars).toBeLessThan(2_000_000);
  const events: Event[] = await allOf(feed);
  expect(events.some(({ type }) => type === 'client_op')).toBe(false);
  const items = events.flatMap(event =>
    event.type === 'item_completed' && event.item.kind === 'client_op' ? [event.item] : [],
  );
  expect(items).toHaveLength(10);
  for (const { params } of items) {
    const content = String(params.content);
    expect(content.length).toBeLessThan(70_000);
    expect(content.endsWith('[cut here: the client has all of it]')).toBe(true);
  }
});

it('[OP-1] who watches all chats is told of a long file, and misses nothing by it', () => {
  const events = new KernelEvents(() => null);
  const event = {
    type: 'client_op',
    id: 'op',
    op_id: 'op',
    action: 'write',
    path: '/a',
    content: 'x'.repeat(9_000_000),
  };
  events.requestOpened({
    id: 'op',
    kind: 'op',
    chat_id: 'chat',
    turn_id: 'turn',
    opened_at: NOW,
    expires_at: NOW,
    event: event as EventOf<'client_op'>,
  });
  expect(events.frame(events.last)?.length).toBeLessThan(70_000);
});

it('[OP-9] an error without words is one that the model can read, and a long one is cut', () => {
  const words = 'The client could not do it, and did not say why.';
  expect(failureText({ error: '' })).toBe(words);
  expect(failureText({ error: ' \n', result: 'so far' })).toBe(`${words}\n\nso far`);
  expect(failureText({ error: 'x'.repeat(1_000_000) })).toHaveLength(30_000);
  expect(new OperationError(failureText({ error: 'no' })).message).toBe('no');
});
