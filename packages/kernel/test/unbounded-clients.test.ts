/** Tests clients that send endlessly: the kernel stores only as much of it as it needs. */
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
const NO_NAMES = { path: undefined, client_id: undefined, hands: undefined, target: undefined };
const HERE = { workdir: null, workdir_on: 'client', ...NO_NAMES } as const;

it('[OP-14] keeps the last thousand permissions for the session, and all permissions for always', async () => {
  const core = await openCore();
  onTestFinished(() => core.close());
  const chat_id = (await core.kernel.chats.create({})).id;
  const grants = new Grants(core.store, core.clock, SILENT);
  const shell = (command: string) => ({ chat_id, action: 'shell', command, ...HERE });
  await grants.give('allow_always', shell('for good'));
  for (let n = 0; n <= 1000; n++) await grants.give('allow_session', shell(`n ${n}`));
  expect(grants.list()).toHaveLength(1001);
  expect(['for good', 'n 0', 'n 1', 'n 1000'].map(one => grants.covers(shell(one), []))).toEqual([
    'knowingly',
    'no',
    'knowingly',
    'knowingly',
  ]);
});

it('[OP-14] does not restore a permission at the next start if it was revoked during its write', async () => {
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

it('[OP-1] drops a long written file from the log, and shows its beginning in items', async () => {
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
    expect(content.endsWith('[truncated: the client has the full text]')).toBe(true);
  }
});

it('[OP-1] reports a long file to a client that follows all chats, without losing events', () => {
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

it('[OP-9] replaces an empty error with a readable one, and truncates a long one', () => {
  const words = 'The client reported a failure without a reason.';
  expect(failureText({ error: '' })).toBe(words);
  expect(failureText({ error: ' \n', result: 'so far' })).toBe(`${words}\n\nso far`);
  expect(failureText({ error: 'x'.repeat(1_000_000) })).toHaveLength(30_000);
  expect(new OperationError(failureText({ error: 'no' })).message).toBe('no');
});
