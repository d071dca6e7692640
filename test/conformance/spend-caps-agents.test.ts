/** Tests spend caps when several runs wait for the response, and when the kernel restarts before it. */
import type { EventOf } from '@chat-kernel/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel } from '../harness/kernel.ts';
import {
  asked,
  at,
  cheap,
  closed,
  failureOf,
  isQuestion,
  nearOf,
  PLAN,
  questionsOf,
  STOP,
  settingsWith,
  start,
} from '../harness/spending.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

describe('sub-agents', () => {
  const AGENTS = ['scout', 'smith', 'seer'].map(name => ({ name, task: 'Do it.' }));
  const agents = (usd: number) => at(usd, calls('lead', 'agent', { agents: AGENTS }));

  test('[BT-10] [ITEM-11] waits with all agents for one answer, and continues them together', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { api, client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(agents(1));
    const { stream, goOn, answer } = await asked(kernel, chat.id);
    expect(upstream.requests).toHaveLength(1);
    await answer({ question: 0, answer: goOn });
    const events = await closed(kernel, chat.id, stream);
    expect(questionsOf(events)).toHaveLength(1);
    expect(eventsOf(events, 'tool_result').map(({ name, is_error }) => [name, is_error])).toEqual([
      ['ask_questions', false],
      ['agent', false],
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    expect(upstream.requests).toHaveLength(5);
    const lead = upstream.requests.at(-1)?.body.messages;
    expect(lead.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'lead' }] },
      { role: 'tool', tool_call_id: 'lead', content: expect.stringContaining('== seer\nok') },
    ]);
    expect(JSON.stringify(lead)).not.toContain('spend_cap');
    // Wherever a page is cut, a call has its result.
    const { items } = await client.listItems(chat.id, { limit: 1 });
    let before = items[0]!.id;
    for (const kind of ['tool_call', 'tool_call', 'user_message']) {
      const page = (await api.get(`/v1/chats/${chat.id}/items?limit=1&before=${before}`)).body.items;
      expect(page).toMatchObject([{ kind, status: 'completed' }]);
      before = page[0].id;
    }
  });

  test('[BT-10] stops all agents and the turn on stop', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(agents(1));
    const { stream, answer } = await asked(kernel, chat.id);
    await answer({ question: 0, answer: STOP });
    const events = await closed(kernel, chat.id, stream);
    expect(questionsOf(events)).toHaveLength(1);
    expect(failureOf(events)?.code).toBe('spend_cap');
    expect(eventsOf(events, 'tool_result').map(({ name }) => name)).toEqual(['ask_questions', 'agent']);
    expect(upstream.requests).toHaveLength(1);
  });

  test('[BT-10] [TURN-10] leaves nothing open after a cancel during the wait', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(agents(1));
    const { stream } = await asked(kernel, chat.id);
    await client.cancelTurn(chat.id);
    const events = await closed(kernel, chat.id, stream);
    expect(events.at(-1)).toMatchObject({ status: 'cancelled' });
    await client.say(chat.id, 'Still there?');
    expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
  });

  test('[BT-10] [EV-13] ends the question when a parallel call ends the turn', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const { steps = [] } = calls('lead', 'agent', { agents: AGENTS });
    upstream.next(at(1, { steps: [...steps, { call: { id: 'bye', name: 'leave', input: {} } }] }));
    const leave = { name: 'leave', description: 'Leaves.', ends_turn: true };
    const stream = await client.begin(chat.id, { text: 'Go.', questions: true, extra_tools: [leave] });
    const call = (await stream.until(isQuestion)) as EventOf<'tool_call'>;
    await client.answerRequest(chat.id, { id: 'bye', result: 'Bye.' });
    const events = await closed(kernel, chat.id, stream);
    expect(events.at(-1)).toMatchObject({ status: 'completed', stop_reason: 'ends_turn' });
    expect(eventsOf(events, 'request_resolved')).toMatchObject([
      { id: 'bye', reason: 'answered' },
      { id: call.id, reason: 'turn_ended' },
    ]);
    await client.say(chat.id, 'Still there?');
    expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
  });

  test('counts the spend of sub-agents toward the caps of the lead', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(
      at(0.1, calls('lead', 'agent', { agents: AGENTS.slice(0, 1) })),
      at(0.75, PLAN),
      at(0.05, says('Done.')),
      says('All done.'),
    );
    await client.say(chat.id, 'Go.');
    expect(nearOf(await client.items(chat.id))).toEqual([
      "[spend] A cap on spending is near. 80 % of this turn's 1.00 USD is spent: 0.85 USD.",
    ]);
  });
});

describe('through a restart', () => {
  const own = async () => {
    const upstream = await cheap();
    const directory = temporaryDirectory();
    onTestFinished(async () => {
      await upstream.close();
      directory.remove();
    });
    return { upstream, dataDir: directory.path };
  };

  test('keeps the spend of today and this month, and forgets the amounts that the master added', async () => {
    const options = await own();
    const caps = { per_day: { usd: 1 }, per_month: { usd: 100 } };
    const before = await startKernel({ ...options, settings: settingsWith(caps) });
    const chat = await before.client.createChat();
    options.upstream.next(at(1, PLAN), at(0.1, says('Done.')));
    const first = await asked(before, chat.id);
    await first.answer({ question: 0, answer: first.goOn });
    await first.stream.all();
    await before.stop();
    const kernel = await start(caps, options);
    expect((await kernel.client.getStats()).caps).toEqual([
      { scope: 'day', unit: 'usd', spent: expect.closeTo(1.1, 9), cap: 1, raised_by: 0 },
      { scope: 'month', unit: 'usd', spent: expect.closeTo(1.1, 9), cap: 100, raised_by: 0 },
    ]);
    const { stream, answer } = await asked(kernel, (await kernel.client.createChat()).id);
    await answer({ question: 0, answer: STOP });
    await stream.all();
  });
});

test('[SLP-4] [BT-10] completes a turn after a restart and wake that slept while one of its sub-agents asked', async () => {
  const upstream = await cheap();
  const directory = temporaryDirectory();
  onTestFinished(async () => {
    await upstream.close();
    directory.remove();
  });
  const options = { upstream, dataDir: directory.path };
  const before = await startKernel({ ...options, settings: settingsWith({ per_turn: { usd: 1 } }) });
  const chat = await before.client.createChat();
  upstream.next(
    at(1, {
      steps: [
        { call: { id: 'lead', name: 'agent', input: { agents: [{ name: 'scout', task: 'Do it.' }] } } },
        { call: { id: 'sleep', name: 'sleep', input: { reason: 'tea' } } },
      ],
    }),
  );
  const { stream, call } = await asked(before, chat.id);
  await stream.until('sleeping');
  await before.stop();
  const kernel = await start({ per_turn: { usd: 10 } }, options);
  const { client } = kernel;
  const watching = await client.watch(chat.id);
  await watching.until('sleeping');
  await client.wake();
  const events = await watching.all();
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  const items = await client.items(chat.id);
  expect(items.flatMap(item => (item.kind === 'tool_call' ? [[item.name, item.status]] : []))).toEqual([
    ['agent', 'aborted'],
    ['sleep', 'completed'],
    ['ask_questions', 'aborted'],
  ]);
  expect(items.find(item => 'call_id' in item && item.call_id === call.id)).toMatchObject({
    input: call.input,
  });
  expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
  expect(JSON.stringify(upstream.requests)).not.toContain('spend_cap');
});
