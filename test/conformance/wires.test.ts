/** Tests that a client sees the same turn with each of the four provider APIs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { KINDS, MODEL_OF } from '../harness/settings.ts';
import { calls, eventsOf, says, shape, stuck, textOf, withoutItems } from '../harness/story.ts';

const directory = temporaryDirectory();
const path = join(directory.path, 'note.txt');
writeFileSync(path, 'one line\n');
afterAll(directory.remove);

const SIGNATURE = 'c2lnbmVkLWJ5LXRoZS1wcm92aWRlcg';

describe.each(KINDS)('%s', kind => {
  let kernel: TestKernel;
  beforeEach(async () => {
    kernel = await startKernel({ kind });
  });
  afterEach(() => kernel.stop());

  test('[ITEM-1] marks a message as failed if its stream broke off, live and in the history', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next({ steps: [{ text: ['I will', ' loo'] }], cut: { after_steps: 1 } });
    const events = await client.say(chat.id, 'Go.');
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
    const told = eventsOf(events, 'item_completed').filter(({ item }) => item.kind === 'agent_message');
    expect(told.map(({ item }) => item)).toMatchObject([{ text: 'I will loo', status: 'failed' }]);
    const items = (await client.items(chat.id)).filter(({ kind }) => kind === 'agent_message');
    expect(items).toMatchObject([{ text: 'I will loo', status: 'failed' }]);
  });

  test('[SVC-1] runs a message once with all its steps, and sends each event', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(
      {
        steps: [
          { thinking: ['Let me', ' see.'], signature: SIGNATURE },
          { text: ['I will', ' look.'] },
          { call: { id: 'call_1', name: 'read_file', input: { files: [{ path }] } } },
          { usage: { prompt: 100, completion: 50, reasoning: 20, cached: 64 } },
        ],
      },
      { steps: [{ text: 'Done.' }, { usage: { prompt: 200, completion: 5, reasoning: 0, cached: 0 } }] },
    );
    const stream = await client.begin(chat.id, { text: 'Read it.', effort: 'low' });
    const events = await stream.all();

    expect(shape(withoutItems(events))).toEqual([
      'thinking_delta',
      'text_delta',
      'tool_call',
      'usage',
      'tool_result',
      'text_delta',
      'usage',
      'done',
    ]);
    expect(textOf(events, 'thinking_delta')).toBe('Let me see.');
    expect(textOf(events)).toBe('I will look.Done.');
    expect(JSON.stringify(eventsOf(events, 'tool_call'))).toBe(
      `[{"type":"tool_call","id":"call_1","name":"read_file","input":{"files":[{"path":${JSON.stringify(path)}}]}}]`,
    );
    expect(JSON.stringify(eventsOf(events, 'tool_result'))).toBe(
      `[{"type":"tool_result","id":"call_1","name":"read_file","output":${JSON.stringify(`== ${path}\none line`)},"is_error":false}]`,
    );
    const model = `scripted/${MODEL_OF[kind]}`;
    expect(eventsOf(events, 'usage')).toEqual([
      {
        type: 'usage',
        model,
        prompt_tokens: 100,
        completion_tokens: 50,
        reasoning_tokens: 20,
        cached_tokens: 64,
        cost_usd: expect.closeTo(0.0005424, 12),
      },
      {
        type: 'usage',
        model,
        prompt_tokens: 200,
        completion_tokens: 5,
        reasoning_tokens: 0,
        cached_tokens: 0,
        cost_usd: expect.closeTo(0.00025, 12),
      },
    ]);
    expect(events.at(-1)).toMatchObject({ turn_id: stream.turnId, status: 'completed', stop_reason: 'stop' });
    expect(upstream.requests).toHaveLength(2);
    expect(upstream.requests.filter(request => request.rejected)).toEqual([]);
    expect(comparable(foldItems(events))).toEqual(comparable(await client.items(chat.id)));
    // The provider's signature goes only to that provider.
    const { messages } = await client.listMessages(chat.id);
    expect(JSON.stringify([events, messages, await client.items(chat.id)])).not.toContain(SIGNATURE);
    if (kind !== 'openai-compatible') expect(JSON.stringify(upstream.requests[1]?.body)).toContain(SIGNATURE);
  });

  test('[TURN-10] [HIST-3] a cancel closes the socket of the request, and the next turn is accepted', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(stuck({ text: 'Hel' }, { call: { id: 'call_2', name: 'plan', input: { tasks: [] } } }));
    const stream = await client.begin(chat.id, { text: 'Go.', effort: 'off' });
    await stream.until('text_delta');
    const body = await client.cancelTurn(chat.id);
    expect(body).toEqual({ cancelled: true, turn_id: stream.turnId });
    expect(await upstream.requests.at(-1)?.ended).toBe('aborted');
    const events = await stream.all();
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled', stop_reason: 'cancelled' });
    expect(eventsOf(events, 'error')).toEqual([]);

    upstream.next(says('Fine.'));
    expect(textOf(await client.say(chat.id, 'And now?'))).toBe('Fine.');
    expect(upstream.requests.filter(request => request.rejected)).toEqual([]);
  });

  test.each([
    ['unauthorized', 'upstream_auth', false],
    ['rate_limited', 'upstream_rate_limited', true],
    ['context_overflow', 'context_overflow', false],
    ['server_error', 'upstream_error', true],
    ['bad_request', 'upstream_error', false],
  ] as const)('[EV-10] ends the turn of a provider that reports %s with %s', async (error, code, retryable) => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    // At most three retries, without a pause if the provider asks for none.
    const refusal = { error, headers: { 'retry-after-ms': '1' } };
    upstream.next(...Array(retryable ? 4 : 1).fill(refusal));
    const stream = await client.begin(chat.id, { text: 'Hello?' });
    const events = await stream.all();
    const [problem, ...more] = eventsOf(events, 'error');
    expect(Object.keys(problem ?? {})).toEqual(['type', 'turn_id', 'code', 'message', 'retryable']);
    expect(problem).toMatchObject({ turn_id: stream.turnId, code, retryable });
    // The provider repeats the key that it received; the test stream checks that no key gets through.
    if (error === 'unauthorized') expect(problem?.message).toContain('Incorrect API key provided: ***');
    expect(more).toEqual([]);
    expect(shape(withoutItems(events))).toEqual([...(retryable ? ['provider_wait'] : []), 'error', 'done']);
    expect(events.at(-1)).toMatchObject({ status: 'failed', stop_reason: 'error' });
    expect(upstream.requests.length).toBe(retryable ? 4 : 1);

    expect(textOf(await client.say(chat.id, 'Again.'))).toBe('ok');
    expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
  });

  test('[EV-10] fails a turn whose reply breaks off after its first text, as retryable', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next({ steps: [{ text: 'Half a' }, { text: ' sentence' }], cut: { after_steps: 1 } });
    const events = await client.say(chat.id, 'Tell me.');
    expect(textOf(events)).toBe('Half a');
    expect(eventsOf(events, 'error')).toMatchObject([{ code: 'upstream_error', retryable: true }]);
    // Sent text cannot be taken back, so there is no retry.
    expect(upstream.requests.length).toBe(1);
    const [, answer] = (await client.listMessages(chat.id)).messages;
    expect(answer).toMatchObject({ role: 'assistant', status: 'failed' });
    expect(answer?.content[0]).toEqual({ type: 'text', text: 'Half a' });
    expect((await client.items(chat.id)).slice(1)).toMatchObject([
      // Two provider APIs end a text before the next block, so there the text was complete.
      { kind: 'agent_message', text: 'Half a', status: expect.stringMatching(/^(failed|completed)$/) },
      { kind: 'machine_note', note: 'turn_failed' },
    ]);
    expect(textOf(await client.say(chat.id, 'Again.'))).toBe('ok');
  });

  test('[HIST-3] continues a turn with a call in its history in later turns', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(calls('call_1', 'plan', { tasks: [{ title: 'a', status: 'pending' }] }), says('Planned.'));
    await client.say(chat.id, 'Plan.');
    expect(textOf(await client.say(chat.id, 'Next.'))).toBe('ok');
    expect(upstream.requests.filter(request => request.rejected)).toEqual([]);
  });
});
