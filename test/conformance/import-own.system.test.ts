/**
 * Tests that a kernel imports its own exports unchanged, and that stalled or killed kernels lose and duplicate nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { startCutProxy } from '../harness/cut-proxy.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { chatGpt } from '../harness/foreign-exports.ts';
import { PATIENT } from '../harness/patient.ts';
import { PNG } from '../harness/pictures.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { PROGRAM } from '../harness/program.ts';
import { append, foldedAt, seed, seedChat } from '../harness/seed.ts';
import { calls, says, stuck } from '../harness/story.ts';

async function start(dataDir: string): Promise<KernelProcess> {
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => {
    await kernel.kill();
  });
  return kernel;
}

const exportOf = async ({ api }: KernelProcess, id: string): Promise<string> =>
  String((await api.get(`/v1/chats/${id}/export`)).body);

/**
 * The lines of an export without the values that change in another kernel: ids, and turns, which stay where they ran.
 */
function compared(text: string): unknown[] {
  const ids = new Map<string, string>();
  const lines = text.split('\n').filter(Boolean);
  const anywhere = JSON.stringify(lines.map(line => ({ ...JSON.parse(line), turn_id: null })));
  const named = anywhere.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
    return ids.get(id) as string;
  });
  return JSON.parse(named);
}

test('[FACE-3] reproduces its own export after an import into the data of another, stopped kernel', async () => {
  const home = directoryOfTest();
  const kernel = await start(join(home, 'one'));
  const { client, upstream } = kernel;
  const chat = await client.createChat({ title: 'Zürich', project: 'p', effort: 'high', consent: 'ask' });
  const image = { media_type: 'image/png' as const, data: PNG.toString('base64') };
  upstream.next(calls('a', 'plan', { tasks: [{ title: 'Go', status: 'pending' }] }), says('Planned.'));
  await client.say(chat.id, 'Plan it.', { images: [image], sender: 'Ann' });
  upstream.next(calls('b', 'no_such_tool', {}), says('So not.'));
  await client.say(chat.id, 'And?');
  upstream.next(stuck({ text: 'Well' }));
  const stream = await client.begin(chat.id, { text: 'More?' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  const before = await exportOf(kernel, chat.id);
  const kinds = before
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Item);
  expect(new Set(kinds.map(({ kind }) => kind))).toEqual(
    new Set(['chat', 'user_message', 'tool_call', 'agent_message', 'machine_note']),
  );
  expect(kinds.map(({ status }) => status)).toEqual(
    expect.arrayContaining(['completed', 'failed', 'aborted']),
  );

  const file = join(home, 'chat.jsonl');
  writeFileSync(file, before);
  const data = join(home, 'two');
  const imported = await runCommand(['import', file, '--data', data], home);
  expect(imported).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^Importing into .*\nconversations: 1\n$/),
  });
  expect((await runCommand(['import', file, '--data', data, '-q'], home)).out).toMatch(
    /\n1 already imported\.\n$/,
  );
  const other = await start(data);
  const { chats } = (await other.api.get('/v1/chats')).body;
  expect(chats).toHaveLength(1);
  const after = await exportOf(other, chats[0].id);
  expect(compared(after)).toEqual(compared(before));
  expect(JSON.parse(before.split('\n')[0] as string).usage[0].completion_tokens).toBeGreaterThan(0);
  expect((await other.api.get(`/v1/chats/${chats[0].id}/spend`)).body.turns).toBe(3);
  // It continues: the model gets the messages, calls and results in order.
  other.upstream.next(says('Here.'));
  await other.client.say(chats[0].id, 'Still there?');
  const { messages } = other.upstream.requests.at(-1)!.body as { messages: { role: string }[] };
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
});

test('[FACE-3] imports compactions and the summary of its own export', async () => {
  const home = directoryOfTest();
  await seed(join(home, 'one'), async store => {
    const { chat, ids } = await seedChat(store, [
      ['user', 'one'],
      ['assistant', 'two'],
      ['user', 'three'],
    ]);
    const upto = ids[1] as string;
    await append(store, chat, [foldedAt('They counted.', upto), ['assistant', 'four']]);
    await store.chats.update(chat, {
      summary: { text: 'They counted.', upto_message: upto, created_at: '2026-01-02T03:04:05.678Z' },
    });
  });
  const one = await start(join(home, 'one'));
  const before = await exportOf(one, (await one.api.get('/v1/chats')).body.chats[0].id);
  expect(before).toContain('"kind":"compaction"');
  writeFileSync(join(home, 'a.jsonl'), before);
  expect(await runCommand(['import', 'a.jsonl', '--data', join(home, 'two')], home)).toMatchObject({
    code: 0,
  });
  const two = await start(join(home, 'two'));
  const after = await exportOf(two, (await two.api.get('/v1/chats')).body.chats[0].id);
  expect(compared(after)).toEqual(compared(before));
});

test(
  '[FACE-3] completes an import after a kill of the command or the kernel, without duplicates or partial chats',
  PATIENT,
  async () => {
    const home = directoryOfTest();
    const data = join(home, 'data');
    const count = 600;
    const conversations = Array.from({ length: count }, (_, n) =>
      chatGpt(`killed ${n}`, {
        a: { role: 'user', at: n, content: `question ${n}`, parent: null },
        b: { role: 'assistant', at: n + 1, content: `answer ${n}`, parent: 'a' },
        c: { role: 'assistant', at: n + 2, content: `other answer ${n}`, parent: 'a' },
      }),
    );
    writeFileSync(join(home, 'conversations.json'), JSON.stringify(conversations));
    let kernel = await start(data);
    const way = await startCutProxy(kernel.url);
    onTestFinished(() => way.close());
    const words = ['import', 'conversations.json', '--url', way.url, '-q'];
    const chats = async () => (await kernel.api.get('/v1/stats')).body.chats as number;

    // The command dies while some 50 conversations are in transit or stored.
    way.holdAfter(40_000);
    const env = { HOME: home, PATH: process.env.PATH };
    const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: home, env, stdio: 'ignore' });
    const gone = once(child, 'exit');
    await expect.poll(chats, { timeout: 60_000, interval: 1 }).toBeGreaterThan(20);
    child.kill('SIGKILL');
    await gone;
    const first = await chats();
    expect(first).toBeLessThan(2 * count);
    // The kernel dies after it has received some that the first command had not sent.
    way.restore();
    way.holdAfter(150_000);
    const second = runCommand(words, home);
    await expect.poll(chats, { timeout: 60_000, interval: 1 }).toBeGreaterThan(first + 20);
    await kernel.kill();
    const { code, err } = await second;
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /does not answer \(.*\)\. Run this command again when it does\. Conversations are not imported twice\.\n$/,
      ),
    ]);
    kernel = await start(data);
    way.restore(kernel.url);
    const { out } = await runCommand(words, home);
    expect(out).toMatch(/^\d+ of 600 conversations imported: .*\n\d+ already imported\.\n$/);
    expect(await chats()).toBe(2 * count);
    const shown: { title: string; id: string; forked_from: string | null }[] = [];
    for (let cursor = ''; ; ) {
      const { chats, next_before } = (await kernel.api.get(`/v1/chats?limit=500${cursor}`)).body;
      if (chats.length === 0) break;
      shown.push(...chats);
      cursor = `&before=${next_before}`;
    }
    const titles = (own: boolean) =>
      shown.filter(({ forked_from }) => (forked_from === null) === own).map(({ title }) => title);
    for (const own of [true, false]) expect(new Set(titles(own)).size).toBe(count);
    for (const { id, forked_from } of shown.slice(0, 40)) {
      const { items } = (await kernel.api.get(`/v1/chats/${id}/items`)).body;
      expect(items).toHaveLength(forked_from === null ? 2 : 3);
    }
  },
);
