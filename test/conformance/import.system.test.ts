/** Tests imports: exports of other programs are read from their files, and clients see the chats. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipOf } from '../../packages/features/test/books/files.ts';
import { runCommand } from '../harness/command.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { chatGpt, claude, claudeMessage } from '../harness/foreign-exports.ts';
import { PNG } from '../harness/pictures.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { says } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: KernelProcess;
beforeAll(async () => {
  kernel = await startKernelProcess({ dataDir: join(directory.path, 'data') });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

/** Imports into the running kernel. */
const into = (home: string, file: string, ...flags: string[]) =>
  runCommand(['import', file, '--data', join(directory.path, 'data'), '-q', ...flags], home);

/** Writes a file into a folder of this test. */
function written(content: unknown, name = 'conversations.json'): { home: string; file: string } {
  const home = directoryOfTest();
  const file = join(home, name);
  writeFileSync(file, Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return { home, file };
}

const chatsTitled = async (title: string) =>
  (await kernel.api.get(`/v1/chats?q=${encodeURIComponent(title)}&limit=100`)).body.chats;
const itemsOf = async (id: string) => (await kernel.api.get(`/v1/chats/${id}/items?limit=500`)).body.items;
/** The kind and text of an item. */
const said = ({ kind, text }: { kind: string; text: string }) => `${kind}: ${text}`;

test('[FACE-3] [EDIT-6] turns a conversation tree of ChatGPT into a chat and forks with dates, roles, models, tools and hidden messages', async () => {
  const conversation = chatGpt('gpt-tree', {
    root: { parent: null },
    system: {
      role: 'system',
      content: 'Be terse.',
      metadata: { is_visually_hidden_from_conversation: true },
      parent: 'root',
    },
    seen: { role: 'system', at: 0, content: 'You speak French.', parent: 'system' },
    ask: { role: 'user', at: 1, content: 'Why is the heron grey?', parent: 'seen' },
    other: { role: 'assistant', at: 2, content: 'It is old.', parent: 'ask' },
    thanks: { role: 'user', at: 3, content: 'Thanks, egret.', parent: 'other' },
    thought: {
      role: 'assistant',
      at: 4,
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Feathers', content: 'Melanin.' }] },
      parent: 'ask',
    },
    code: {
      role: 'assistant',
      at: 5,
      content: { content_type: 'code', language: 'unknown', text: 'print(1)' },
      recipient: 'python',
      parent: 'thought',
    },
    output: {
      role: 'tool',
      name: 'python',
      at: 6,
      content: { content_type: 'execution_output', text: '1' },
      parent: 'code',
    },
    strange: { role: 'assistant', at: 7, content: { content_type: 'hologram', beams: 3 }, parent: 'output' },
    answer: {
      role: 'assistant',
      at: 8.9,
      content: 'By melanin\ue200cite\ue202turn0search0\ue201.',
      parent: 'strange',
    },
  });
  const { home, file } = written([conversation]);
  expect(await into(home, file)).toEqual({
    code: 0,
    err: '',
    out:
      '1 of 1 conversations imported: 2 chats, 1 of them forks, with 9 messages.\n' +
      'Replaced by a note: 1 x content of type hologram.\n',
  });
  const chats = await chatsTitled('gpt-tree');
  expect(chats).toHaveLength(2);
  const chat = chats.find(({ forked_from }: { forked_from: string | null }) => forked_from === null);
  const fork = chats.find(({ forked_from }: { forked_from: string | null }) => forked_from !== null);
  expect(chat).toMatchObject({
    title: 'gpt-tree',
    created_at: '2025-01-02T03:04:05.678Z',
    last_message_at: '2025-01-02T03:04:14.578Z',
    shelf: 'main',
    model: null,
  });
  const items = await itemsOf(chat.id);
  expect(items.map(said)).toEqual([
    'machine_note: [imported] System: You speak French.',
    'user_message: Why is the heron grey?',
    'thinking: Feathers\n\nMelanin.',
    'agent_message: Call of the tool python:\n```\nprint(1)\n```',
    'agent_message: Output of the tool python:\n```\n1\n```',
    'machine_note: [imported] Left out: content of type hologram.',
    'agent_message: By melanin.',
  ]);
  // The output of a tool names a model too, but no model wrote it.
  expect(items.map(({ model }: { model?: string }) => model)).toEqual([
    ...[undefined, undefined, undefined],
    'gpt-4o',
    ...[undefined, undefined],
    'gpt-4o',
  ]);
  expect(items[1].created_at).toBe('2025-01-02T03:04:06.678Z');
  expect(fork).toMatchObject({ forked_from: chat.id, forked_at_message: items[2].id.split(':')[0] });
  expect((await itemsOf(fork.id)).slice(1).map(said)).toEqual([
    'machine_note: [imported] System: You speak French.',
    'user_message: Why is the heron grey?',
    'agent_message: It is old.',
    'user_message: Thanks, egret.',
  ]);
  const found = (await kernel.api.get('/v1/search?q=egret')).body.results;
  expect(found.map(({ chat_id }: { chat_id: string }) => chat_id)).toEqual([fork.id]);

  // The model gets text that any provider accepts, without notes and without unknown tools.
  kernel.upstream.next(says('Indeed.'));
  await kernel.client.say(chat.id, 'Sure?');
  const { messages } = kernel.upstream.requests.at(-1)!.body as {
    messages: { role: string; content: unknown }[];
  };
  const told = JSON.stringify(messages);
  expect(told).toContain('Output of the tool python');
  expect(told).not.toContain('You speak French');
  expect(told).not.toContain('hologram');
  expect(messages.some(message => 'tool_calls' in message)).toBe(false);
  expect((await itemsOf(chat.id)).at(-1)).toMatchObject({ kind: 'agent_message', text: 'Indeed.' });
});

test('[FACE-3] imports pictures from a ChatGPT archive, or adds a note if they are missing', async () => {
  const picture = (id: string) => ({
    content_type: 'image_asset_pointer',
    asset_pointer: id,
    width: 1,
    height: 1,
  });
  const conversation = chatGpt('gpt-pictures', {
    ask: {
      role: 'user',
      at: 1,
      content: {
        content_type: 'multimodal_text',
        parts: [picture('file-service://file-Abc1'), picture('sediment://file_gone'), 'What is it?'],
      },
      metadata: { attachments: [{ id: 'file-x', name: 'notes.pdf', mime_type: 'application/pdf', size: 3 }] },
      parent: null,
    },
    drawn: {
      role: 'tool',
      name: 'dalle.text2im',
      at: 2,
      content: { content_type: 'multimodal_text', parts: [picture('sediment://file_00ff')] },
      parent: 'ask',
    },
  });
  const { home, file } = written(
    zipOf([
      ['conversations-000.json', JSON.stringify([conversation])],
      ['file-Abc1-photo.png', PNG],
      ['dalle-generations/file_00ff-sanitized.png', PNG],
      ['user.json', '{}'],
    ]),
    'export.zip',
  );
  expect((await into(home, file)).out).toMatch(
    /^1 of 1 conversations imported: .*\nReplaced by a note: 1 x file, 1 x picture\.\n$/,
  );
  const [chat] = await chatsTitled('gpt-pictures');
  const [ask, note, drawn] = await itemsOf(chat.id);
  const data = PNG.toString('base64');
  expect(ask).toMatchObject({
    text: 'What is it?',
    attachments: [{ kind: 'image', media_type: 'image/png', data }],
  });
  expect(note.text).toBe('[imported] Left out: the picture file_gone.');
  const image = (await itemsOf(chat.id)).find(({ kind }: { kind: string }) => kind === 'image');
  expect(drawn.text).toBe('[imported] Left out: the file notes.pdf.');
  expect((await kernel.api.get(image.url)).body).toEqual(PNG);
});

test('[FACE-3] imports conversations of Claude with thinking, tools, attachments and branches', async () => {
  const messages = [
    claudeMessage('a', 1, 'human', [{ type: 'text', text: 'Read it.' }], {
      attachments: [{ file_name: 'a.txt', file_size: 5, extracted_content: 'hello' }],
      files: [{ file_name: 'b.png' }],
      parent_message_uuid: '00000000-0000-4000-8000-000000000000',
    }),
    claudeMessage('b', 2, 'assistant', [{ type: 'text', text: 'No.' }], { parent_message_uuid: 'a' }),
    claudeMessage(
      'c',
      3,
      'assistant',
      [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'tool_use', id: 't', name: 'web_search', input: { query: 'x' } },
        {
          type: 'tool_result',
          tool_use_id: 't',
          name: 'web_search',
          content: [{ type: 'text', text: 'Found.' }],
          is_error: false,
        },
        { type: 'token_budget' },
        { type: 'text', text: 'It says hello.' },
      ],
      { parent_message_uuid: 'a' },
    ),
  ];
  const { home, file } = written([claude('claude-1', 'claude-chat', messages), claude('claude-2', '', [])]);
  expect(await into(home, file, '--shelf', 'old')).toEqual({
    code: 0,
    err: '',
    out:
      '1 of 2 conversations imported: 2 chats, 1 of them forks, with 4 messages.\n1 empty.\n' +
      'Replaced by a note: 1 x content of type token_budget, 1 x file.\n',
  });
  const chats = await chatsTitled('claude-chat');
  const chat = chats.find(({ forked_from }: { forked_from: string | null }) => forked_from === null);
  expect(chat).toMatchObject({ shelf: 'old', created_at: '2025-03-04T05:06:00.123Z' });
  expect((await itemsOf(chat.id)).map(said)).toEqual([
    'user_message: Read it.\nThe file a.txt:\n```\nhello\n```',
    'machine_note: [imported] Left out: the file b.png.',
    'thinking: Hm.',
    'agent_message: Call of the tool web_search:\n```json\n{\n  "query": "x"\n}\n```',
    'agent_message: Output of the tool web_search:\n```\nFound.\n```',
    'machine_note: [imported] Left out: content of type token_budget.',
    'agent_message: It says hello.',
  ]);
});

test('[FACE-3] imports a conversation once, writes nothing in a dry run, and imports it again after a deletion', async () => {
  const ask = { role: 'user', at: 1, content: 'Once?', parent: null };
  const { home, file } = written([chatGpt('gpt-once', { ask })]);
  const dry = await into(home, file, '--dry-run');
  expect(dry.out).toBe(
    '1 of 1 conversations would be imported: 1 chats, 0 of them forks, with 1 messages.\n',
  );
  expect(await chatsTitled('gpt-once')).toEqual([]);
  await into(home, file);
  const [chat] = await chatsTitled('gpt-once');
  for (const flags of [[], ['--dry-run']])
    expect((await into(home, file, ...flags)).out).toMatch(
      /^0 of 1 conversations .*\n1 already imported\.\n$/,
    );
  await kernel.api.delete(`/v1/chats/${chat.id}`);
  await into(home, file);
  const [again] = await chatsTitled('gpt-once');
  expect(again.id).not.toBe(chat.id);
  expect(await itemsOf(again.id)).toHaveLength(1);
});

test('[FACE-3] imports a conversation once that an export contains several times, and continues with the others', async () => {
  const ask = { role: 'user', at: 1, content: 'Again?', parent: null };
  const twins = Array.from({ length: 12 }, (_, n) => chatGpt(`gpt-twin-${n % 6}`, { ask }));
  const { home, file } = written(twins);
  expect(await into(home, file)).toEqual({
    code: 0,
    err: '',
    out: '6 of 12 conversations imported: 6 chats, 0 of them forks, with 6 messages.\n6 already imported.\n',
  });
  expect(await chatsTitled('gpt-twin')).toHaveLength(6);
});

test('[FACE-3] reports a malformed conversation with place and reason, and imports the others', async () => {
  const sound = (id: string) =>
    chatGpt(id, { ask: { role: 'user', at: 1, content: 'Hello.', parent: null } });
  const { home, file } = written(null);
  const circle = chatGpt('circle', {
    a: { role: 'user', at: 1, content: 'x', parent: 'b' },
    b: { role: 'user', at: 2, content: 'y', parent: 'a' },
  });
  const elements = [
    sound('gpt-whole-1'),
    circle,
    { title: 'no \u001b[31mtree', mapping: 3 },
    'a text',
    claude('claude-late', 'no time', [{ sender: 'human', text: 'x', created_at: 'yesterday' }]),
    sound('gpt-whole-2'),
  ].map(each => JSON.stringify(each));
  // Cut in the middle, as a disk error might leave it.
  elements.splice(1, 0, '{"title": "torn", "mapping": {"a" "b"}}');
  writeFileSync(file, `\ufeff[${elements.join(',\n')}]\n`);
  expect(await into(home, file)).toEqual({
    code: 2,
    err: [
      'conversation 2: it is no JSON',
      'conversation 3 ("circle"): its messages form a circle',
      'conversation 4 ("no \\u001b[31mtree"): mapping is not an object',
      'conversation 5: it has neither a mapping, as ChatGPT writes, nor chat_messages, as Claude does',
      'conversation 6 ("no time"): created_at of message 0 is no time',
      '',
    ].join('\n'),
    out: '2 of 7 conversations imported: 2 chats, 0 of them forks, with 2 messages.\n5 not imported; see above.\n',
  });
  expect(await chatsTitled('gpt-whole')).toHaveLength(2);
});

test('[FACE-3] rejects a file without conversations, and lists the expected formats', async () => {
  const home = directoryOfTest();
  const refused = async (name: string, content?: string | Buffer) => {
    if (content !== undefined) writeFileSync(join(home, name), content);
    const { code, out, err } = await into(home, name);
    expect([code, out]).toEqual([1, '']);
    return err;
  };
  const nothing =
    'no conversations.json (of ChatGPT or Claude) and no .jsonl (an export of this program) is in it';
  mkdirSync(join(home, 'folder'));
  expect(await refused('folder')).toBe(`chat-kernel: folder: ${nothing}\n`);
  expect(
    await refused(
      'a.zip',
      zipOf([
        ['a.txt', 'x'],
        ['b.txt', 'y'],
      ]),
    ),
  ).toBe(`chat-kernel: a.zip: ${nothing}\n`);
  expect(await refused('gone')).toBe('chat-kernel: gone: there is no such file\n');
  expect(await refused('words', 'hello')).toBe('chat-kernel: words: it is no JSON with conversations\n');
  expect(await refused('cut', '[{"b"')).toMatch(/it ends in the middle of a conversation\n$/);
});
