/**
 * Tests requests for consent: one client decides, another party executes, and a client that knows only the API document
 * executes nothing by mistake.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, PendingRequest } from '@chat-kernel/protocol';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { OFFERED_EDIT } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient } from '../harness/hands.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { kernelOf, sharedKernel } from '../harness/shared-kernel.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

/** Short, so that a test can wait for it. */
const UNATTENDED_SECS = 0.4;
const WRITE = ['write_file', { path: 'w.txt', content: 'new' }] as const;

const kernel = sharedKernel({ settings: { requests: { unattended_timeout_secs: UNATTENDED_SECS } } });

let workdir: string;
beforeEach(() => {
  workdir = realpathSync(directoryOfTest());
});

const newChat = async () =>
  (await kernel.client.createChat({ workdir, workdir_on: 'server', consent: 'ask' })).id;
const isWritten = () => existsSync(join(workdir, 'w.txt'));
/** The seconds that a request may wait. */
const waits = ({ opened_at, expires_at }: Pick<PendingRequest, 'opened_at' | 'expires_at'>) =>
  (Date.parse(expires_at) - Date.parse(opened_at)) / 1000;
const pending = async (chat: string) =>
  (await kernel.client.listRequests({ chat_id: chat })).requests.filter(({ chat_id }) => chat_id === chat);

describe('a change of the kernel’s machine', () => {
  const itemsIn = (events: readonly Event[]) =>
    events.flatMap(event =>
      (event.type === 'item_started' || event.type === 'item_completed') &&
      event.item.kind === 'consent_request'
        ? [event.item]
        : [],
    );

  test('[CONSENT-1] [WHO-6] comes as consent_request, as an item, in the list, and in the events of the kernel', async () => {
    const { client, upstream } = kernel;
    const chat = await newChat();
    const all = await client.watchAll();
    upstream.next(calls('w', ...WRITE), says('Done.'));
    const turn = await client.begin(chat, { text: 'Go.', consents: true });
    const asked = await turn.until('consent_request');
    const reason = 'This chat asks before a file is changed on this computer.';
    const path = join(workdir, 'w.txt');
    expect(asked).toEqual({
      type: 'consent_request',
      id: asked.id,
      op_id: asked.id,
      action: 'write',
      path,
      content: 'new',
      sandbox: 'none',
      hands: null,
      decisions: OFFERED_EDIT,
      reason,
      outside: [],
    });
    expect((await all.until('request_opened')).request).toMatchObject({ kind: 'op', event: asked });
    expect(await pending(chat)).toMatchObject([{ id: asked.id, kind: 'op', event: asked }]);
    const viewer = await client.watch(chat);
    expect(await viewer.until('consent_request')).toEqual({ ...asked, replayed: true });
    await client.answerRequest(chat, { id: asked.id, decision: 'allow' });
    const events = await turn.all();
    expect(eventsOf(events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id: asked.id, kind: 'op', reason: 'answered', decision: 'allow' },
    ]);
    const item = {
      kind: 'consent_request',
      op_id: asked.id,
      action: 'write',
      params: { path, content: 'new' },
      hands: null,
      sandbox: 'none',
      decisions: OFFERED_EDIT,
      reason,
      outside: [],
    };
    expect(itemsIn(events)).toMatchObject([
      { ...item, status: 'running' },
      { ...item, status: 'completed', decision: 'allow', resolution: { reason: 'answered' } },
    ]);
    expect((await client.items(chat)).map(({ kind }) => kind)).not.toContain('consent_request');
    expect(isWritten()).toBe(true);
    for (const stream of [viewer, all]) stream.hangUp();
  });

  test('[CONSENT-1] is never sent as client_op, so a client of the API document executes nothing by mistake', async () => {
    const { api, client, upstream } = kernel;
    const chat = await newChat();
    const ran: string[] = [];
    // It executes each operation that it receives, and skips events that it does not know.
    const old = new HandsClient(api, {
      directory: workdir,
      decide({ action }) {
        ran.push(action);
        return 'allow';
      },
    });
    const viewing = await old.watch(chat);
    upstream.next(calls('w', ...WRITE), says('Done.'));
    const { stream, over } = await old.begin(chat, { text: 'Go.' });
    const { id } = await stream.until('consent_request');
    expect(await pending(chat)).toMatchObject([{ id }]);
    expect(isWritten()).toBe(false);
    await client.answerRequest(chat, { id, decision: 'deny' });
    const events = await over;
    await viewing.leave();
    expect(eventsOf(events, 'client_op').filter(({ action }) => action === 'write')).toEqual([]);
    expect(ran).toEqual([]);
    expect(isWritten()).toBe(false);
    expect(eventsOf(events, 'tool_result')).toMatchObject([
      { output: 'The user declined this operation.', is_error: true },
    ]);
  });

  test('[CONSENT-1] accepts only a decision as an answer', async () => {
    const { api, client, upstream } = kernel;
    const chat = await newChat();
    upstream.next(calls('w', ...WRITE), says('Done.'));
    const turn = await client.begin(chat, { text: 'Go.', consents: true });
    const { id } = await turn.until('consent_request');
    for (const answer of [{ result: 'done' }, { blocks: [] }, { decision: 'maybe' }])
      expect(await api.post(`/v1/chats/${chat}/ops/result`, { id, ...answer })).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', errors: [{ pointer: '/decision' }] },
      });
    expect(await pending(chat)).toMatchObject([{ id }]);
    await client.answerRequest(chat, { id, decision: 'allow' });
    await turn.all();
    expect(isWritten()).toBe(true);
  });
});

test('[CONSENT-1] [HANDS-3] an operation of another machine is sent as client_op only to that machine', async () => {
  const { api, client, upstream } = kernel;
  const machine = await StandingBy.open(api, 'attic');
  onTestFinished(() => machine.leave());
  machine.findNone().catch(() => {});
  const chat = (await client.createChat({ workdir: '/attic', hands: 'attic' })).id;
  upstream.next(calls('w', ...WRITE), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true });
  const { id, hands, reason, outside } = await turn.until('consent_request');
  expect([hands, reason, outside]).toEqual(['attic', 'A file is to be changed on the machine attic.', []]);
  await client.answerRequest(chat, { id, decision: 'allow' });
  const run = await machine.operation('write');
  expect(run).toMatchObject({ id, client_id: 'id of attic' });
  for (const field of ['decisions', 'reason', 'outside']) expect(run).not.toHaveProperty(field);
  await machine.answer(run, { result: 'ok' });
  expect(eventsOf(await turn.all(), 'client_op')).toEqual([]);
});

describe('a request for consent', () => {
  let chat: string;
  beforeEach(async () => {
    chat = await newChat();
  });
  afterEach(async () => {
    await kernel.api.post(`/v1/chats/${chat}/cancel`);
  });

  /** Starts a turn and returns the seconds that its request may wait. */
  async function waitOf(fields: object): Promise<number> {
    kernel.upstream.next(calls('w', ...WRITE), says('Done.'));
    const turn = await kernel.client.begin(chat, { text: 'Go.', ...fields });
    onTestFinished(() => turn.hangUp());
    await turn.until('consent_request');
    return waits((await pending(chat))[0]!);
  }

  test('[CONSENT-1] waits as long as an operation while the client of the turn can show it', async () => {
    expect(await waitOf({ consents: true })).toBe(600);
  });

  test('[CONSENT-1] waits as long if a client reads the events of the kernel', async () => {
    const all = await kernel.client.watchAll();
    expect(await waitOf({})).toBe(600);
    all.hangUp();
  });

  test('[CONSENT-1] expires early if no client can show it, and later ones of the turn are refused at once', async () => {
    const { client, upstream } = kernel;
    upstream.next(...['a', 'b', 'c'].map(id => calls(id, ...WRITE)), says('Done.'));
    const before = Date.now();
    const turn = await client.begin(chat, { text: 'Go.' });
    await turn.until('consent_request');
    expect(waits((await pending(chat))[0]!)).toBe(UNATTENDED_SECS);
    const events = await turn.all();
    expect(Date.now() - before).toBeGreaterThanOrEqual(2 * UNATTENDED_SECS * 1000);
    expect(eventsOf(events, 'consent_request')).toHaveLength(2);
    expect(eventsOf(events, 'request_resolved').map(({ reason }) => reason)).toEqual(['expired', 'expired']);
    expect(eventsOf(events, 'tool_result').map(({ output }) => output)).toEqual([
      'No answer came from the client in time.',
      'No answer came from the client in time.',
      'This needs the consent of the user, and no client is connected that could ask for it.',
    ]);
    expect(isWritten()).toBe(false);
  });

  test('[CONSENT-1] waits on if a client that can show it connects in time', async () => {
    kernel.upstream.next(calls('w', ...WRITE), says('Done.'));
    const turn = await kernel.client.begin(chat, { text: 'Go.' });
    const { id } = await turn.until('consent_request');
    const all = await kernel.client.watchAll();
    await expect.poll(async () => waits((await pending(chat))[0]!), { timeout: 10_000 }).toBe(600);
    await kernel.client.answerRequest(chat, { id, decision: 'allow' });
    await turn.all();
    expect(isWritten()).toBe(true);
    all.hangUp();
  });
});

describe('its time limit', () => {
  const asks = { consent: 'ask', workdir_on: 'server' } as const;
  const only = async ({ client }: TestKernel) => {
    const count = async () => (await client.listRequests()).requests.length;
    await expect.poll(count, { timeout: 10_000 }).toBe(1);
    return waits((await client.listRequests()).requests[0]!);
  };

  test('[CONSENT-1] is the one of the settings, also if only notifications report it', async () => {
    const own = await kernelOf({
      settings: { requests: { consent_timeout_secs: 1234 }, notify: [{ command: ['true'] }] },
    });
    own.upstream.next(calls('w', ...WRITE), says('Done.'));
    const { id } = await own.client.createChat({ workdir, ...asks });
    const turn = await own.client.begin(id, { text: 'Go.' });
    await turn.until('consent_request');
    expect(await only(own)).toBe(1234);
    turn.hangUp();
  });
});
