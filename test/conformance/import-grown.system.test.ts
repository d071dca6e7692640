/** Tests repeated imports of conversations that continued in the original program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../harness/command.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { chatGpt } from '../harness/foreign-exports.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { says, stuck } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: KernelProcess;
beforeAll(async () => {
  kernel = await startKernelProcess({ dataDir: join(directory.path, 'data') });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

type Nodes = Parameters<typeof chatGpt>[1];
const ask: Nodes = { ask: { role: 'user', at: 1, content: 'Why?', parent: null } };
const answered: Nodes = { ...ask, answer: { role: 'assistant', at: 2, content: 'So.', parent: 'ask' } };

/** A conversation whose exports are imported one after the other. */
function conversation(title: string, data = join(directory.path, 'data')) {
  const home = directoryOfTest();
  const file = join(home, 'conversations.json');
  return async (nodes: Nodes, ...flags: string[]) => {
    writeFileSync(file, JSON.stringify([chatGpt(title, nodes)]));
    const { code, out, err } = await runCommand(['import', file, '--data', data, '-q', ...flags], home);
    expect([code, err]).toEqual([0, '']);
    return out.split('\n').slice(1, -1);
  };
}
const chatOf = async (title: string) => {
  const { chats } = (await kernel.api.get(`/v1/chats?q=${title}`)).body;
  expect(chats).toHaveLength(1);
  return chats[0];
};
const said = async (id: string) =>
  (await kernel.api.get(`/v1/chats/${id}/items`)).body.items.map(
    ({ kind, text }: { kind: string; text: string }) => `${kind}: ${text}`,
  );

test('[FACE-3] appends new messages of a known conversation to its chat once, with their dates', async () => {
  const given = conversation('grown');
  await given(ask);
  const { id } = await chatOf('grown');
  const got = ['1 already imported, and got their new messages: 2.'];

  const more: Nodes = {
    ...answered,
    thanks: { role: 'user', at: 3.5, content: 'Thanks, ibis.', parent: 'answer' },
  };
  expect(await given(more, '--dry-run')).toEqual([got[0]?.replace('got', 'would get')]);
  expect(await said(id)).toEqual(['user_message: Why?']);
  expect(await given(more)).toEqual(got);
  expect(await given(more)).toEqual(['1 already imported.']);
  expect(await said(id)).toEqual(['user_message: Why?', 'agent_message: So.', 'user_message: Thanks, ibis.']);
  expect((await chatOf('grown')).last_message_at).toBe('2025-01-02T03:04:09.178Z');
  const { items } = (await kernel.api.get(`/v1/chats/${id}/items`)).body;
  expect(items.at(-1).created_at).toBe('2025-01-02T03:04:09.178Z');
  expect((await kernel.api.get('/v1/search?q=ibis')).body.results).toMatchObject([{ chat_id: id }]);

  // Import again; a turn reads all of it, including messages that were added after it was loaded into memory.
  kernel.upstream.next(says('Indeed.'));
  await kernel.client.say(id, 'Sure?');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)!.body)).toContain('Thanks, ibis.');
});

test('[FACE-3] tells the model about messages that were appended to its chat', async () => {
  const given = conversation('remembered');
  await given(answered);
  const { id } = await chatOf('remembered');
  kernel.upstream.next(says('Yes.'));
  await kernel.client.say(id, 'Sure?');
  const { messages } = await kernel.client.listMessages(id);
  const own = messages.find(({ turn_id }) => turn_id !== null)!;
  await kernel.client.rewind(id, own.id);
  const more: Nodes = {
    ...answered,
    also: { role: 'assistant', at: 3, content: 'And curlew.', parent: 'answer' },
  };
  expect(await given(more)).toEqual(['1 already imported, and got their new messages: 1.']);
  kernel.upstream.next(says('Yes.'));
  await kernel.client.say(id, 'Sure?');
  expect(JSON.stringify(kernel.upstream.requests.at(-1)!.body)).toContain('And curlew.');
});

test('[FACE-3] leaves a chat unchanged that was changed in the kernel, or whose original conversation was edited', async () => {
  const stays =
    '1 have new messages, but were not updated because their chats were changed here. To import such a chat again, delete it first.';
  const gone = conversation('gone-on');
  await gone(ask);
  const { id } = await chatOf('gone-on');
  kernel.upstream.next(says('Because.'));
  await kernel.client.say(id, 'Well?');
  const before = await said(id);
  for (const flags of [['--dry-run'], []]) expect(await gone(answered, ...flags)).toEqual([stays]);
  expect(await said(id)).toEqual(before);

  const cut = conversation('cut-here');
  await cut(answered);
  const rewound = await chatOf('cut-here');
  const { messages } = await kernel.client.listMessages(rewound.id);
  await kernel.client.rewind(rewound.id, messages[1]!.id);
  const more: Nodes = { ...answered, more: { role: 'user', at: 3, content: 'More?', parent: 'answer' } };
  expect(await cut(more)).toEqual([stays]);

  const edited = conversation('edited');
  await edited(answered);
  const elsewhere: Nodes = {
    ...answered,
    other: { role: 'assistant', at: 3, content: 'No.', parent: 'ask' },
  };
  expect(await edited(elsewhere)).toEqual([
    '1 changed before their end and were not updated. To import such a chat again, delete it first.',
  ]);
  expect(await said((await chatOf('edited')).id)).toHaveLength(2);
});

test('[FACE-3] skips a chat with an open turn until the turn has ended', async () => {
  const given = conversation('at-work');
  await given(ask);
  const { id } = await chatOf('at-work');
  kernel.upstream.next(stuck({ text: 'Hm' }));
  const stream = await kernel.client.begin(id, { text: 'Well?' });
  await stream.until('text_delta');
  expect(await given(answered)).toEqual([
    '1 have new messages, but their chats are busy. Import them again later.',
  ]);
  await kernel.client.cancelTurn(id);
});

test('[FACE-3] appends to the data of a stopped kernel in the same way, regardless of who imported first', async () => {
  const data = join(directoryOfTest(), 'data');
  const given = conversation('stopped', data);
  const first = await startKernelProcess({ dataDir: data });
  await given(ask);
  await first.stop();
  expect(await given(ask)).toEqual(['1 already imported.']);
  expect(await given(answered)).toEqual(['1 already imported, and got their new messages: 1.']);
  expect(await given(answered)).toEqual(['1 already imported.']);
});
