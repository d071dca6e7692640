/** Tests how the tools of a turn depend on its speaker, its client, its request and the decisions of the user. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { Terminal } from '../harness/terminal.ts';
import type { RecordedRequest } from '../upstream/server.ts';

const DANGEROUS = ['agent', 'edit_file', 'read_file', 'shell', 'workdir', 'write_file'];
/** The version for strangers reads only attached files. */
const withoutReading = (names: string[]) => names.filter(name => name !== 'read_file');
const GROUPS = ['agents', 'files', 'shell'];

const directory = temporaryDirectory();
const workdir = realpathSync(directory.path);
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

const namesIn = (request: RecordedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);

/** The names of the tools that such a turn is offered, in order. */
async function offered(body: object, { client, upstream } = kernel, chat: object = {}): Promise<string[]> {
  const { id } = await client.createChat(chat);
  await client.say(id, 'Hi.', { ...body });
  return namesIn(upstream.requests.at(-1));
}

const dangerous = (names: string[]) => names.filter(name => DANGEROUS.includes(name));

test('[BT-10] offers all dangerous tools to the master', async () => {
  expect(dangerous(await offered({}))).toEqual(DANGEROUS);
});

describe.each([
  ['a guest', { guest: true }],
  ['another person', { sender: 'Ann' }],
  ['a guest with a name', { guest: true, sender: 'Ann' }],
])('%s', (_, who) => {
  test.each([
    ['no selection', undefined],
    ['names', DANGEROUS],
    ['groups', GROUPS],
  ])('[TURN-8] [BT-10] is offered no dangerous tool, whatever the request selects: %s', async (_way, tools) => {
    const asked = { ...who, ...(tools && { tools }) };
    for (const hands of [{}, { client_ops: true, questions: false }]) {
      const names = await offered({ ...asked, ...hands }, kernel, { workdir });
      expect(withoutReading(dangerous(names))).toEqual([]);
      if (tools === undefined) expect(names).toContain('think_harder');
      else expect(names).toEqual(['read_file']);
    }
  });

  test('[TURN-8] [BT-10] is refused dangerous tools and sub-agents', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat({ workdir });
    const asked = upstream.requests.length;
    upstream.next(
      {
        steps: [
          { call: { id: 'a', name: 'agent', input: { agents: [{ name: 'x', task: 'Go.' }] } } },
          { call: { id: 'w', name: 'write_file', input: { path: 'no', content: '' } } },
          { call: { id: 'd', name: 'workdir', input: { path: '/' } } },
        ],
      },
      says('Well.'),
    );
    const hands = new Terminal(client, { directory: workdir });
    const events = await hands.turn(chat.id, { text: 'Go.', ...who });
    const results = eventsOf(events, 'tool_result');
    expect(results).toHaveLength(3);
    for (const { name, output, is_error } of results) {
      expect([is_error, output]).toEqual([true, expect.stringContaining(`There is no tool ${name}.`)]);
    }
    expect(hands.done).toEqual([]);
    expect(existsSync(join(workdir, 'no'))).toBe(false);
    expect((await client.getChat(chat.id)).workdir).toBe(workdir);
    expect(upstream.requests.length).toBe(asked + 2);
  });
});

test.each<[object, boolean]>([
  [{}, false],
  [{ client_ops: true }, true],
  [{ client_ops: true, questions: false }, false],
  [{ questions: true }, true],
  [{ questions: true, client_ops: false }, true],
  [{ questions: true, guest: true }, true],
  [{ tools: ['ask_questions'] }, false],
  [{ questions: true, tools: ['plan'] }, false],
])('[BT-5] with %j, offers ask_questions to the model: %s', async (body, can) => {
  expect((await offered(body)).includes('ask_questions')).toBe(can);
});

test('[TURN-8] [CHAT-6] accepts names and groups together, skips unknown ones, and keeps the overall order', async () => {
  const all = await offered({});
  const some = ['think_harder', 'shell', 'plan', 'nothing', 'agents'];
  expect(await offered({ tools: some })).toEqual(all.filter(name => some.includes(name) || name === 'agent'));
  const toolset = { loaded: [], disabled: ['files', 'agents'] };
  const gone = DANGEROUS.filter(name => name !== 'shell');
  expect(await offered({}, kernel, { toolset })).toEqual(all.filter(name => !gone.includes(name)));
  expect(await offered({ tools: ['files', 'shell'] }, kernel, { toolset })).toEqual(['shell']);
});

test("[BT-1] prefers the user's policy to the default of a tool, and lets tools of a turn only narrow it", async () => {
  const policy = { agent: 'allow', shell: 'off', think_harder: 'trusted' } as const;
  const own = await kernelOf({ settings: { tools: { policy } } });
  const master = await offered({}, own);
  expect(master).toEqual(expect.arrayContaining(['agent', 'read_file', 'think_harder']));
  expect(master).not.toContain('shell');
  expect(await offered({ tools: ['shell', 'plan'] }, own)).toEqual(['plan']);
  const guest = await offered({ guest: true }, own);
  expect(dangerous(guest)).toEqual(['agent', 'read_file']);
  expect(guest).not.toContain('think_harder');
  const some = ['think_harder', 'plan', 'read_file'];
  expect(await offered({ guest: true, tools: some }, own)).toEqual(['read_file']);
});

test('[BT-10] [TURN-8] gives sub-agents no tool that their turn does not have', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir, workdir_on: 'server' });
  upstream.next(calls('c', 'agent', { agents: [{ name: 'x', task: 'Go.' }] }), says('Found.'), says('Done.'));
  await client.say(chat.id, 'Go.', { tools: ['agent', 'read_file', 'plan'] });
  expect(namesIn(upstream.requests.at(-2))).toEqual(['read_file']);
});
