/** Tests stand-by machines: which are connected, where a chat acts, and approval from another client. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { OFFERED_PREFIX } from '../harness/decision.ts';
import { namesIn } from '../harness/modules.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const clock = new ManualClock();
const WAIT_SECS = 7;
const kernel = sharedKernel({ clock, settings: { requests: { hands_wait_secs: WAIT_SECS } } });

/** A new name for each test: machines stay known. */
let name: string;
let count = 0;
beforeEach(() => {
  name = `laptop ${++count}`;
});
const open: StandingBy[] = [];
afterEach(() => {
  for (const machine of open.splice(0)) machine.leave();
});

type Options = NonNullable<Parameters<typeof StandingBy.open>[2]> & { looks?: boolean };
async function standBy(options: Options = {}, called = name): Promise<StandingBy> {
  const machine = await StandingBy.open(kernel.api, called, options);
  open.push(machine);
  // Ends with the stream.
  if (options.looks !== true) machine.findNone().catch(() => {});
  return machine;
}
const listed = async (called = name) =>
  (await kernel.client.listHands()).hands.find(each => each.name === called);
const gone = () => expect.poll(() => listed()).toMatchObject({ here: false });

/** A chat that acts on the machine of this test. */
async function newChat(workdir = '/garden') {
  const { id } = await kernel.client.createChat({});
  await kernel.client.setWorkdir(id, { workdir, workdir_on: 'client', hands: name });
  return id;
}
const SHELL = ['shell', { commands: ['npm test'] }] as const;
const WRITE = ['write_file', { path: 'a.txt', content: 'x' }] as const;

/** Starts a turn of a phone whose model makes this call and then says ok. */
async function begin(chat: string, [tool, input]: readonly [string, object], more: object = {}) {
  kernel.upstream.next(calls('c', tool, { ...input }));
  return kernel.client.begin(chat, { text: 'Go.', ...more });
}
type Turn = Awaited<ReturnType<typeof begin>>;
const decide = (chat: string, id: string, decision: string, more: object = {}) =>
  kernel.api.post(`/v1/chats/${chat}/ops/result`, { id, decision, ...more });
const cancel = async (chat: string) => {
  await kernel.client.cancelTurn(chat, {});
};
const outputs = async (turn: Turn) =>
  eventsOf(await turn.all(), 'tool_result').map(({ output, is_error }) => ({ output, is_error }));
const NOT_CONNECTED = () => `The machine ${name} is not connected.`;

describe('[HANDS-1] the list of machines', () => {
  test('shows connected and disconnected machines, and removes a deleted one', async () => {
    const { api } = kernel;
    const machine = await standBy({ client_id: 'a/b c' });
    expect(await listed()).toEqual({
      client_id: 'a/b c',
      name,
      platform: 'linux',
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      here: true,
    });
    machine.leave();
    await gone();
    const path = `/v1/hands/${encodeURIComponent('a/b c')}`;
    expect((await api.delete(path)).body).toEqual({ deleted: true, client_id: 'a/b c' });
    expect(await listed()).toBeUndefined();
    expect(await api.delete(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('replaces the stream of the same client, and ends the older one cleanly', async () => {
    const first = await standBy();
    const second = await standBy();
    await first.stream.closed();
    expect(await listed()).toMatchObject({ here: true });
    second.leave();
    await gone();
  });

  test('frees the old name of a client that connects under another name', async () => {
    await standBy({ client_id: 'mover' });
    await standBy({ client_id: 'mover' }, `${name} new`);
    expect(await listed()).toBeUndefined();
    expect(await listed(`${name} new`)).toMatchObject({ client_id: 'mover', here: true });
    await standBy({ client_id: 'other' });
  });

  test('keeps a name reserved for its client, also while it is disconnected', async () => {
    const { api } = kernel;
    (await standBy({ client_id: 'one' })).leave();
    await gone();
    const other = `?client_id=two&name=${encodeURIComponent(name)}`;
    expect(await api.get(`/v1/hands/live${other}`, { 'x-client-id': 'two' })).toMatchObject({
      status: 409,
      body: { code: 'name_taken', title: 'Machine name already in use' },
    });
  });

  test('[CONSENT-12] requires the header that a page of another site cannot send', async () => {
    const { api } = kernel;
    const query = `?client_id=${encodeURIComponent('a/b ü')}&name=${encodeURIComponent(name)}`;
    for (const headers of [{}, { 'x-client-id': 'other' }, { 'sec-fetch-site': 'none' }]) {
      const { status, body } = await api.get(`/v1/hands/live${query}`, headers as Record<string, string>);
      expect([status, body.detail]).toEqual([400, expect.stringContaining('X-Client-Id')]);
    }
    expect(await listed()).toBeUndefined();
    await standBy({ client_id: 'a/b ü' });
    expect(await listed()).toMatchObject({ here: true });
    // A page of the kernel itself does not need it: this one is refused only for its name.
    const own = `/v1/hands/live?client_id=two&name=${encodeURIComponent(name)}`;
    expect(await api.get(own, { 'sec-fetch-site': 'same-origin' })).toMatchObject({
      body: { code: 'name_taken' },
    });
  });

  test('[CONSENT-12] connects a client again only with the secret of its first stream, also after it was removed', async () => {
    const { api } = kernel;
    const client_id = 'id with a secret';
    const secret = 'x'.repeat(32);
    const machine = await standBy({ client_id, secret });
    // The list has what another client needs to name this machine, but not the secret or its hash.
    expect(Object.keys((await listed())!).sort()).toEqual(['client_id', 'here', 'name', 'platform', 'since']);
    const query = `?client_id=${encodeURIComponent(client_id)}&name=${encodeURIComponent(name)}`;
    const takeOver = (more: Record<string, string>) =>
      api.get(`/v1/hands/live${query}`, { 'x-client-id': encodeURIComponent(client_id), ...more });
    const refuseOthers = async () => {
      for (const other of [{}, { 'x-client-secret': 'y'.repeat(32) }]) {
        const { status, body } = await takeOver(other as Record<string, string>);
        expect([status, body.code]).toEqual([409, 'name_taken']);
        expect(body.detail).toContain('secret');
      }
    };
    await refuseOthers();
    expect(await listed()).toMatchObject({ here: true });
    const again = await standBy({ client_id, secret });
    await machine.stream.closed();
    again.leave();
    await gone();
    await refuseOthers();
    await api.delete(`/v1/hands/${encodeURIComponent(client_id)}`);
    await refuseOthers();
    expect(await listed()).toBeUndefined();
    await standBy({ client_id, secret });
    expect(await listed()).toMatchObject({ here: true });
    expect((await takeOver({ 'x-client-secret': 'short' })).status).toBe(400);
  });

  test('[CONSENT-12] accepts 64 machines, with names of 64 characters', async () => {
    const { client } = kernel;
    const longest = 'n'.repeat(64);
    await standBy({}, longest);
    expect((await kernel.api.get(`/v1/hands/live?client_id=b&name=${longest}n`)).status).toBe(400);
    const known = (await client.listHands()).hands.length;
    for (let more = known; more < 64; more++) (await standBy({}, `${name} ${more}`)).leave();
    const query = `?client_id=late&name=${encodeURIComponent(`${name} late`)}`;
    expect(await kernel.api.get(`/v1/hands/live${query}`, { 'x-client-id': 'late' })).toMatchObject({
      status: 409,
      body: { code: 'too_many_machines' },
    });
    // A known machine connects again, and a removed one makes room.
    await standBy({}, longest);
    for (const { client_id } of (await client.listHands()).hands) await client.forgetHands(client_id);
    await standBy();
  });

  test.each([
    ['', 'client_id'],
    ['?client_id=a', 'name'],
    ['?name=a', 'client_id'],
    ['?client_id=a&name=', 'name'],
    ['?client_id=a&name=a%0Ab', 'name'],
    ['?client_id=a&name=a%E2%80%AEb', 'name'],
  ])('rejects an invalid machine: %s', async (query, field) => {
    const { status, body } = await kernel.api.get(`/v1/hands/live${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    expect(JSON.stringify(body)).toContain(field);
  });
});

describe('a chat uses the machine that it names', () => {
  test('[HANDS-2] returns hands as a field of the chat, and clears it with the next directory', async () => {
    const { client, api } = kernel;
    const { id } = await client.createChat({ hands: 'never seen', workdir: '~/x' });
    expect((await client.getChat(id)).hands).toBe('never seen');
    await client.setWorkdir(id, { workdir: '/other', workdir_on: 'client', hands: 'tower' });
    expect(await client.getChat(id)).toMatchObject({ hands: 'tower', workdir: '/other' });
    await client.setWorkdir(id, { workdir: '/other', workdir_on: 'client' });
    expect((await client.getChat(id)).hands).toBeNull();
    const wrong = { workdir: '/x', workdir_on: 'server', hands: 'tower' };
    const refused = { status: 400, body: { code: 'invalid_value', errors: [{ pointer: '/hands' }] } };
    expect(await api.put(`/v1/chats/${id}/workdir`, wrong)).toMatchObject(refused);
    expect(await api.post('/v1/chats', wrong)).toMatchObject(refused);
    expect((await client.getChat(id)).workdir_on).toBe('client');
  });

  test('[HANDS-2] gives its turns the tools and the project without a request', async () => {
    const { upstream } = kernel;
    const machine = await standBy({ looks: true });
    const chat = await newChat();
    upstream.next(says('Hi.'));
    const turn = await kernel.client.begin(chat, { text: 'Go.' });
    const look = await machine.operation('list_up');
    expect(look).toMatchObject({ path: '/garden', names: ['AGENTS.md', '.service/MEMORY.md'], hands: name });
    expect(look).not.toHaveProperty('decisions');
    expect(
      await machine.answer(look, { result: { dirs: [{ dir: '/garden', found: ['AGENTS.md'] }] } }),
    ).toEqual({
      status: 200,
    });
    const read = await machine.operation('read');
    expect(read).toMatchObject({ path: '/garden/AGENTS.md', chat_id: chat, turn_id: look.turn_id });
    await machine.answer(read, { result: 'Be brief.' });
    await machine.answer(await machine.operation('list_dir'), { result: { entries: [] } });
    // Lookups of the kernel itself are not shown to any client.
    expect(eventsOf(await turn.all(), 'client_op')).toEqual([]);
    const request = upstream.requests.at(-1);
    expect(JSON.stringify(request?.body)).toContain(`on the user's machine ${name}`);
    expect(JSON.stringify(request?.body)).toContain('Be brief.');
    expect(namesIn(request)).toEqual(expect.arrayContaining(['shell', 'write_file', 'edit_file', 'workdir']));
  });

  test("[HANDS-2] uses the hands of the turn's own client if it has them, and none if the turn excludes machines", async () => {
    const machine = await standBy();
    const chat = await newChat();
    const own = await begin(chat, SHELL, { client_ops: true, client_id: 'terminal' });
    const { id, client_id, hands } = await own.until('client_op');
    expect([client_id, hands]).toEqual(['terminal', undefined]);
    await decide(chat, id, 'allow', { result: 'mine' });
    expect(await outputs(own)).toEqual([{ output: '== npm test\nmine', is_error: false }]);
    const none = await begin(chat, SHELL, { machine: 'none' });
    expect(await outputs(none)).toMatchObject([{ is_error: true }]);
    expect(machine.told).toEqual([]);
  });

  test('[HANDS-2] reads there with ops/read_bytes, with or without a turn, while the machine is connected', async () => {
    const { api } = kernel;
    const chat = await newChat();
    const read = () => api.post(`/v1/chats/${chat}/ops/read_bytes`, { path: 'a.bin', offset: 0, size: 3 });
    expect(await read()).toMatchObject({ status: 409, body: { code: 'no_client', detail: NOT_CONNECTED() } });
    const machine = await standBy();
    const all = await kernel.client.watchAll();
    const reading = read();
    const { request } = await all.until('request_opened');
    expect(request).toMatchObject({ chat_id: chat, event: { action: 'read_bytes', hands: name } });
    await decide(chat, request.id, 'allow');
    const asked = await machine.operation('read_bytes');
    expect(asked).toMatchObject({ path: '/garden/a.bin', offset: 0, size: 3, op_id: request.id });
    await machine.answer(asked, { result: { total: 3, data: 'AAEC' } });
    expect((await reading).body).toEqual({ total: 3, data: 'AAEC' });
    all.hangUp();
  });
});

describe('consent is separate from execution', () => {
  test('[HANDS-3] sends the operation to the machine under the same id after any client decides', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const all = await kernel.client.watchAll();
    const turn = await begin(chat, SHELL);
    const asked = await turn.until('consent_request');
    expect(asked).toEqual({
      type: 'consent_request',
      id: asked.op_id,
      op_id: asked.op_id,
      action: 'shell',
      command: 'npm test',
      workdir: '/garden',
      timeout_secs: 120,
      hands: name,
      decisions: OFFERED_PREFIX,
      reason: `A command is to run on the machine ${name}.`,
      outside: [],
    });
    const { request } = await all.until('request_opened');
    expect(request).toMatchObject({ id: asked.id, event: { hands: name, decisions: asked.decisions } });
    expect(machine.told).not.toContain('shell');
    // Clients that only decide do not get the result.
    expect(
      await kernel.api.post(`/v1/chats/${chat}/ops/result`, { id: asked.id, result: 'x' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/decision' }] },
    });
    expect((await decide(chat, asked.id, 'allow')).status).toBe(200);
    const run = await machine.operation('shell');
    const { decisions: _, reason: __, outside: ___, ...rest } = asked;
    const client_id = `id of ${name}`;
    const turn_id = expect.any(String);
    expect(run).toEqual({ ...rest, type: 'client_op', client_id, chat_id: chat, turn_id });
    // The request is over for all other clients, and a second response is too late.
    expect((await kernel.client.listRequests()).requests).toEqual([]);
    expect(await decide(chat, asked.id, 'deny')).toMatchObject({
      status: 409,
      body: { code: 'already_resolved', resolution: { reason: 'answered', decision: 'allow' } },
    });
    await machine.answer(run, { result: { output: 'ok', exit_code: 0 } });
    expect(await outputs(turn)).toEqual([{ output: '== npm test\nok', is_error: false }]);
    expect(eventsOf(await turn.all(), 'request_resolved')).toEqual([
      { type: 'request_resolved', id: asked.id, kind: 'op', reason: 'answered', decision: 'allow' },
    ]);
    expect(machine.told.slice(-2)).toEqual(['shell', 'answered']);
    all.hangUp();
  });

  test('[HANDS-3] sends no denied operation to the machine, and gives the model the reason of the user', async () => {
    const machine = await standBy();
    const chat = await newChat(undefined);
    for (const [error, output] of [
      [undefined, 'The user declined this operation.'],
      ['Use the other file.', 'The user declined this operation. They said: Use the other file.'],
    ]) {
      const turn = await begin(chat, WRITE, { machine: 'auto' });
      const { id } = await turn.until('consent_request');
      await decide(chat, id, 'deny', error === undefined ? {} : { error });
      expect(await outputs(turn)).toEqual([{ output, is_error: true }]);
    }
    expect(machine.told.filter(told => told === 'write')).toEqual([]);
  });

  test('[HANDS-3] accepts the first answer, and closes the others within a second on every stream', async () => {
    await standBy();
    const chat = await newChat();
    const [viewer, all] = [await kernel.client.watch(chat, { follow: true }), await kernel.client.watchAll()];
    const turn = await begin(chat, WRITE);
    const { id } = await turn.until('consent_request');
    const before = Date.now();
    const [first, second] = await Promise.all([decide(chat, id, 'deny'), decide(chat, id, 'allow')]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const closed = { id, reason: 'answered' };
    expect(await viewer.until('request_resolved')).toMatchObject(closed);
    expect(await all.until('request_resolved')).toMatchObject(closed);
    expect(await turn.until('request_resolved')).toMatchObject(closed);
    expect(Date.now() - before).toBeLessThan(1000);
    await cancel(chat);
    for (const stream of [viewer, all]) stream.hangUp();
    await turn.all();
  });

  test('[HANDS-3] returns a refusal by the policy of the machine to the model', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await begin(chat, WRITE);
    await decide(chat, (await turn.until('consent_request')).id, 'allow');
    await machine.answer(await machine.operation('write'), { error: 'Out of reach here.' });
    expect(await outputs(turn)).toEqual([{ output: 'Out of reach here.', is_error: true }]);
  });

  test('[HANDS-3] notifies the machine of a cancel', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await begin(chat, WRITE);
    await decide(chat, (await turn.until('consent_request')).id, 'allow');
    const run = await machine.operation('write');
    await cancel(chat);
    await machine.stream.until(event => event.type === 'request_resolved' && event.reason === 'cancelled');
    expect(await machine.answer(run, { result: 'late' })).toMatchObject({
      status: 409,
      code: 'already_resolved',
    });
    await turn.all();
  });

  test('[HANDS-3] shows snapshots of the machine at the call', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await begin(chat, SHELL);
    await decide(chat, (await turn.until('consent_request')).id, 'allow');
    const run = await machine.operation('shell');
    await kernel.client.showProgress(chat, { id: run.id, output: 'half' });
    expect(await turn.until('tool_progress')).toMatchObject({ output: 'half' });
    await machine.answer(run, { result: 'whole' });
    await turn.all();
  });
});

describe('a disconnected machine', () => {
  /** Runs a turn whose write was allowed. */
  async function allowed(chat: string) {
    const turn = await begin(chat, WRITE);
    const { id } = await turn.until('consent_request');
    await decide(chat, id, 'allow');
    return turn;
  }

  /** Lets the wait for the machine pass once it has begun. */
  async function pass() {
    const left = () => [...clock.timers].map(({ at }) => at - clock.now());
    await expect.poll(left).toContain(WAIT_SECS * 1000);
    clock.advance(WAIT_SECS * 1000);
  }

  test('[HANDS-4] is waited for, and then its operation fails with the fixed text', async () => {
    (await standBy()).leave();
    await gone();
    const turn = await allowed(await newChat());
    await pass();
    expect(await outputs(turn)).toEqual([{ output: NOT_CONNECTED(), is_error: true }]);
  });

  test('[HANDS-4] fails the operation in the same way without a question if it never connected', async () => {
    const turn = await begin(await newChat(), WRITE);
    await pass();
    expect(await outputs(turn)).toEqual([{ output: NOT_CONNECTED(), is_error: true }]);
    expect(eventsOf(await turn.all(), 'consent_request')).toEqual([]);
  });

  test('[HANDS-4] receives an unsent operation once if it connects in time', async () => {
    (await standBy()).leave();
    await gone();
    const turn = await allowed(await newChat());
    const machine = await standBy();
    await machine.answer(await machine.operation('write'), { result: 'done' });
    expect(await outputs(turn)).toEqual([
      { output: 'Wrote a.txt (1 byte).\nMessage from the client: done', is_error: false },
    ]);
    expect(machine.told).toEqual(['write', 'answered']);
  });

  test('[HANDS-4] continues a running operation over a cut stream, and posts the result', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    const run = await machine.operation('write');
    machine.leave();
    await gone();
    expect(await machine.answer(run, { result: 'done' })).toEqual({ status: 200 });
    expect(await outputs(turn)).toMatchObject([{ is_error: false }]);
  });

  test('[HANDS-4] reports a running operation, which continues and is not sent again', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    const run = await machine.operation('write');
    machine.leave();
    await gone();
    const again = await standBy({ running: [run.op_id] });
    await again.answer(run, { result: 'done' });
    expect(await outputs(turn)).toMatchObject([{ is_error: false }]);
    expect(again.told).toEqual(['answered']);
  });

  test('[HANDS-4] reconnects without an operation that was sent, which fails and is not sent again', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    const run = await machine.operation('write');
    machine.leave();
    await gone();
    const again = await standBy();
    expect(await outputs(turn)).toEqual([
      {
        output: `The machine ${name} reconnected without this operation. It may have run partly or completely.`,
        is_error: true,
      },
    ]);
    expect(again.told).toEqual(['expired']);
    expect(await again.answer(run, { result: 'late' })).toMatchObject({ status: 409 });
  });

  test('[HANDS-4] is notified on reconnect of ended and unknown operations', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await allowed(chat);
    const run = await machine.operation('write');
    machine.leave();
    await gone();
    await cancel(chat);
    await turn.all();
    const again = await standBy({ running: [run.op_id, 'of another life'] });
    const nowhere = '00000000-0000-0000-0000-000000000000';
    await again.stream.until(event => event.id === 'of another life');
    expect(again.stream.events).toEqual([
      {
        type: 'request_resolved',
        chat_id: chat,
        turn_id: run.turn_id,
        id: run.id,
        kind: 'op',
        reason: 'cancelled',
      },
      {
        type: 'request_resolved',
        chat_id: nowhere,
        turn_id: nowhere,
        id: 'of another life',
        kind: 'op',
        reason: 'turn_ended',
      },
    ]);
  });

  test('[HANDS-4] ends its operation at once if it is deleted', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    await machine.operation('write');
    await kernel.client.forgetHands(`id of ${name}`);
    expect(await outputs(turn)).toEqual([{ output: NOT_CONNECTED(), is_error: true }]);
    await machine.stream.closed();
  });
});

test('[HANDS-6] a grant for a connected machine covers only that machine, and its label names it', async () => {
  const machine = await standBy();
  const chat = await newChat();
  const turn = await begin(chat, WRITE);
  await decide(chat, (await turn.until('consent_request')).id, 'allow_always');
  await machine.answer(await machine.operation('write'), { result: 'done' });
  await turn.all();
  const { approvals } = await kernel.client.listApprovals();
  expect(approvals.filter(({ chat_id }) => chat_id === chat)).toMatchObject([
    {
      action: 'write',
      hands: name,
      client_id: `id of ${name}`,
      workdir: '/garden',
      decision: 'allow_always',
    },
  ]);
  // For its user the same client under another name is another machine.
  machine.leave();
  await standBy({ client_id: `id of ${name}` }, `${name} moved`);
  await kernel.client.setWorkdir(chat, { workdir: '/garden', workdir_on: 'client', hands: `${name} moved` });
  const again = await begin(chat, WRITE);
  expect((await again.until('consent_request')).hands).toBe(`${name} moved`);
  await cancel(chat);
  await again.all();
});
