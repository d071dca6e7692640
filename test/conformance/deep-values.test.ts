/** Tests values that are nested too deeply: refused in requests, and harmless if an older version has stored them. */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { seed, seedChat } from '../harness/seed.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { textOf } from '../harness/story.ts';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const JSON_BODY = { 'content-type': 'application/json' };

test('[SAFE-3] [API-8] rejects a body that is nested too deep, on every route', async () => {
  const kernel = await kernelOf();
  const { api } = kernel;
  const chat = await api.newChat();
  for (const [method, path] of [
    ['POST', '/v1/chats'],
    ['PATCH', `/v1/chats/${chat.id}`],
    ['POST', `/v1/chats/${chat.id}/messages`],
    ['POST', '/v1/ops/result'],
    ['POST', '/v1/complete'],
    ['POST', `/v1/chats/${chat.id}/cancel`],
  ] as const) {
    for (const levels of [128, 6000, 1_000_000]) {
      const body = `{"text":"Hi.","result":${deep(levels)}}`;
      const answer = await api.raw(path, { method, headers: JSON_BODY, body });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', detail: 'The body is nested more than 128 levels deep.' },
      });
    }
  }
  // Brackets in texts do not count as levels.
  const text = `"${'['.repeat(150)}\\"{{{\\\\`;
  expect((await api.post('/v1/chats', { title: text })).body.title).toBe(text);
});

test('[SAFE-3] truncates values that an older version stored too deep', async () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const input = { tasks: JSON.parse(deep(5600)) };
  const { chat } = await seed(path, store =>
    seedChat(store, [
      ['user', 'Go.'],
      ['assistant', [{ type: 'tool_use', id: 'call_old', name: 'plan', input }]],
      ['user', [{ type: 'tool_result', tool_use_id: 'call_old', output: 'No.', is_error: true }]],
      ['assistant', 'I see.'],
    ]),
  );
  const kernel = await kernelOf({ dataDir: path });
  const { api, client } = kernel;
  for (const view of ['items', 'messages', 'export', 'export?format=md']) {
    expect((await api.get(`/v1/chats/${chat}/${view}`)).status).toBe(200);
  }
  expect((await client.items(chat)).map(({ kind }) => kind)).toEqual([
    'user_message',
    'tool_call',
    'agent_message',
  ]);
  const [, call] = (await client.listMessages(chat)).messages;
  // The list of blocks, the block and its input are the three outer levels.
  const rest = 256 - 3;
  expect(JSON.stringify(call?.content[0])).toContain(
    `"input":{"tasks":${'['.repeat(rest)}null${']'.repeat(rest)}}`,
  );
  expect(textOf(await client.say(chat, 'And now?'))).toBe('ok');
});
