/**
 * Tests in which chat a request of OpenAI's API continues, and what happens to its turn when the caller disconnects.
 */
import type OpenAI from 'openai';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { bytesOf } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { askedLast, chatsOf, MODEL, openaiOf, postRaw } from '../harness/openai.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, held, says, stuck } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

type Message = OpenAI.ChatCompletionMessageParam;

let openai: OpenAI;
const kernel = sharedKernel();
beforeAll(() => {
  openai = openaiOf(kernel);
});

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });
const system = (content: string): Message => ({ role: 'system', content });

/** Sends a request; resolves with the response and the chat that it came from. */
async function ask(messages: Message[], headers: Record<string, string> = {}, at: OpenAI = openai) {
  const { data, response } = await at.chat.completions
    .create({ model: MODEL, messages }, { headers })
    .withResponse();
  return { text: data.choices[0]!.message.content, chat: response.headers.get('x-chat-id')! };
}

const textsOf = async (chat: string, { client }: TestKernel = kernel) =>
  (await client.items(chat)).flatMap(item =>
    item.kind === 'user_message' || item.kind === 'agent_message' ? [item.text] : [],
  );

describe('a conversation', () => {
  test('[FACE-1] continues the chat whose history it repeats, and adds only the new messages', async () => {
    kernel.upstream.next(says('One.'), says('  Two.\n'), says('Three.'));
    const first = await ask([user('First?')]);
    const second = await ask([user('First?'), assistant('One.'), user('Second?')]);
    // Trimmed as clients do it.
    const third = await ask([
      user('First?'),
      assistant('One.'),
      user('Second?'),
      assistant('Two.'),
      user('Third?'),
      user('Really?'),
    ]);
    expect([second.chat, third.chat]).toEqual([first.chat, first.chat]);
    expect(await textsOf(first.chat)).toEqual([
      'First?',
      'One.',
      'Second?',
      '  Two.\n',
      'Third?\n\nReally?',
      'Three.',
    ]);
  });

  test('[FACE-1] creates a chat with earlier messages as context, and finds it again', async () => {
    const said = [system('Be brief.'), user('Red or blue?'), assistant('Blue.'), user('Why?')];
    kernel.upstream.next(says('Because.'), says('Yes.'));
    const { chat } = await ask(said);
    const asked = askedLast(kernel).at(-1);
    expect(asked).toContain('Be brief.');
    expect(asked).toContain('user: Red or blue?\\n\\nassistant: Blue.');
    expect(await textsOf(chat)).toEqual(['Why?', 'Because.']);
    const next = await ask([...said, assistant('Because.'), user('Sure?')]);
    expect(next.chat).toBe(chat);
    expect(await textsOf(chat)).toEqual(['Why?', 'Because.', 'Sure?', 'Yes.']);
    // Known instructions are not sent again.
    expect(JSON.stringify(askedLast(kernel).at(-1))).not.toContain('Be brief.');
  });

  test('[FACE-1] creates a new chat for other instructions', async () => {
    kernel.upstream.next(says('Arr.'), says('Ahoy.'), says('Hello.'));
    const { chat } = await ask([system('Speak as a pirate.'), user('Who are you?')]);
    const said = [user('Who are you?'), assistant('Arr.'), user('And now?')];
    const other = await ask([system('Speak as a sailor.'), ...said]);
    expect(other.chat).not.toBe(chat);
    expect(askedLast(kernel).at(-1)).toContain('Speak as a sailor.');
    const plain = await ask(said);
    expect([chat, other.chat]).not.toContain(plain.chat);
    expect(JSON.stringify(askedLast(kernel))).not.toMatch(/pirate|sailor/);
  });

  test('[FACE-1] creates a new chat for the beginning of a complete answer', async () => {
    const answer = 'The tide turns at six in the morning, and again in the evening.';
    kernel.upstream.next(says(answer));
    const { chat } = await ask([user('When?')]);
    for (const start of [answer.slice(0, 1), answer.slice(0, 60)]) {
      expect((await ask([user('When?'), assistant(start), user('Sure?')])).chat).not.toBe(chat);
    }
    expect((await ask([user('When?'), assistant(answer), user('Sure?')])).chat).toBe(chat);
  });

  test('[FACE-1] creates a separate chat for an identical start, and continues each in its own', async () => {
    kernel.upstream.next(says('Same.'), says('Same.'), says('Left.'), says('Right.'));
    const [one, two] = [await ask([user('Twin?')]), await ask([user('Twin?')])];
    expect(one.chat).not.toBe(two.chat);
    const both = [user('Twin?'), assistant('Same.')];
    const left = await ask([...both, user('Left?')]);
    const right = await ask([...both, user('Right?')]);
    expect(new Set([left.chat, right.chat])).toEqual(new Set([one.chat, two.chat]));
    expect(await textsOf(left.chat)).toEqual(['Twin?', 'Same.', 'Left?', 'Left.']);
  });

  test('[FACE-1] creates a new chat if its chat has messages that the client does not know', async () => {
    kernel.upstream.next(says('Mine.'));
    const { chat } = await ask([user('Alone?')]);
    await kernel.client.say(chat, 'I write here, too.');
    const next = await ask([user('Alone?'), assistant('Mine.'), user('More.')]);
    expect(next.chat).not.toBe(chat);
    await kernel.client.deleteChat(next.chat);
    const after = await ask([
      user('Alone?'),
      assistant('Mine.'),
      user('More.'),
      assistant('ok'),
      user('Gone?'),
    ]);
    expect([chat, next.chat]).not.toContain(after.chat);
  });

  test('[FACE-1] finds its chat after a restart, also one with earlier messages and one with a tool', async () => {
    const directory = temporaryDirectory();
    const upstream = await startUpstream();
    const start = () =>
      startKernel({ upstream, dataDir: directory.path, settings: { server: { shutdown_grace_secs: 0 } } });
    let own = await start();
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }] as const;
    const elsewhere = [system('Be brief.'), user('Red or blue?'), assistant('Blue.'), user('Why?')];
    upstream.next(says('One.'), says('Because.'), calls('f1', 'f', {}));
    const first = await ask([user('First?')], {}, openaiOf(own));
    const second = await ask(elsewhere, {}, openaiOf(own));
    const third = await openaiOf(own)
      .chat.completions.create({ model: MODEL, messages: [user('Tool?')], tools: [...tools] })
      .withResponse();
    await own.stop();
    own = await start();
    const at = openaiOf(own);
    expect((await ask([user('First?'), assistant('One.'), user('Second?')], {}, at)).chat).toBe(first.chat);
    expect((await ask([...elsewhere, assistant('Because.'), user('Sure?')], {}, at)).chat).toBe(second.chat);
    const { message } = third.data.choices[0]!;
    const answered = await ask(
      [user('Tool?'), message, { role: 'tool', tool_call_id: 'f1', content: 'F.' }],
      {},
      at,
    );
    // The turn ended with the kernel, and no text of its model distinguishes this chat from others.
    expect(answered.chat).not.toBe(third.response.headers.get('x-chat-id'));
    expect(askedLast(own).at(-1)).toContain('Result of f (f1):\\nF.');
    await own.stop();
    await upstream.close();
    directory.remove();
  });
});

describe('a named chat', () => {
  test('[FACE-1] receives only the last user message for X-Chat-Id or metadata', async () => {
    const chat = await kernel.client.createChat({ shelf: 'mine' });
    const said = [
      system('Ignored.'),
      user('Old.'),
      assistant('Old, too.'),
      user('Not the last.'),
      user('New.'),
    ];
    expect((await ask(said, { 'X-Chat-Id': chat.id })).chat).toBe(chat.id);
    expect(await textsOf(chat.id)).toEqual(['New.', 'ok']);
    const { response } = await openai.chat.completions
      .create({ model: MODEL, messages: [user('Newer.')], metadata: { chat_id: chat.id } })
      .withResponse();
    expect(response.headers.get('x-chat-id')).toBe(chat.id);
    expect(await textsOf(chat.id)).toEqual(['New.', 'ok', 'Newer.', 'ok']);
    expect(JSON.stringify(askedLast(kernel))).not.toContain('Ignored.');
  });

  test.each(['01890000-0000-7000-8000-000000000000', '..', 'x'])('[FACE-1] returns 404 for %s', async id => {
    const answer = await postRaw(kernel, { model: MODEL, messages: [user('Hi.')] }, { 'x-chat-id': id });
    expect([answer.statusCode, JSON.parse(`${await bytesOf(answer)}`).error.code]).toEqual([
      404,
      'not_found',
    ]);
  });

  test('[FACE-1] runs the request after the current turn if it is busy', async () => {
    const chat = await kernel.client.createChat();
    const { reply, go } = held({ text: 'First.' });
    kernel.upstream.next(reply, says('Second.'));
    await kernel.client.begin(chat.id, { text: 'One.' });
    const waiting = ask([user('Two.')], { 'X-Chat-Id': chat.id });
    const isQueued = async () => {
      const { messages } = await kernel.client.listMessages(chat.id);
      expect(messages.filter(({ waiting }) => waiting)).toHaveLength(1);
    };
    await vi.waitFor(isQueued, { timeout: 30_000, interval: 20 });
    go();
    expect((await waiting).text).toBe('Second.');
  });
});

describe('a caller that disconnects', () => {
  const idle = async (chat: string) =>
    vi.waitFor(async () => expect((await kernel.client.getChat(chat)).turn).toBeNull(), {
      timeout: 30_000,
      interval: 20,
    });

  test('[FACE-1] stops the model during the answer, and continues the conversation from the received text', async () => {
    kernel.upstream.next(stuck({ text: 'I was about to tell you everything about the harbor at night.' }));
    const stream = await openai.chat.completions.create({
      model: MODEL,
      messages: [user('Tell.')],
      stream: true,
    });
    for await (const { choices } of stream) if (choices[0]?.delta.content) break;
    expect(await kernel.upstream.requests.at(-1)?.ended).toBe('aborted');
    const [chat] = await chatsOf(kernel);
    kernel.upstream.next(says('Fine.'));
    const heard = 'I was about to tell you everything about the harbor';
    const next = await ask([user('Tell.'), assistant(heard), user('Stop.')]);
    expect(next).toEqual({ text: 'Fine.', chat: chat!.id });
  });

  test('[FACE-1] leaves nothing before the first text, and the next attempt finds the same state', async () => {
    kernel.upstream.next(says('One.'));
    const { chat } = await ask([user('Begin?')]);
    const before = (await chatsOf(kernel)).length;
    for (const messages of [[user('Lost?')], [user('Begin?'), assistant('One.'), user('Lost?')]]) {
      kernel.upstream.next(stuck());
      const asked = kernel.upstream.requests.length;
      const gone = new AbortController();
      const lost = openai.chat.completions.create({ model: MODEL, messages }, { signal: gone.signal });
      await vi.waitFor(() => expect(kernel.upstream.requests.length).toBe(asked + 1), { timeout: 30_000 });
      gone.abort();
      await expect(lost).rejects.toThrow();
      expect(await kernel.upstream.requests.at(-1)?.ended).toBe('aborted');
    }
    kernel.upstream.next(says('Found.'));
    await vi.waitFor(async () => expect(await textsOf(chat)).toEqual(['Begin?', 'One.']), {
      timeout: 30_000,
    });
    expect(await ask([user('Begin?'), assistant('One.'), user('Lost?')])).toEqual({ text: 'Found.', chat });
    expect((await chatsOf(kernel)).length).toBe(before);
  });

  test('[FACE-1] continues the turn of an Idempotency-Key, and does not start it twice', async () => {
    const { reply, go } = held({ text: 'It went on.' });
    kernel.upstream.next(reply);
    const before = kernel.upstream.requests.length;
    const headers = { 'Idempotency-Key': 'k1' };
    const gone = new AbortController();
    const messages = [user('Go on.')];
    const lost = openai.chat.completions.create({ model: MODEL, messages }, { headers, signal: gone.signal });
    await vi.waitFor(() => expect(kernel.upstream.requests.length).toBe(before + 1), { timeout: 30_000 });
    gone.abort();
    await expect(lost).rejects.toThrow();
    go();
    const back = await ask(messages, headers);
    expect(back.text).toBe('It went on.');
    expect((await ask(messages, headers)).chat).toBe(back.chat);
    expect(kernel.upstream.requests.length).toBe(before + 1);
    await expect(ask([user('Another.')], headers)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    await idle(back.chat);
  });
});

test('[FACE-1] keeps requests of the kernel open for the user in another client', async () => {
  const chat = await kernel.client.createChat({
    consent: 'ask',
    workdir: directoryOfTest(),
    workdir_on: 'server',
  });
  const outside = directoryOfTest();
  kernel.upstream.next(calls('r1', 'read_file', { files: [{ path: outside }] }), says('Read it.'));
  const waiting = ask([user('Read it.')], { 'X-Chat-Id': chat.id });
  const open = async () => (await kernel.client.listRequests({ chat_id: chat.id })).requests;
  await vi.waitFor(async () => expect(await open()).toHaveLength(1), { timeout: 30_000, interval: 20 });
  const [request] = await open();
  await kernel.client.answerRequest(chat.id, { id: request!.id, decision: 'allow' });
  expect((await waiting).text).toBe('Read it.');
});

test('[FACE-1] finds the chat of a conversation whatever the page size of the search', async () => {
  const { chat } = await ask([user('Long?')]);
  const said = [user('Long?'), assistant('ok')];
  for (let turn = 0; turn < 12; turn++) {
    said.push(user(`More ${turn}?`));
    expect((await ask(said)).chat).toBe(chat);
    said.push(assistant('ok'));
  }
});
