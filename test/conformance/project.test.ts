/** Tests the [project] block: project files for the model that the kernel finds before the model runs. */
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@chat-kernel/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { HandsClient, type HandsOptions } from '../harness/hands.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, held, shape } from '../harness/story.ts';

const clock = new ManualClock();
const NEAREST_LAST = 'Instruction files of the project, the most specific last:';
const kernel = sharedKernel({ clock });

let root: string;
let workdir: string;
let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
  root = realpathSync(directory.path);
  workdir = join(root, 'sub');
  mkdirSync(workdir);
});
afterEach(() => directory.remove());

/** Writes files below the root of the project. */
function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const handsOf = (options: Partial<HandsOptions> = {}) =>
  new HandsClient(kernel.api, { directory: root, ...options });

const newChat = (fields: object = {}) => kernel.client.createChat({ workdir, ...fields });

/** Returns the text before any message in the last request to the model. */
const system = (): string => kernel.upstream.requests.at(-1)?.body.messages[0].content;

/** The text from [project] on; undefined if there is no such block. */
const project = (): string | undefined => /\[project\].*$/s.exec(system())?.[0];

/** The messages of the last request after the system message. */
const said = () => kernel.upstream.requests.at(-1)?.body.messages.slice(1);

const DOCS = { text: 'Hi.', project_docs: true };
const placeOf = (path: string) => `[project]\nThe working directory is ${path}, on the user's machine.`;

test('[OP-11] puts files of all levels into the first request, the nearest last, without a visible call', async () => {
  write({
    'AGENTS.md': '\nRoot rules.\n',
    '.service/MEMORY.md': 'Remember the root.',
    'sub/AGENTS.md': 'Sub rules.',
    'sub/.service/MEMORY.md': 'Remember the sub.\n\n',
    'sub/README.md': 'Not asked for.',
    'sub/deeper/AGENTS.md': 'Below.',
  });
  const chat = await newChat();
  const asked = kernel.upstream.requests.length;
  const hands = handsOf();
  const events = await hands.turn(chat.id, DOCS);
  expect(kernel.upstream.requests.length).toBe(asked + 1);
  expect(project()).toBe(
    [
      `${placeOf(workdir)} ${NEAREST_LAST}`,
      `== ${root}/AGENTS.md\nRoot rules.`,
      `== ${root}/.service/MEMORY.md\nRemember the root.`,
      `== ${workdir}/AGENTS.md\nSub rules.`,
      `== ${workdir}/.service/MEMORY.md\nRemember the sub.`,
    ].join('\n\n'),
  );
  expect(said()).toEqual([{ role: 'user', content: 'Hi.' }]);
  expect(hands.done.map(({ action, params }) => [action, params])).toEqual([
    ['list_up', { path: workdir, names: ['AGENTS.md', '.service/MEMORY.md'] }],
    ['read', { path: `${root}/AGENTS.md` }],
    ['read', { path: `${root}/.service/MEMORY.md` }],
    ['read', { path: `${workdir}/AGENTS.md` }],
    ['read', { path: `${workdir}/.service/MEMORY.md` }],
  ]);
  // The files are meant for models, so the kernel reads them without a request to the user.
  for (const operation of hands.done) expect(operation).not.toHaveProperty('decisions');
  expect(shape(events)).not.toContain('tool_call');
  expect((await kernel.client.items(chat.id)).map(({ kind }) => kind)).toEqual([
    'user_message',
    'agent_message',
  ]);
  const { messages } = await kernel.client.listMessages(chat.id);
  expect(JSON.stringify(messages)).not.toMatch(/rules|Remember/);
});

test('[OP-11] sends the same files as the same bytes, also for a client without hands, and a changed file in the next turn', async () => {
  write({ 'AGENTS.md': 'One.' });
  const chat = await newChat();
  const hands = handsOf();
  await hands.turn(chat.id, DOCS);
  const first = system();
  expect(first).toContain(`== ${root}/AGENTS.md\nOne.`);
  await kernel.client.say(chat.id, 'From the phone.');
  expect(system()).toBe(first);
  await hands.turn(chat.id, DOCS);
  expect(system()).toBe(first);
  write({ 'AGENTS.md': 'Two.' });
  await kernel.client.say(chat.id, 'From the phone.');
  expect(system()).toBe(first);
  await hands.turn(chat.id, DOCS);
  expect(system()).toBe(first.replace('One.', 'Two.'));
  rmSync(join(root, 'AGENTS.md'));
  await hands.turn(chat.id, DOCS);
  expect(project()).toBe(placeOf(workdir));
});

test('[TURN-5] reads the project of hands with project_docs, and gives only the directory for other clients', async () => {
  write({ 'AGENTS.md': 'Root.' });
  const chat = await newChat();
  const hands = handsOf();
  await hands.turn(chat.id, { text: 'Hi.' });
  expect(project()).toBe(placeOf(workdir));
  await hands.turn(chat.id, { text: 'Hi.', project_docs: false });
  expect(project()).toBe(placeOf(workdir));
  expect(hands.done).toEqual([]);
  await hands.turn(chat.id, DOCS);
  expect(project()).toContain('AGENTS.md\nRoot.');
  expect(hands.done.map(({ action }) => action)).toEqual(['list_up', 'read']);
});

test('[OP-11] uses Windows paths on Windows, and reads only the files that were requested', async () => {
  const { api, client } = kernel;
  const chat = await newChat({ workdir: 'C:\\work\\sub' });
  const stream = await client.begin(chat.id, { ...DOCS, client_ops: true });
  const answers: Record<string, unknown> = {
    'C:\\work\\sub': {
      dirs: [
        { dir: 'C:\\work\\sub', found: ['.service/MEMORY.md', 'passwords.txt'] },
        { dir: 'C:\\', found: ['AGENTS.md'] },
      ],
    },
    'C:\\AGENTS.md': 'Above.',
    'C:\\work\\sub\\.service\\MEMORY.md': 'Below.\r\nTwo lines.\r\n',
  };
  for (const [path, result] of Object.entries(answers)) {
    const asked = await stream.until(event => event.type === 'client_op' && event.path === path);
    const { id } = asked as { id: string };
    expect((await api.post(`/v1/chats/${chat.id}/ops/result`, { id, result })).status).toBe(200);
  }
  expect(eventsOf(await stream.all(), 'client_op')).toHaveLength(3);
  expect(project()).toBe(
    [
      `${placeOf('C:\\work\\sub')} ${NEAREST_LAST}`,
      '== C:\\AGENTS.md\nAbove.',
      '== C:\\work\\sub\\.service\\MEMORY.md\nBelow.\r\nTwo lines.',
    ].join('\n\n'),
  );
});

test.each<[string, string | JsonObject]>([
  ['text', 'nothing here'],
  ['no levels', {}],
  ['levels of another shape', { dirs: ['/'] }],
])('[OP-11] [OP-3] continues without a project if the client answers list_up with %s', async (_, result) => {
  const chat = await newChat();
  const stream = await kernel.client.begin(chat.id, { ...DOCS, client_ops: true });
  const { id } = await stream.until('client_op');
  await kernel.client.answerRequest(chat.id, { id, result });
  expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
  expect(project()).toBe(placeOf(workdir));
});

test('[OP-11] [OP-6] continues the turn if the client does not support list_up or cannot read a file', async () => {
  write({ 'AGENTS.md': 'Root.', 'sub/AGENTS.md': 'Sub.' });
  const chat = await newChat();
  const events = await handsOf({ knows: ['read', 'write', 'shell'] }).turn(chat.id, DOCS);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(project()).toBe(placeOf(workdir));
  const failing = handsOf({
    decide: ({ params }) => (params.path === `${workdir}/AGENTS.md` ? { error: 'EIO' } : 'allow'),
  });
  await failing.turn(chat.id, DOCS);
  expect(project()).toBe(`${placeOf(workdir)} ${NEAREST_LAST}\n\n== ${root}/AGENTS.md\nRoot.`);
});

describe('a client that does not answer', () => {
  test('[OP-11] [OP-10] expires list_up after ten seconds, and continues with the last known files', async () => {
    write({ 'AGENTS.md': 'Root.' });
    const chat = await newChat();
    await handsOf().turn(chat.id, DOCS);
    const seen = system();
    const silent = handsOf({ decide: () => 'ignore' });
    const { stream } = await silent.begin(chat.id, DOCS);
    const { id } = await stream.until('client_op');
    clock.advance(9_999);
    expect((await kernel.client.listRequests()).requests).toMatchObject([{ id, kind: 'op' }]);
    clock.advance(1);
    const events = await stream.all();
    expect(eventsOf(events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id, kind: 'op', reason: 'expired' },
    ]);
    expect(eventsOf(events, 'client_op')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    expect(system()).toBe(seen);
  });

  test('[OP-11] [OP-10] waits ten seconds for all files of a project, and then requests no other', async () => {
    write({ 'AGENTS.md': 'Root.', 'sub/AGENTS.md': 'Sub.' });
    const chat = await newChat();
    const hands = handsOf({
      decide({ action }) {
        if (action === 'list_up') clock.advance(4000);
        return action === 'read' ? 'ignore' : 'allow';
      },
    });
    const { stream } = await hands.begin(chat.id, DOCS);
    const { id } = (await stream.until(event => event.type === 'client_op' && event.action === 'read')) as {
      id: string;
    };
    const { expires_at, opened_at } = (await kernel.client.listRequests()).requests[0]!;
    expect(Date.parse(expires_at) - Date.parse(opened_at)).toBe(6_000);
    clock.advance(6_000);
    const events = await stream.all();
    expect(eventsOf(events, 'request_resolved').at(-1)).toMatchObject({ id, reason: 'expired' });
    expect(eventsOf(events, 'client_op')).toHaveLength(2);
    expect(project()).toBe(placeOf(workdir));
  });

  test('[TURN-10] [EV-13] a cancel ends a turn that waits for its project, before the model request', async () => {
    const chat = await newChat();
    const asked = kernel.upstream.requests.length;
    const { stream } = await handsOf({ decide: () => 'ignore' }).begin(chat.id, DOCS);
    const { id } = await stream.until('client_op');
    await kernel.client.cancelTurn(chat.id);
    const events = await stream.all();
    expect(eventsOf(events, 'request_resolved')).toMatchObject([{ id, reason: 'cancelled' }]);
    expect(events.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(kernel.upstream.requests.length).toBe(asked);
  });
});

test('[OP-11] truncates a huge file with a note, and keeps the nearest of many files', async () => {
  write({ 'AGENTS.md': `${'a'.repeat(100_000)}end` });
  const chat = await newChat();
  const hands = handsOf();
  await hands.turn(chat.id, DOCS);
  expect(project()).toBe(
    `${placeOf(workdir)} ${NEAREST_LAST}\n\n== ${root}/AGENTS.md\n${'a'.repeat(32_000)}\n[truncated: read the file for the rest]`,
  );
  write({
    '.service/MEMORY.md': 'b'.repeat(32_000),
    'sub/AGENTS.md': 'c'.repeat(30_000),
  });
  await hands.turn(chat.id, DOCS);
  const [, ...sections] = project()?.split('\n\n== ') ?? [];
  expect(sections.map(section => section.slice(section.indexOf('\n') + 1))).toEqual([
    `${'a'.repeat(2_000)}\n[truncated: read the file for the rest]`,
    'b'.repeat(32_000),
    'c'.repeat(30_000),
  ]);
});

test("[OP-11] reads the project itself for every client if the chat works on the kernel's machine", async () => {
  write({ 'AGENTS.md': 'Root.', 'sub/.service/MEMORY.md': 'Sub.' });
  const chat = await newChat({ workdir_on: 'server' });
  const block = [
    `[project]\nThe working directory is ${workdir}, on the kernel's machine. ${NEAREST_LAST}`,
    `== ${root}/AGENTS.md\nRoot.`,
    `== ${workdir}/.service/MEMORY.md\nSub.`,
  ].join('\n\n');
  await kernel.client.say(chat.id, 'Hi.');
  expect(project()).toBe(block);
  const hands = handsOf();
  const events = await hands.turn(chat.id, DOCS);
  expect(project()).toBe(block);
  expect(shape(events)).not.toContain('client_op');
  write({ 'AGENTS.md': 'New.' });
  await kernel.client.say(chat.id, 'Hi.');
  expect(project()).toContain('New.');
});

test('[TURN-8] [OP-11] gives guests and other people no project, and sends their client no request', async () => {
  write({ 'AGENTS.md': 'Root.' });
  for (const workdir_on of ['client', 'server']) {
    const chat = await newChat({ workdir_on });
    await handsOf().turn(chat.id, DOCS);
    expect(project()).toContain('Root.');
    for (const who of [{ guest: true }, { sender: 'Ann' }]) {
      const hands = handsOf();
      await hands.turn(chat.id, { ...DOCS, ...who });
      expect(system()).not.toContain(root);
      expect(project()).toBeUndefined();
      expect(hands.done).toEqual([]);
    }
  }
});

test('[CHAT-2] [OP-11] reads another project for another directory, and removes the block without one', async () => {
  write({ 'AGENTS.md': 'Root.', 'sub/AGENTS.md': 'Sub.' });
  const chat = await newChat();
  const hands = handsOf();
  await hands.turn(chat.id, DOCS);
  await kernel.client.setWorkdir(chat.id, { workdir: root });
  // Documents seen in another directory do not apply here.
  await kernel.client.say(chat.id, 'From the phone.');
  expect(project()).toBe(placeOf(root));
  await hands.turn(chat.id, DOCS);
  expect(project()).toBe(`${placeOf(root)} ${NEAREST_LAST}\n\n== ${root}/AGENTS.md\nRoot.`);
  const asked = hands.done.length;
  await kernel.client.setWorkdir(chat.id, { workdir: null });
  await hands.turn(chat.id, DOCS);
  expect(project()).toBeUndefined();
  expect(hands.done).toHaveLength(asked);
});

test('[OP-11] reads the project of a queued turn when it runs, in the directory of that time', async () => {
  write({ 'AGENTS.md': 'Old.' });
  const chat = await newChat();
  const slow = held({ text: 'Done.' });
  kernel.upstream.next(slow.reply);
  const first = await kernel.client.begin(chat.id, { text: 'Wait.' });
  const hands = handsOf();
  const { stream, over } = await hands.begin(chat.id, DOCS);
  await stream.until('queued');
  write({ 'AGENTS.md': 'New.' });
  await kernel.client.setWorkdir(chat.id, { workdir: root });
  expect(hands.done).toEqual([]);
  slow.go();
  await first.all();
  await over;
  expect(project()).toBe(`${placeOf(root)} ${NEAREST_LAST}\n\n== ${root}/AGENTS.md\nNew.`);
});
