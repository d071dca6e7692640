/** Tests the model's tools on the machine of a client with hands, on real files and over the real protocol. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@chat-kernel/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { OFFERED, OFFERED_EDIT, OFFERED_PREFIX } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient, type HandsOptions } from '../harness/hands.ts';
import { foldItems } from '../harness/items.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const kernel = sharedKernel();

/** The directory of the client, new for each test. */
let workdir: string;
beforeEach(() => {
  workdir = directoryOfTest();
});

const on = (name: string) => join(workdir, name);
const read = (name: string) => readFileSync(on(name), 'utf8');

/** Runs a turn whose model makes these calls in order, for a client that executes each request. */
async function turn(
  made: [name: string, input: JsonObject][],
  options: Partial<HandsOptions> = {},
  { body = {}, at = kernel }: { body?: object; at?: TestKernel } = {},
) {
  const { api, client, upstream } = at;
  const chat = await client.createChat({ workdir });
  const hands = new HandsClient(api, { directory: workdir, ...options });
  upstream.next(...made.map(([name, input], index) => calls(`c${index}`, name, input)), says('Done.'));
  const events = await hands.turn(chat.id, { text: 'Go.', ...body });
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect((await client.listRequests()).requests).toEqual([]);
  const results = eventsOf(events, 'tool_result').map(({ output, is_error }) => ({ output, is_error }));
  return { chat, events, results, done: hands.done, ops: eventsOf(events, 'client_op') };
}

/** The content of the last request to the model, as text. */
const prompt = ({ upstream }: TestKernel = kernel) => JSON.stringify(upstream.requests.at(-1)?.body);
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

test('[MSG-3] [OP-1] [XT-1] lists in a rewind the client actions that it does not undo', async () => {
  const written: [string, JsonObject] = ['write_file', { path: 'a.txt', content: 'one' }];
  const ran: [string, JsonObject] = ['shell', { commands: ['true'] }];
  const { chat } = await turn([written, ['read_file', { files: [{ path: 'a.txt' }] }], ran]);
  const { client, upstream } = kernel;
  upstream.next(calls('x', 'scan', { page: 1 }), says('Done.'));
  const stream = await client.begin(chat.id, {
    text: 'Go.',
    extra_tools: [{ name: 'scan', description: 'Scans.' }],
  });
  const { id } = await stream.until('extra_tool_call');
  await client.answerRequest(chat.id, { id, result: 'A letter.' });
  await stream.all();
  const [first] = (await client.listMessages(chat.id)).messages;
  const body = await client.rewind(chat.id, first!.id);
  expect(body.not_undone).toEqual(
    [written, ran, ['scan', { page: 1 }]].map(([tool, input]) => ({ tool, summary: JSON.stringify(input) })),
  );
  expect(read('a.txt')).toBe('one');
});

describe('files and commands', () => {
  test('[OP-1] run on the client, and the model gets the results', async () => {
    const { results, done } = await turn([
      ['write_file', { path: 'src/a.txt', content: 'one\ntwo\n' }],
      ['edit_file', { path: 'src/a.txt', old: 'two', new: '2' }],
      ['read_file', { files: [{ path: 'src/a.txt' }, { path: on('src/a.txt'), offset: 2 }] }],
      ['shell', { commands: ['cat src/a.txt; pwd -P', 'echo on stderr >&2; exit 3'] }],
    ]);
    expect(read('src/a.txt')).toBe('one\n2\n');
    const [written, edited, shown, ran] = results.map(({ output }) => output);
    expect(written).toBe('Wrote src/a.txt (8 bytes).\nMessage from the client: written');
    expect(edited).toBe('Edited src/a.txt, line 2.\nMessage from the client: written');
    expect(shown).toBe(`== src/a.txt\none\n2\n\n== ${on('src/a.txt')}\n2`);
    expect(ran).toBe(
      `== cat src/a.txt; pwd -P\none\n2\n${workdir}\n\n== echo on stderr >&2; exit 3\non stderr\n[exit code 3]`,
    );
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false, true]);
    for (const { output } of results) expect(prompt()).toContain(inJson(output));
    expect(done.map(({ action, status }) => [action, status])).toEqual(
      ['write', 'read', 'write', 'read', 'read', 'shell', 'shell'].map(action => [action, 200]),
    );
  });

  test('[OP-1] are sent in one order of fields, with the parameters of the action', async () => {
    writeFileSync(on('a.txt'), 'old');
    const { ops } = await turn(
      [
        ['read_file', { files: [{ path: './a.txt' }] }],
        ['write_file', { path: '/../tmp', content: 'x' }],
        ['shell', { commands: ['true'], timeout_secs: 7 }],
      ],
      { client_id: 'laptop', decide: ({ action }) => (action === 'write' ? 'deny' : 'allow') },
    );
    const wire = ({ op_id }: { op_id: string }, middle: object, decisions = OFFERED) =>
      JSON.stringify({
        type: 'client_op',
        id: op_id,
        op_id,
        ...middle,
        decisions,
        client_id: 'laptop',
      });
    expect(ops.map(event => JSON.stringify(event))).toEqual([
      wire(ops[0]!, { action: 'read', path: on('a.txt') }),
      wire(ops[1]!, { action: 'write', path: '/../tmp', content: 'x' }),
      wire(ops[2]!, { action: 'shell', command: 'true', workdir, timeout_secs: 7 }, OFFERED_PREFIX),
    ]);
    expect(new Set(ops.map(({ op_id }) => op_id)).size).toBe(3);
  });

  test('[ITEM-5] are items of the live stream only, complete from their start', async () => {
    const { client } = kernel;
    const { chat, events, ops } = await turn([['write_file', { path: 'a.txt', content: 'x' }]]);
    const { op_id } = ops[0]!;
    const { turn_id } = eventsOf(events, 'done')[0]!;
    const begun = {
      id: expect.stringMatching(new RegExp(`^${turn_id}:\\d+$`)),
      kind: 'client_op',
      turn_id,
      created_at: expect.any(String),
      op_id,
      action: 'write',
      params: { path: on('a.txt'), content: 'x' },
      decisions: OFFERED_EDIT,
    };
    const told = [...eventsOf(events, 'item_started'), ...eventsOf(events, 'item_completed')]
      .map(({ item }) => item)
      .filter(({ kind }) => kind === 'client_op');
    expect(told).toEqual([
      { ...begun, status: 'running' },
      { ...begun, status: 'completed', decision: 'allow', resolution: { reason: 'answered' } },
    ]);
    expect(eventsOf(events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id: op_id, kind: 'op', reason: 'answered', decision: 'allow' },
    ]);
    const items = await client.items(chat.id);
    expect(items.map(({ kind }) => kind)).toEqual(['user_message', 'tool_call', 'agent_message']);
    expect(JSON.stringify(items)).not.toContain(op_id);
  });
});

test('[OP-6] returns an error for an action that the client does not support, and continues the turn', async () => {
  const { results, events } = await turn(
    [
      ['shell', { commands: ['true'] }],
      ['write_file', { path: 'a.txt', content: '' }],
    ],
    { knows: ['read'] },
  );
  expect(results).toEqual([
    { output: '== true\nunknown op action', is_error: true },
    { output: 'unknown op action', is_error: true },
  ]);
  expect(eventsOf(events, 'request_resolved')).toMatchObject(Array(2).fill({ reason: 'answered' }));
});

describe('search for project files', () => {
  const looks = ({ ops }: Awaited<ReturnType<typeof turn>>) => ops.map(({ action }) => action);

  test('[OP-3] needs no approval, and has no decisions in its event and item', async () => {
    const { ops, events } = await turn([], { client_id: 'laptop' }, { body: { project_docs: true } });
    const { op_id } = ops[0]!;
    expect(ops.map(event => JSON.stringify(event))).toEqual([
      JSON.stringify({
        type: 'client_op',
        id: op_id,
        op_id,
        action: 'list_up',
        path: workdir,
        names: ['AGENTS.md', '.service/MEMORY.md'],
        client_id: 'laptop',
      }),
    ]);
    const item = foldItems(events).find(({ kind }) => kind === 'client_op');
    expect(item).toMatchObject({ status: 'completed', resolution: { reason: 'answered' } });
    expect(item).not.toHaveProperty('decisions');
    expect(item).not.toHaveProperty('decision');
  });

  test('[OP-3] is only sent to clients that support it', async () => {
    expect(looks(await turn([], {}, { body: { project_docs: true } }))).toEqual(['list_up']);
    expect(looks(await turn([]))).toEqual([]);
    expect(looks(await turn([], {}, { body: { project_docs: true, client_ops: false } }))).toEqual([]);
  });

  test('[OP-3] requires a working directory on the client', async () => {
    const { api, client } = kernel;
    const hands = new HandsClient(api, { directory: workdir });
    for (const chat of [{}, { workdir: null }, { workdir, workdir_on: 'server' }] as const) {
      const { id } = await client.createChat(chat);
      expect(eventsOf(await hands.turn(id, { text: 'Go.', project_docs: true }), 'client_op')).toEqual([]);
    }
  });

  test('[OP-3] rejects an answer with a decision', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat({ workdir });
    const stream = await client.begin(chat.id, { text: 'Go.', client_ops: true, project_docs: true });
    const { id } = await stream.until('client_op');
    const answer = (body: object) => api.post(`/v1/chats/${chat.id}/ops/result`, { id, ...body });
    expect((await answer({ decision: 'allow', result: { dirs: [] } })).body).toMatchObject({
      code: 'invalid_value',
      errors: [{ pointer: '/decision' }],
    });
    expect((await answer({ result: { dirs: [] } })).status).toBe(200);
    await stream.all();
  });
});
