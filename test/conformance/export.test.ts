/** Tests exports: the whole history of a chat as a file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PNG } from '../harness/pictures.ts';
import { type Said, seed, seedChat } from '../harness/seed.ts';
import { says, stuck } from '../harness/story.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const directory = temporaryDirectory();
let kernel: TestKernel;
/** 501 messages: more than a batch, a page and a compaction. */
let long: string;
beforeAll(async () => {
  long = await seed(directory.path, async store => {
    const said = Array.from({ length: 250 }, (_, n): Said[] => [
      ['user', `question ${n}`],
      n % 3 === 0
        ? ['assistant', [{ type: 'tool_use', id: `call_${n}`, name: 'shell', input: { n } }]]
        : ['assistant', `answer ${n}`],
      ...(n % 3 === 0
        ? ([
            [
              'user',
              [{ type: 'tool_result', tool_use_id: `call_${n}`, output: `out ${n}`, is_error: false }],
            ],
          ] as Said[])
        : []),
    ]).flat();
    const { chat, ids } = await seedChat(store, said);
    const upto_message = ids[400] as string;
    await store.chats.update(chat, {
      summary: { text: 'Much.', upto_message, created_at: '2026-01-02T03:04:05.678Z' },
    });
    return chat;
  });
  kernel = await startKernel({ dataDir: directory.path });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

const exported = async (chat: string, query = '') => {
  const { status, headers, body } = await kernel.api.get(`/v1/chats/${chat}/export${query}`);
  expect(status).toBe(200);
  return { headers, text: String(body ?? '') };
};
const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

test('[HIST-1][FACE-3] exports the chat and all items as jsonl, one per line, including compacted history', async () => {
  const { headers, text } = await exported(long);
  expect(headers['content-type']).toBe('application/x-ndjson');
  const items = [];
  for (let cursor = ''; ; ) {
    const page = (await kernel.api.get(`/v1/chats/${long}/items?limit=500${cursor}`)).body;
    if (page.items.length === 0) break;
    items.unshift(...page.items);
    cursor = `&before=${page.next_before}`;
  }
  expect(items).toHaveLength(500);
  const [chat, ...rest] = lines(text);
  expect(chat).toMatchObject({ kind: 'chat', id: long, usage: [], folds: [] });
  expect(rest).toEqual(items);
  expect(text.endsWith('\n')).toBe(true);
});

test('[HIST-1] exports images with their bytes and a running call as running in jsonl', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const data = PNG.toString('base64');
  await client.say(chat.id, 'See.', { images: [{ media_type: 'image/png', data }] });
  upstream.next({ steps: [{ text: 'Hm.' }] }, stuck({ text: 'Well' }));
  await client.say(chat.id, 'And?');
  const stream = await client.begin(chat.id, { text: 'More?' });
  await stream.until('text_delta');
  const { text } = await exported(chat.id, '?format=jsonl');
  expect(lines(text).slice(1)).toEqual(await client.items(chat.id));
  expect(text).toContain(data);
  await client.cancelTurn(chat.id);
});

test('[HIST-1] exports md for reading: speakers and times, collapsed tools, images and files as links', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat({ title: 'A `trip`\n# to Lisbon' });
  const upload = {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-file-name': 'a%5D.txt' },
    body: 'hello',
  };
  const file = (await api.raw('/v1/files', upload)).body;
  upstream.next(
    {
      steps: [
        { text: 'I will.' },
        { call: { id: 'a', name: 'plan', input: { tasks: [{ title: '```', status: 'pending' }] } } },
      ],
    },
    says('Done.'),
  );
  await client.say(chat.id, 'Plan <this>.', {
    images: [{ media_type: 'image/png', data: PNG.toString('base64') }],
    files: [{ id: file.id }],
  });
  upstream.next(stuck({ text: 'Well' }));
  const stream = await client.begin(chat.id, { text: 'Hi.', sender: 'Ann\n# Lee' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  const { headers, text } = await exported(chat.id, '?format=md');
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  const time = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g;
  const image = text.match(/\/images\/([0-9a-f-]{36})/)?.[1];
  expect(text.replace(time, 'TIME')).toBe(`# A \`trip\` # to Lisbon

Chat ${chat.id}, created TIME.

## You · TIME

Plan <this>.

![image](${kernel.url}/images/${image})

[a\\].txt](${kernel.url}/files/${file.id}) (5 B)

## Assistant · TIME

I will.

<details>
<summary>Tool: plan</summary>

\`\`\`\`json
{
  "tasks": [
    {
      "title": "\`\`\`",
      "status": "pending"
    }
  ]
}
\`\`\`\`

\`\`\`
The plan is shown: 1 of 1 tasks left.
\`\`\`

</details>

Done.

## Ann # Lee · TIME

Hi.

## Assistant · TIME

Well

> [cancelled] This turn was cancelled.

`);
  expect((await api.get(`/images/${image}`)).body).toEqual(PNG);
});

test('[HIST-1] names the file after the chat with safe characters', async () => {
  const { client } = kernel;
  const named = async (title: string | null, query = '') => {
    const chat = await client.createChat({ title });
    return (await exported(chat.id, query)).headers['content-disposition'];
  };
  expect(await named(null)).toBe(`attachment; filename="chat.jsonl"; filename*=UTF-8''chat.jsonl`);
  expect(await named('in/out', '?format=md')).toBe(
    `attachment; filename="in-out.md"; filename*=UTF-8''in-out.md`,
  );
  expect(await named('..\\"x"\r\nSet-Cookie: é')).toBe(
    `attachment; filename="..-_x_Set-Cookie_ _.jsonl"; filename*=UTF-8''..-_x_Set-Cookie_%20%C3%A9.jsonl`,
  );
  expect(await named('字'.repeat(400))).toMatch(/\.jsonl$/);
});

test('[FACE-3] starts an export with the chat, also an empty one, and rejects unknown chats and formats', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const { turn: _, ...record } = (await api.get(`/v1/chats/${chat.id}`)).body;
  expect(lines((await exported(chat.id)).text)).toEqual([{ kind: 'chat', ...record, usage: [], folds: [] }]);
  const head = await api.raw(`/v1/chats/${long}/export`, { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, undefined]);
  expect((await api.get(`/v1/chats/${chat.id}/export?format=pdf`)).body.code).toBe('invalid_value');
  for (const id of [UNKNOWN, 'first']) expect((await api.get(`/v1/chats/${id}/export`)).status).toBe(404);
});
