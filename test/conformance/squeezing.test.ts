/** Tests that a turn which reads a lot continues: old tool outputs are truncated for the model, and stay in history. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says, shape } from '../harness/story.ts';
import type { ScriptedReply } from '../upstream/reply.ts';
import { type RecordedRequest, startUpstream } from '../upstream/server.ts';

/** In tokens. The opening and the tools take about 1,700 of them. */
const WINDOW = 20_000;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const directory = temporaryDirectory();
let kernel: TestKernel;
let chat: string;
beforeAll(async () => {
  kernel = await startKernel({
    settings: {
      llm: { models: [{ id: 'scripted/plain', context_window: WINDOW }] },
    },
  });
  for (const name of NAMES) writeFileSync(join(directory.path, `${name}.txt`), fileOf(name));
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});
beforeEach(async () => {
  chat = (await kernel.client.createChat({ workdir: directory.path, workdir_on: 'server' })).id;
});

const fileOf = (name: string): string =>
  [
    `begin ${name}`,
    ...Array.from({ length: 220 }, (_, n) => `${n} ${`${name} `.repeat(25)}`),
    `end ${name}`,
  ].join('\n');
const reads = (name: string) =>
  calls(`read_${name}_0123456789`, 'read_file', { files: [{ path: `${name}.txt` }] });
const STUB =
  /^\[folded to make room: this output of read_file had \d+ characters\. To get it again, call read_file with the same input\.\]$/;

/** Returns the outputs in a request to the model, in order. */
const outputsIn = ({ body, rejected }: RecordedRequest): string[] => {
  expect(rejected).toBeUndefined();
  return body.messages.flatMap(({ role, content }: { role: string; content: string }) =>
    role === 'tool' ? [content] : [],
  );
};

/** Checks that every line of the file is present, in any format of the tool. */
function expectWhole(output: string, name: string): void {
  expect(output).toMatch(new RegExp(`begin ${name}\\b[^]*\\b219 ${name} [^]*end ${name}`));
  expect(output.length).toBeGreaterThan(11_000);
}

test('[EV-6] truncates the oldest outputs, sends a quiet event, and continues the turn', async () => {
  const { client, upstream } = kernel;
  const before = upstream.requests.length;
  upstream.next(...NAMES.map(reads), says('All read.'));
  const events = await client.say(chat, 'Read all.');
  expect(eventsOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
  const squeezed = eventsOf(events, 'turn_squeezed');
  expect(squeezed.length).toBeGreaterThan(0);
  expect(shape(events)).not.toContain('compacting');
  for (const request of upstream.requests.slice(before)) {
    expect(JSON.stringify(request.body).length / 4).toBeLessThan(WINDOW * 0.8);
  }

  let freed = 0;
  let whole = 0;
  const requests = upstream.requests.slice(-NAMES.length);
  for (const [index, request] of requests.entries()) {
    const outputs = outputsIn(request);
    expect(outputs).toHaveLength(index + 1);
    // The latest step is always whole; truncated outputs are older than whole ones.
    expect(outputs.at(-1)).toContain(`end ${NAMES[index]}`);
    const stubs = outputs.filter(output => STUB.test(output));
    expect(outputs.slice(0, stubs.length)).toEqual(stubs);
    for (const [n, output] of outputs.slice(stubs.length).entries()) {
      expectWhole(output, NAMES[stubs.length + n] as string);
    }
    whole = outputs.at(-1)?.length as number;
    freed = stubs.reduce((sum, stub) => sum + whole - stub.length, 0);
  }
  // The events add up to what the model was spared, within a few characters.
  const told = squeezed.reduce((sum, { freed_chars }) => sum + freed_chars, 0);
  expect(Math.abs(told - freed)).toBeLessThan(20);
});

test('[HIST-2] keeps the full outputs in the history, as in the live feed', async () => {
  const { client, upstream } = kernel;
  upstream.next(...NAMES.map(reads), says('All read.'));
  const events = await client.say(chat, 'Read all.');
  expect(eventsOf(events, 'turn_squeezed').length).toBeGreaterThan(0);
  const items = await client.items(chat);
  expect(comparable(items)).toEqual(comparable(foldItems(events)));
  const shown = items.flatMap(item => (item.kind === 'tool_call' ? [item.output] : []));
  expect(shown).toHaveLength(NAMES.length);
  for (const [index, output] of shown.entries()) expectWhole(output as string, NAMES[index] as string);
  const body = await client.listMessages(chat, { limit: 500 });
  for (const name of NAMES) expect(JSON.stringify(body)).toContain(`end ${name}`);
  expect(JSON.stringify(body)).not.toContain('[folded to make room');
});

test('[HIST-2] [SVC-1] keeps the stubs in later turns, whose requests start like the last one', async () => {
  const { client, upstream } = kernel;
  upstream.next(...NAMES.slice(0, 6).map(reads), says('All read.'));
  expect(eventsOf(await client.say(chat, 'Read.'), 'turn_squeezed')).toHaveLength(1);
  const last = upstream.requests.at(-1)?.body.messages;
  for (const text of ['Well?', 'And?']) {
    const events = await client.say(chat, text);
    expect(shape(events)).not.toContain('turn_squeezed');
  }
  const messages: unknown[] = upstream.requests.at(-1)?.body.messages;
  expect(JSON.stringify(messages.slice(0, last.length))).toBe(JSON.stringify(last));
});

test('[HIST-2] restores the outputs after a rewind before the truncation', async () => {
  const { client, upstream } = kernel;
  upstream.next(...NAMES.slice(0, 6).map(reads), says('All read.'));
  await client.say(chat, 'Read.');
  const stubs = outputsIn(upstream.requests.at(-1) as RecordedRequest).filter(output => STUB.test(output));
  expect(stubs.length).toBeGreaterThan(0);
  const { messages } = await client.listMessages(chat, { limit: 500 });
  // The user's message and the first three steps stay whole.
  await client.rewind(chat, messages[7]!.id);
  await client.say(chat, 'Again.');
  const outputs = outputsIn(upstream.requests.at(-1) as RecordedRequest);
  expect(outputs.map(output => STUB.test(output))).toEqual([false, false, false]);
});

test('[HIST-2] truncates nothing with profile off', async () => {
  const { client, upstream } = kernel;
  await client.patchChat(chat, { compaction: 'off' });
  upstream.next(...NAMES.map(reads), says('All read.'));
  expect(shape(await client.say(chat, 'Read.'))).not.toContain('turn_squeezed');
  expect(outputsIn(upstream.requests.at(-1) as RecordedRequest).filter(output => STUB.test(output))).toEqual(
    [],
  );
});

test('[HIST-2] [HIST-1] compacts older steps if truncation is not enough, and never separates a call from its result', async () => {
  // The model's own texts cannot be truncated.
  const answers: ScriptedReply[] = NAMES.map(name => ({
    steps: [{ text: `${name} thought `.repeat(1700) }, ...(reads(name).steps ?? [])],
  }));
  const upstream = await startUpstream(({ body }) =>
    JSON.stringify(body).includes('You write the summary') ? says('## Goal\nFirst steps.') : answers.shift(),
  );
  const llm = { models: [{ id: 'scripted/plain', context_window: WINDOW }] };
  const own = await startKernel({ upstream, settings: { llm } });
  const { id } = await own.client.createChat({ workdir: directory.path, workdir_on: 'server' });
  const events = await own.client.say(id, 'Read all.');
  expect(shape(events)).toEqual(expect.arrayContaining(['turn_squeezed', 'compacting']));
  expect(eventsOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
  const items = await own.client.items(id);
  expect(comparable(items)).toEqual(comparable(foldItems(events)));
  expect(items.filter(({ kind }) => kind === 'tool_call')).toHaveLength(NAMES.length);
  for (const { rejected, body } of upstream.requests) {
    expect(rejected).toBeUndefined();
    expect(JSON.stringify(body).length / 4).toBeLessThan(WINDOW);
  }
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toMatch(/First steps.*g thought.*end g/s);
  await upstream.close();
  await own.stop();
});
