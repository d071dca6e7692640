/** Tests which calls ask their owner: by their effects, the settings, the chat, and what the turn has read. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { program } from '../../packages/mcp-client/test/fixtures/desk.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { becomes, started, tool, toolEntry } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

/** A kernel with an MCP server `desk` and a module `parrot`, whose tool `echo` declares no effects. */
async function withTools(tools: object = {}): Promise<TestKernel> {
  const kernel = await kernelOf({
    settings: {
      tools,
      mcp: { servers: { desk: program('2025-11-25').entry } },
      modules: { servers: { parrot: started({ name: 'parrot', tools: [tool('echo')] }) } },
    },
  });
  await becomes(kernel.api, 'parrot', 'up');
  await expect.poll(() => toolEntry(kernel.api, 'mcp_desk_echo'), { timeout: 30_000 }).toBeDefined();
  return kernel;
}

/** Runs a turn with one call; answers its request for consent, if it makes one. */
async function turnWith(
  { client, upstream }: TestKernel,
  chat: string,
  [name, input]: readonly [name: string, input: Record<string, unknown>],
  decision = 'allow',
) {
  upstream.next(calls('c', name, input), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true });
  const first = await Promise.race([turn.until('consent_request'), turn.until('done')]);
  const asked = first.type === 'consent_request' ? first : undefined;
  if (asked !== undefined) await client.answerRequest(chat, { id: asked.id, decision });
  const [result] = eventsOf(await turn.all(), 'tool_result');
  return { asked, output: result?.output, turn: await client.getTurn(chat, turn.turnId) };
}

const ECHO = ['parrot_echo', { word: 'hi' }] as const;
const DESK = ['mcp_desk_echo', { word: 'hi' }] as const;
const REMEMBER = ['memory', { add: 'Drinks tea.' }] as const;

let directory: string;
beforeEach(() => {
  directory = realpathSync(directoryOfTest());
});

test('[CONSENT-2] lists what each tool may do, and settings override it', async () => {
  const { client } = await withTools({ effects: { parrot_echo: ['read'] } });
  const { tools } = await client.listTools();
  const effects = Object.fromEntries(tools.map(each => [each.name, each.effects]));
  expect(effects).toMatchObject({
    read_file: ['read'],
    write_file: ['write'],
    edit_file: ['write'],
    shell: ['execute'],
    memory: ['remember'],
    schedule: ['remember'],
    plan: [],
    agent: [],
    mcp_desk_echo: ['read'],
    parrot_echo: ['read'],
  });
});

test('[CONSENT-3] a policy asks before each call in every chat, and a grant covers the tool', async () => {
  const kernel = await withTools({ policy: { mcp_desk: 'ask' } });
  const chat = (await kernel.client.createChat({ consent: 'never' })).id;
  const denied = await turnWith(kernel, chat, DESK, 'deny');
  expect(denied.asked).toMatchObject({
    action: 'mcp_desk_echo',
    word: 'hi',
    hands: null,
    decisions: ['allow', 'allow_session', 'allow_always', 'deny'],
    reason: 'The settings require a question before each call of mcp_desk_echo.',
  });
  expect(denied.output).toBe('The user declined this operation.');
  expect((await turnWith(kernel, chat, DESK, 'allow_always')).output).toBe('{"word":"hi"}');
  expect((await turnWith(kernel, chat, DESK)).asked).toBeUndefined();
  expect((await kernel.client.listApprovals()).approvals).toMatchObject([
    { action: 'mcp_desk_echo', decision: 'allow_always' },
  ]);
});

test('[CONSENT-3] in a chat that asks, whatever sends something asks', async () => {
  const kernel = await withTools();
  const asking = (await kernel.client.createChat({ consent: 'ask' })).id;
  const free = (await kernel.client.createChat({ consent: 'auto' })).id;
  expect((await turnWith(kernel, asking, ECHO)).asked).toMatchObject({
    reason: 'This chat asks before parrot_echo sends something out.',
  });
  expect((await turnWith(kernel, asking, DESK)).asked).toBeUndefined();
  expect((await turnWith(kernel, free, ECHO)).asked).toBeUndefined();
});

test('[CONSENT-3] in a chat that asks, reading outside of the working directory asks, and a grant covers the directory', async () => {
  const kernel = await kernelOf();
  const workdir = join(directory, 'project');
  const notes = join(directory, 'notes');
  for (const each of [workdir, join(notes, 'deep')]) mkdirSync(each, { recursive: true });
  writeFileSync(join(workdir, 'a.txt'), 'inside');
  writeFileSync(join(notes, 'b.txt'), 'outside');
  writeFileSync(join(notes, 'deep/c.txt'), 'deeper');
  const chat = (await kernel.client.createChat({ consent: 'ask', workdir, workdir_on: 'server' })).id;
  const read = (path: string, decision?: string) =>
    turnWith(kernel, chat, ['read_file', { files: [{ path }] }], decision);
  expect((await read('a.txt')).asked).toBeUndefined();
  const denied = await read(join(notes, 'b.txt'), 'deny');
  expect(denied.asked).toMatchObject({
    action: 'read',
    path: join(notes, 'b.txt'),
    decisions: ['allow', 'allow_session', 'allow_always', 'deny'],
    reason: 'This file is outside of the working directory.',
  });
  expect(denied.output).not.toContain('outside\n');
  expect((await read(join(notes, 'b.txt'), 'allow_always')).output).toContain('outside');
  expect(await read(join(notes, 'deep/c.txt'))).toMatchObject({
    asked: undefined,
    output: expect.stringContaining('deeper'),
  });
  expect((await read(directory)).asked).toBeDefined();
  expect((await kernel.client.listApprovals()).approvals).toMatchObject([
    { action: 'read', target: `${notes}/` },
  ]);
});

test('[CONSENT-4] a turn lists what it has read from outside, also in later turns and forks, until it is rewound', async () => {
  const kernel = await withTools();
  const { api, client } = kernel;
  const chat = (await client.createChat()).id;
  expect((await turnWith(kernel, chat, REMEMBER)).turn.outside).toEqual([]);
  expect((await turnWith(kernel, chat, DESK)).turn.outside).toEqual(['mcp:desk']);
  const { messages } = await client.listMessages(chat);
  const later = await turnWith(kernel, chat, ['memory', { add: 'Drinks coffee.' }], 'deny');
  expect(later.asked).toMatchObject({
    outside: ['mcp:desk'],
    reason: 'memory keeps something beyond this chat, and this turn has read text from mcp:desk.',
  });
  expect(later.turn.outside).toEqual(['mcp:desk']);
  expect((await api.get('/v1/memory')).body.entries).toMatchObject([{ text: 'Drinks tea.' }]);
  const fork = (await api.post(`/v1/chats/${chat}/fork`, { before_message: messages.at(-1)?.id })).body.id;
  expect((await turnWith(kernel, fork, ECHO)).asked).toMatchObject({ outside: ['mcp:desk'] });
  const turns = messages.filter(({ role, turn_id }) => role === 'user' && turn_id !== null);
  await api.delete(
    `/v1/chats/${chat}/messages/${turns.find(each => each.turn_id !== turns[0]?.turn_id)?.id}`,
  );
  expect((await turnWith(kernel, chat, ECHO)).asked).toBeUndefined();
});

test('[CONSENT-4] after a turn has read text from outside, sending asks in every chat, unless a grant names the sources', async () => {
  const kernel = await withTools();
  const chat = (await kernel.client.createChat({ consent: 'auto' })).id;
  expect((await turnWith(kernel, chat, ECHO)).asked).toBeUndefined();
  await turnWith(kernel, chat, DESK);
  const asked = await turnWith(kernel, chat, ECHO, 'allow_always');
  expect(asked.asked).toMatchObject({
    reason: 'parrot_echo sends something out, and this turn has read text from mcp:desk.',
    decisions: ['allow', 'allow_session', 'allow_always', 'deny'],
  });
  expect((await kernel.client.listApprovals()).approvals).toMatchObject([{ outside: ['mcp:desk'] }]);
  expect((await turnWith(kernel, chat, ECHO)).asked).toBeUndefined();
  const never = (await kernel.client.createChat({ consent: 'never' })).id;
  await turnWith(kernel, never, DESK);
  expect((await turnWith(kernel, never, ECHO)).asked).toBeUndefined();
});

test('[CONSENT-4] messages of others count as text from outside, and those of the speaker do not', async () => {
  const { client, upstream } = await kernelOf();
  const chat = (await client.createChat()).id;
  upstream.next(says('Hello.'), says('Hello.'), says('Hello.'));
  await client.say(chat, 'I am Eve.', { sender: 'Eve' });
  const own = await client.begin(chat, { text: 'It is me again.', sender: 'Eve' });
  await own.all();
  expect((await client.getTurn(chat, own.turnId)).outside).toEqual([]);
  const turn = await client.begin(chat, { text: 'Who was that?', outside: ['telegram:group 42'] });
  await turn.all();
  expect((await client.getTurn(chat, turn.turnId)).outside).toEqual(['message:Eve', 'telegram:group 42']);
});

test('[CONSENT-5] a secret place asks in every chat before it is read, and a grant covers only this file', async () => {
  const kernel = await kernelOf();
  for (const name of ['.env', 'other.env', '.env.local']) writeFileSync(join(directory, name), `of ${name}`);
  const chat = (
    await kernel.client.createChat({ consent: 'never', workdir: directory, workdir_on: 'server' })
  ).id;
  const read = (path: string, decision?: string) =>
    turnWith(kernel, chat, ['read_file', { files: [{ path }] }], decision);
  const denied = await read('.env', 'deny');
  expect(denied.asked).toMatchObject({ reason: 'This is a place for keys and passwords.' });
  expect(denied.output).toBe('== .env\nThe user declined this operation.');
  expect((await read('.env', 'allow_always')).output).toBe('== .env\nof .env');
  expect((await read('.env')).asked).toBeUndefined();
  expect((await read('.env.local')).asked).toBeDefined();
});

test('[CONSENT-6] a protected path asks in every chat before it is written, also where all edits are allowed', async () => {
  const kernel = await kernelOf();
  const chat = (await kernel.client.createChat({ consent: 'ask', workdir: directory, workdir_on: 'server' }))
    .id;
  const write = (path: string, decision?: string) =>
    turnWith(kernel, chat, ['write_file', { path, content: 'new' }], decision);
  await write('a.txt', 'allow_always');
  expect((await write('b.txt')).asked).toBeUndefined();
  const { asked } = await write('AGENTS.md', 'deny');
  expect(asked).toMatchObject({
    decisions: ['allow', 'allow_session', 'allow_always', 'deny'],
    reason: 'This file can run programs, or change how they behave later.',
  });
  await kernel.api.patch(`/v1/chats/${chat}`, { consent: 'auto' });
  expect((await write('AGENTS.md')).asked).toBeDefined();
  expect(readFileSync(join(directory, 'AGENTS.md'), 'utf8')).toBe('new');
});
