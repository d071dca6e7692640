/** Tests how clients respond to operations over plain HTTP, and what happens if they do not. */
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { foldItems } from '../harness/items.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { kernelOf, sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, stuck } from '../harness/story.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';
const EXPIRED = 'No answer came from the client in time.';

const kernel = sharedKernel();

/** A turn that waits for its client, and the ways to respond. */
async function asked(
  name: string,
  input: Record<string, unknown>,
  { at = kernel }: { at?: TestKernel } = {},
) {
  const { api, client, upstream } = at;
  const chat = await client.createChat({ workdir: '/home/ada' });
  upstream.next(calls('c0', name, input));
  const stream = await client.begin(chat.id, { text: 'Go.', client_ops: true });
  const op = await stream.until('client_op');
  const answer = (body: object, path = chat.id) =>
    api.post(`/v1/chats/${path}/ops/result`, { id: op.id, ...body });
  const read = async () => {
    const events = await stream.all();
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    const { output, is_error } = eventsOf(events, 'tool_result')[0]!;
    expect(eventsOf(events, 'request_resolved')).toHaveLength(1);
    return { output, is_error };
  };
  return { chat, stream, op, answer, read };
}

const file = (path: string) => ['read_file', { files: [{ path }] }] as const;
const command = (text: string) => ['shell', { commands: [text] }] as const;
const blocks = [
  { title: 'one', content: '1' },
  { title: 'two', content: '2' },
];

describe('an answer', () => {
  test.each([
    ['a text', file('a'), { result: 'text' }, '== a\ntext', false],
    ['an object', file('a'), { result: { lines: 3 } }, '== a\n{"lines":3}', false],
    ['an empty text', file('a'), { result: '' }, '== a\n[the file is empty]', false],
    [
      'sections, which are preferred',
      file('a'),
      { result: 'no', blocks },
      '== a\n== one\n1\n\n== two\n2',
      false,
    ],
    [
      'a denial with an empty error',
      file('a'),
      { decision: 'deny', error: '' },
      '== a\nThe user declined this operation.',
      true,
    ],
    ['only a decision', file('a'), { decision: 'allow' }, '== a\n[the file is empty]', false],
    ['an error', file('a'), { error: 'Locked.' }, '== a\nLocked.', true],
    [
      'an error with sections',
      file('a'),
      { error: 'Half.', blocks },
      '== a\nHalf.\n\n== one\n1\n\n== two\n2',
      true,
    ],
    ['the text of a command', command('ls'), { result: 'a.txt\n' }, '== ls\na.txt', false],
    [
      'an output with its exit code',
      command('ls'),
      { result: { output: 'no\n', exit_code: 2 } },
      '== ls\nno\n[exit code 2]',
      true,
    ],
    ['only an output', command('ls'), { result: { output: 'x' } }, '== ls\nx', false],
    [
      'an error with earlier output',
      command('ls'),
      { error: 'The shell crashed.', result: { output: 'half', exit_code: 1 } },
      '== ls\nThe shell crashed.\n\nhalf',
      true,
    ],
  ])('[OP-9] may be %s', async (_, [name, input], body, output, is_error) => {
    const { answer, read, op } = await asked(name, input);
    const { status, body: said } = await answer(body);
    expect([status, said]).toEqual([
      200,
      { ok: true, resolution: { id: op.id, kind: 'op', reason: 'answered', ...decisionOf(body) } },
    ]);
    expect(await read()).toEqual({ output, is_error });
  });

  test('[OP-9] must have the shape of its operation on bytes, or the response is an error', async () => {
    const { api, client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(stuck({ text: 'Well' }));
    const stream = await client.begin(chat.id, { text: 'Go.', client_ops: true });
    await stream.until('text_delta');
    for (const result of ['text', { total: -1, data: '' }, { total: 3, data: '?' }]) {
      const seen = stream.events.length;
      const asking = api.post(`/v1/chats/${chat.id}/ops/read_bytes`, { path: '/a', offset: 0, size: 1 });
      const op = await stream.until(
        event => event.type === 'client_op' && stream.events.indexOf(event) >= seen,
      );
      const { id } = op as { id: string };
      expect((await api.post(`/v1/chats/${chat.id}/ops/result`, { id, result })).status).toBe(200);
      expect(await asking).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', detail: expect.stringContaining('read_bytes') },
      });
    }
    await client.cancelTurn(chat.id);
    await stream.all();
  });

  test.each([
    'other',
    'nobody',
  ])('[OP-9] is matched by its id, although the path names the chat of %s', async whose => {
    const { answer, read } = await asked(...file('a'));
    const path = whose === 'other' ? (await kernel.client.createChat()).id : NOBODY;
    expect((await answer({ result: 'x' }, path)).status).toBe(200);
    expect(await read()).toEqual({ output: '== a\nx', is_error: false });
  });

  test('[OP-9] may name its operation as op_id', async () => {
    const { api } = kernel;
    const { chat, op, read } = await asked(...file('a'));
    const post = (body: object) => api.post(`/v1/chats/${chat.id}/ops/result`, body);
    expect((await post({ op_id: NOBODY, result: 'x' })).body.code).toBe('unknown_request');
    expect((await post({ op_id: op.op_id, result: 'x' })).status).toBe(200);
    expect((await read()).output).toBe('== a\nx');
  });

  test('[OP-9] returns how the first one ended the operation if it comes second', async () => {
    const { answer, read, op } = await asked(...file('a'));
    await answer({ result: 'first', decision: 'allow' });
    expect(await answer({ result: 'second' })).toMatchObject({
      status: 409,
      body: {
        code: 'already_resolved',
        resolution: { id: op.id, kind: 'op', reason: 'answered', decision: 'allow' },
      },
    });
    expect((await read()).output).toBe('== a\nfirst');
  });
});

const decisionOf = (body: object) => ('decision' in body ? { decision: body.decision } : {});

describe('an unanswered operation', () => {
  test('[OP-10] expires: the model gets an error, the turn continues, and a late answer is rejected', async () => {
    const clock = new ManualClock();
    const own = await kernelOf({ clock, settings: { requests: { client_op_timeout_secs: 300 } } });
    const { answer, read, stream, op } = await asked(...file('a'), { at: own });
    clock.advance(300_000);
    expect(await read()).toEqual({ output: `== a\n${EXPIRED}`, is_error: true });
    expect(eventsOf(stream.events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id: op.id, kind: 'op', reason: 'expired' },
    ]);
    expect(foldItems(stream.events).find(({ kind }) => kind === 'client_op')).toMatchObject({
      status: 'failed',
      resolution: { reason: 'expired' },
    });
    expect(JSON.stringify(own.upstream.requests.at(-1)?.body)).toContain(EXPIRED);
    expect(await answer({ result: 'late' })).toMatchObject({
      status: 409,
      body: { code: 'already_resolved', resolution: { id: op.id, kind: 'op', reason: 'expired' } },
    });
  });

  test('[OP-10] expires after ten minutes by default, whatever timeout the model gives a command', async () => {
    const { client } = kernel;
    const seconds = async () => {
      const [pending] = (await client.listRequests()).requests;
      const { opened_at, expires_at } = pending!;
      return (Date.parse(expires_at) - Date.parse(opened_at)) / 1000;
    };
    const one = await asked(...file('a'));
    expect(await seconds()).toBe(600);
    await one.answer({ result: '' });
    await one.read();
    const two = await asked('shell', { commands: ['make'], timeout_secs: 1800 });
    expect(await seconds()).toBe(600);
    expect(two.op).toMatchObject({ action: 'shell', timeout_secs: 600 });
    await two.answer({ result: '' });
    await two.read();
  });
});
