/** Tests decisions of users about operations on their machine: offered, accepted, stored, listed, revoked. */
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, MemoryApprovals } from '@chat-kernel/client';
import type { Event, JsonObject } from '@chat-kernel/protocol';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { OFFERED, OFFERED_EDIT, OFFERED_PREFIX } from '../harness/decision.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type KernelOptions, startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Call = [name: string, input: JsonObject];
const READ: Call = ['read_file', { files: [{ path: 'a.txt' }] }];
const WRITE: Call = ['write_file', { path: 'b.txt', content: 'b' }];
const shell = (...commands: string[]): Call => ['shell', { commands }];

/** The directory of the client. */
let workdir: string;
beforeAll(() => {
  const directory = temporaryDirectory();
  workdir = realpathSync(directory.path);
  writeFileSync(join(workdir, 'a.txt'), 'a');
  return () => directory.remove();
});

/** READ is open to guests, so that their turns can request an operation. */
const SETTINGS = { tools: { policy: { read_file: 'allow' } } } as const;

async function start(options: KernelOptions = {}): Promise<TestKernel> {
  const kernel = await startKernel({ settings: SETTINGS, ...options });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= kernel.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { ...kernel, stop };
}

let kernel: TestKernel;
/** The decisions of the user on the terminal's machine. */
let record: MemoryApprovals;
beforeEach(async () => {
  record = new MemoryApprovals();
  kernel = await start();
});

const newChat = async (at = kernel): Promise<string> => (await at.client.createChat({ workdir })).id;
const approvals = async (at = kernel) => (await at.client.listApprovals()).approvals;

/** Runs a turn whose model makes these calls; returns the events. */
async function turn(chatId: string, made: Call[], choice: Decision, { at = kernel, more = {} } = {}) {
  const { client, upstream } = at;
  const terminal = new Terminal(client, {
    directory: workdir,
    client_id: 'laptop',
    record,
    approve: () => choice,
  });
  upstream.next(...made.map(([name, input], index) => calls(`c${index}`, name, input)), says('Done.'));
  return terminal.turn(chatId, { text: 'Go.', ...more });
}

/** The requested operations, each with whether it needs a decision of the user. */
const asked = (events: readonly Event[]) =>
  eventsOf(events, 'client_op').map(({ action, decisions }) => [action, decisions !== undefined]);

describe('decisions', () => {
  test('[OP-4] are offered by the kernel, and the chosen one is part of the resolution', async () => {
    const chat = await newChat();
    for (const decision of ['allow', 'deny'] as const) {
      const events = await turn(chat, [READ, WRITE, shell('true')], decision);
      expect(eventsOf(events, 'client_op').map(({ decisions }) => decisions)).toEqual([
        OFFERED,
        OFFERED_EDIT,
        OFFERED_PREFIX,
      ]);
      expect(eventsOf(events, 'request_resolved').map(one => one.decision)).toEqual(Array(3).fill(decision));
    }
    expect(await approvals()).toEqual([]);
  });

  test('[OP-4] are optional for a client that does not know them', async () => {
    const chat = await newChat();
    const { client, upstream } = kernel;
    upstream.next(calls('c', ...READ), says('Done.'));
    const stream = await client.begin(chat, { text: 'Go.', client_ops: true });
    const { id } = await stream.until('client_op');
    await client.answerRequest(chat, { id, error: 'I cannot.' });
    expect(eventsOf(await stream.all(), 'request_resolved')[0]).not.toHaveProperty('decision');
  });

  test('[OP-4] are rejected if they were not offered, and the operation stays open', async () => {
    const { api, client, upstream } = kernel;
    const chat = await newChat();
    upstream.next(calls('c', ...READ), says('Done.'));
    const stream = await client.begin(chat, { text: 'Go.', client_ops: true });
    const { id } = await stream.until('client_op');
    const answer = (body: object) => api.post(`/v1/chats/${chat}/ops/result`, { id, result: 'a', ...body });
    for (const decision of ['allow_forever', 'ALLOW', '']) {
      expect(await answer({ decision })).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', errors: [{ pointer: '/decision' }] },
      });
    }
    expect((await client.listRequests()).requests).toMatchObject([{ id }]);
    expect((await answer({ decision: 'allow' })).status).toBe(200);
    expect(eventsOf(await stream.all(), 'request_resolved')).toHaveLength(1);
  });

  test('[OP-4] of a guest are only allow and deny, and no grant applies', async () => {
    const { api, client, upstream } = kernel;
    const chat = await newChat();
    await turn(chat, [READ], 'allow_always');
    for (const who of [{ guest: true }, { sender: 'Ann' }]) {
      upstream.next(calls('c', ...READ), says('Done.'));
      const stream = await client.begin(chat, { text: 'Go.', client_ops: true, ...who });
      const { id, decisions } = await stream.until('client_op');
      expect(decisions).toEqual(['allow', 'deny']);
      const answer = (decision: string) =>
        api.post(`/v1/chats/${chat}/ops/result`, { id, result: 'a', decision });
      for (const decision of ['allow_session', 'allow_always']) {
        expect((await answer(decision)).body.code).toBe('invalid_value');
      }
      expect((await answer('allow')).status).toBe(200);
      await stream.all();
    }
    expect(await approvals()).toHaveLength(1);
    expect(asked(await turn(chat, [READ], 'allow'))).toEqual([['read', false]]);
  });
});

describe('a lasting permission', () => {
  test('[OP-14] covers further operations of its action in its chat, and no others', async () => {
    const chat = await newChat();
    const first = await turn(chat, [READ, READ, WRITE], 'allow_session');
    expect(asked(first)).toEqual([
      ['read', true],
      ['read', false],
      ['write', true],
    ]);
    // An edit reads and writes the file.
    const edit: Call = ['edit_file', { path: 'b.txt', old: 'b', new: 'c' }];
    expect(asked(await turn(chat, [READ, edit, shell('true')], 'allow'))).toEqual([
      ['read', false],
      ['read', false],
      ['write', false],
      ['shell', true],
    ]);
    expect(asked(await turn(await newChat(), [READ], 'allow'))).toEqual([['read', true]]);
  });

  test('[OP-14] is listed as it was given, oldest first, without duplicates', async () => {
    const chat = await newChat();
    await turn(chat, [shell('true')], 'allow_always');
    await turn(chat, [READ], 'allow_session');
    expect(await kernel.client.listApprovals()).toEqual({
      approvals: [
        {
          id: expect.stringMatching(UUID),
          chat_id: chat,
          action: 'shell',
          created_at: expect.stringMatching(TIME),
          command: 'true',
          workdir,
          workdir_on: 'client',
          client_id: 'laptop',
          decision: 'allow_always',
        },
        {
          id: expect.stringMatching(UUID),
          chat_id: chat,
          action: 'read',
          created_at: expect.stringMatching(TIME),
          workdir,
          workdir_on: 'client',
          client_id: 'laptop',
          decision: 'allow_session',
        },
      ],
    });
  });

  test('[OP-14] can be revoked, one or all, and then the kernel asks again', async () => {
    const { api, client } = kernel;
    const chat = await newChat();
    await turn(chat, [READ], 'allow_session');
    await turn(chat, [WRITE, shell('true')], 'allow_always');
    const [read, write] = await approvals();
    const path = { id: write!.id };
    expect(await client.request('DELETE', '/v1/approvals/{id}', { path })).toEqual({ revoked: 1 });
    expect((await approvals()).map(({ action }: { action: string }) => action)).toEqual(['read', 'shell']);
    expect(asked(await turn(chat, [READ, WRITE], 'allow'))).toEqual([
      ['read', false],
      ['write', true],
    ]);
    expect(await client.request('DELETE', '/v1/approvals')).toEqual({ revoked: 2 });
    expect(await client.request('DELETE', '/v1/approvals')).toEqual({ revoked: 0 });
    expect(await approvals()).toEqual([]);
    expect(asked(await turn(chat, [READ, shell('true')], 'allow'))).toEqual([
      ['read', true],
      ['shell', true],
    ]);
    for (const id of [read!.id, '01890000-0000-4000-8000-000000000000', 'no-id']) {
      expect(await api.delete(`/v1/approvals/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  test('[OP-14] is not stored for a denial, an expiry or a late answer', async () => {
    const own = await start({ settings: { requests: { client_op_timeout_secs: 0.2 } } });
    const { api, client, upstream } = own;
    const chat = await newChat(own);
    await turn(chat, [READ], 'deny', { at: own });
    upstream.next(calls('c', ...READ), says('Done.'));
    const stream = await client.begin(chat, { text: 'Go.', client_ops: true });
    const { id } = await stream.until('client_op');
    await stream.all();
    const late = await api.post(`/v1/chats/${chat}/ops/result`, {
      id,
      result: 'a',
      decision: 'allow_always',
    });
    expect(late.status).toBe(409);
    expect(await approvals(own)).toEqual([]);
  });

  test('[OP-14] survives a restart if given for always, and not if given for the session', async () => {
    const data = temporaryDirectory();
    onTestFinished(data.remove);
    const again = () => start({ dataDir: data.path });
    let own = await again();
    const [chat, gone] = [await newChat(own), await newChat(own)];
    await turn(chat, [READ, shell('true')], 'allow_always', { at: own });
    await turn(chat, [WRITE], 'allow_session', { at: own });
    await turn(gone, [READ], 'allow_always', { at: own });
    await own.client.deleteChat(gone);
    const [read, command, write] = await approvals(own);
    expect([write?.decision, (await approvals(own)).length]).toEqual(['allow_session', 3]);

    await own.stop();
    own = await again();
    expect(await approvals(own)).toEqual([read, command]);
    expect(asked(await turn(chat, [READ, shell('true'), WRITE], 'allow', { at: own }))).toEqual([
      ['read', false],
      ['shell', false],
      ['write', true],
    ]);
    await own.client.request('DELETE', '/v1/approvals/{id}', { path: { id: read!.id } });

    await own.stop();
    own = await again();
    expect(await approvals(own)).toEqual([command]);
    await own.client.request('DELETE', '/v1/approvals');

    await own.stop();
    expect(await approvals(await again())).toEqual([]);
  });
});
