/** Machines that stand by: who is here, where a chat acts, and consent that is given elsewhere. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { namesIn } from '../harness/modules.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ settings: { requests: { hands_wait_secs: 2 } } });
});
afterAll(() => kernel.stop());

/** A name of its own for each test: machines stay known. */
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

/** A turn of a phone, whose model makes this call and then says ok. */
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
  test('tells who is here, keeps who was, and forgets', async () => {
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

  test('the same client again takes the place over: the older stream ends, in order', async () => {
    const first = await standBy();
    const second = await standBy();
    await first.stream.closed();
    expect(await listed()).toMatchObject({ here: true });
    second.leave();
    await gone();
  });

  test('a client that comes under another name gives the old one back', async () => {
    await standBy({ client_id: 'mover' });
    await standBy({ client_id: 'mover' }, `${name} new`);
    expect(await listed()).toBeUndefined();
    expect(await listed(`${name} new`)).toMatchObject({ client_id: 'mover', here: true });
    await standBy({ client_id: 'other' });
  });

  test('a name belongs to one client, also while that is away', async () => {
    const { api } = kernel;
    (await standBy({ client_id: 'one' })).leave();
    await gone();
    const other = `?client_id=two&name=${encodeURIComponent(name)}`;
    expect(await api.get(`/v1/hands/live${other}`)).toMatchObject({
      status: 409,
      body: { code: 'name_taken', title: 'Another machine has this name' },
    });
  });

  test.each([
    ['', 'client_id'],
    ['?client_id=a', 'name'],
    ['?name=a', 'client_id'],
    ['?client_id=a&name=', 'name'],
    ['?client_id=a&name=a%0Ab', 'name'],
    ['?client_id=a&name=a%E2%80%AEb', 'name'],
  ])('what is no machine is refused: %s', async (query, field) => {
    const { status, body } = await kernel.api.get(`/v1/hands/live${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    expect(JSON.stringify(body)).toContain(field);
  });
});

describe('[HANDS-2] a chat acts on the machine that it names', () => {
  test('hands is a field of the chat, which the next directory clears', async () => {
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

  test('its turns get the tools, and the project, without being asked for', async () => {
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
    // Nothing of what the kernel looks up by itself is shown to anybody.
    expect(eventsOf(await turn.all(), 'client_op')).toEqual([]);
    const request = upstream.requests.at(-1);
    expect(JSON.stringify(request?.body)).toContain(`on the user's machine ${name}`);
    expect(JSON.stringify(request?.body)).toContain('Be brief.');
    expect(namesIn(request)).toEqual(expect.arrayContaining(['shell', 'write_file', 'edit_file', 'workdir']));
  });

  test('a turn whose own client has hands uses those; one on no machine, none', async () => {
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

  test('ops/read_bytes reads there, with or without a turn, while it is here', async () => {
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

describe('[HANDS-3] consent is apart from execution', () => {
  test('any client decides, then the machine gets the operation under the same id', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const all = await kernel.client.watchAll();
    const turn = await begin(chat, SHELL);
    const asked = await turn.until('client_op');
    expect(asked).toEqual({
      type: 'client_op',
      id: asked.op_id,
      op_id: asked.op_id,
      action: 'shell',
      command: 'npm test',
      workdir: '/garden',
      timeout_secs: 120,
      hands: name,
      decisions: ['allow', 'allow_session', 'allow_always', 'allow_prefix', 'deny'],
      client_id: `id of ${name}`,
    });
    const { request } = await all.until('request_opened');
    expect(request).toMatchObject({ id: asked.id, event: { hands: name, decisions: asked.decisions } });
    expect(machine.told).not.toContain('shell');
    // A result is none of theirs who only decide.
    expect(
      await kernel.api.post(`/v1/chats/${chat}/ops/result`, { id: asked.id, result: 'x' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/decision' }] },
    });
    expect((await decide(chat, asked.id, 'allow')).status).toBe(200);
    const run = await machine.operation('shell');
    const { decisions: _, ...rest } = asked;
    expect(run).toEqual({ ...rest, chat_id: chat, turn_id: expect.any(String) });
    // The request is over for everybody else, and a second answer comes too late.
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

  test('denied, the machine is never told; the words of the owner are what the model reads', async () => {
    const machine = await standBy();
    const chat = await newChat(undefined);
    for (const [error, output] of [
      [undefined, 'The user declined this operation.'],
      ['Use the other file.', 'Use the other file.'],
    ]) {
      const turn = await begin(chat, WRITE, { machine: 'auto' });
      const { id } = await turn.until('client_op');
      await decide(chat, id, 'deny', error === undefined ? {} : { error });
      expect(await outputs(turn)).toEqual([{ output, is_error: true }]);
    }
    expect(machine.told.filter(told => told === 'write')).toEqual([]);
  });

  test('the first answer wins and closes the others within a second, on every stream', async () => {
    await standBy();
    const chat = await newChat();
    const [viewer, all] = [await kernel.client.watch(chat, { follow: true }), await kernel.client.watchAll()];
    const turn = await begin(chat, WRITE);
    const { id } = await turn.until('client_op');
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

  test('a machine may refuse by its own policy', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await begin(chat, WRITE);
    await decide(chat, (await turn.until('client_op')).id, 'allow');
    await machine.answer(await machine.operation('write'), { error: 'Out of reach here.' });
    expect(await outputs(turn)).toEqual([{ output: 'Out of reach here.', is_error: true }]);
  });

  test('a cancel tells the machine that the operation is over', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await begin(chat, WRITE);
    await decide(chat, (await turn.until('client_op')).id, 'allow');
    const run = await machine.operation('write');
    await cancel(chat);
    await machine.stream.until(event => event.type === 'request_resolved' && event.reason === 'cancelled');
    expect(await machine.answer(run, { result: 'late' })).toMatchObject({
      status: 409,
      code: 'already_resolved',
    });
    await turn.all();
  });

  test('snapshots of the machine are shown at the call', async () => {
    const machine = await standBy();
    const chat = await newChat();
    const turn = await begin(chat, SHELL);
    await decide(chat, (await turn.until('client_op')).id, 'allow');
    const run = await machine.operation('shell');
    await kernel.client.showProgress(chat, { id: run.id, output: 'half' });
    expect(await turn.until('tool_progress')).toMatchObject({ output: 'half' });
    await machine.answer(run, { result: 'whole' });
    await turn.all();
  });
});

describe('[HANDS-4] a machine that is away', () => {
  /** A turn whose write was allowed. */
  async function allowed(chat: string) {
    const turn = await begin(chat, WRITE);
    const { id } = await turn.until('client_op');
    await decide(chat, id, 'allow');
    return turn;
  }

  test('is waited for, and its operation then is an error, in these words', async () => {
    (await standBy()).leave();
    await gone();
    const turn = await allowed(await newChat());
    expect(await outputs(turn)).toEqual([{ output: NOT_CONNECTED(), is_error: true }]);
  });

  test('was never here: the same, and nobody is asked', async () => {
    const turn = await begin(await newChat(), WRITE);
    expect(await outputs(turn)).toEqual([{ output: NOT_CONNECTED(), is_error: true }]);
    expect(eventsOf(await turn.all(), 'client_op')).toEqual([]);
  });

  test('comes in time, and gets what was never sent to it, once', async () => {
    (await standBy()).leave();
    await gone();
    const turn = await allowed(await newChat());
    const machine = await standBy();
    await machine.answer(await machine.operation('write'), { result: 'done' });
    expect(await outputs(turn)).toEqual([
      { output: 'Wrote a.txt (1 byte).\nThe client says: done', is_error: false },
    ]);
    expect(machine.told).toEqual(['write', 'answered']);
  });

  test('goes on with what it began when its stream is cut, and posts the result', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    const run = await machine.operation('write');
    machine.leave();
    await gone();
    expect(await machine.answer(run, { result: 'done' })).toEqual({ status: 200 });
    expect(await outputs(turn)).toMatchObject([{ is_error: false }]);
  });

  test('says what it is at: that goes on, and is not sent again', async () => {
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

  test('comes back without what it was sent: that ends, and is not sent again', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    const run = await machine.operation('write');
    machine.leave();
    await gone();
    const again = await standBy();
    expect(await outputs(turn)).toEqual([
      {
        output: `The machine ${name} lost its connection and came back without this operation: it may have been done, in part or whole.`,
        is_error: true,
      },
    ]);
    expect(again.told).toEqual(['expired']);
    expect(await again.answer(run, { result: 'late' })).toMatchObject({ status: 409 });
  });

  test('is told on its return what has ended meanwhile, and what nobody knows any more', async () => {
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

  test('is forgotten while it is at something: that ends at once', async () => {
    const machine = await standBy();
    const turn = await allowed(await newChat());
    await machine.operation('write');
    await kernel.client.forgetHands(`id of ${name}`);
    expect(await outputs(turn)).toEqual([{ output: NOT_CONNECTED(), is_error: true }]);
    await machine.stream.closed();
  });
});

test('[HANDS-6] a grant for a machine that stands by covers it alone, and its label names it', async () => {
  const machine = await standBy();
  const chat = await newChat();
  const turn = await begin(chat, WRITE);
  await decide(chat, (await turn.until('client_op')).id, 'allow_always');
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
  // The same client under another name is another machine to its owner.
  machine.leave();
  await standBy({ client_id: `id of ${name}` }, `${name} moved`);
  await kernel.client.setWorkdir(chat, { workdir: '/garden', workdir_on: 'client', hands: `${name} moved` });
  const again = await begin(chat, WRITE);
  expect((await again.until('client_op')).hands).toBe(`${name} moved`);
  await cancel(chat);
  await again.all();
});
