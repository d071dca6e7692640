/** Tests spend caps: a note near a cap, a question to the master at a cap, and no interrupted tool. */
import type { EventOf } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { foldItems } from '../harness/items.ts';
import { KINDS } from '../harness/settings.ts';
import {
  asked,
  at,
  closed,
  failureOf,
  isQuestion,
  nearOf,
  PLAN,
  questionsOf,
  running,
  STOP,
  start,
} from '../harness/spending.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';

describe('near a cap', () => {
  test('notifies its chat once with a note, and sends nothing to the model', async () => {
    const kernel = await start({ per_day: { usd: 5 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(4.12, says('Much.')));
    await client.say(chat.id, '1');
    expect(nearOf(await client.items(chat.id))).toEqual([]);
    for (const text of ['2', '3']) {
      upstream.next(at(0.01, says('Little.')));
      await client.say(chat.id, text);
    }
    const other = await client.createChat();
    await client.say(other.id, '4');
    const told = "[spend] A cap on spending is near. 80 % of today's 5.00 USD is spent: 4.12 USD.";
    expect(nearOf(await client.items(chat.id))).toEqual([told]);
    expect(nearOf(await client.items(other.id))).toEqual([]);
    expect(JSON.stringify(upstream.requests)).not.toContain('[spend]');
  });

  test('adds notes after the results of the step during a turn, one per cap', async () => {
    const kernel = await start({ per_turn: { usd: 1, tokens: 1000 }, per_chat: { usd: 10 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(0.85, PLAN), says('Done.'));
    const stream = await client.begin(chat.id, { text: 'Go.' });
    const events = await closed(kernel, chat.id, stream);
    const kinds = foldItems(events).map(({ kind }) => kind);
    expect(kinds).toEqual(['tool_call', 'machine_note', 'machine_note', 'agent_message']);
    expect(nearOf(foldItems(events))).toEqual([
      "[spend] A cap on spending is near. 80 % of this turn's 1.00 USD is spent: 0.85 USD.",
      "[spend] A cap on spending is near. 80 % of this turn's 1000 tokens is spent: 850 tokens.",
    ]);
  });
});

describe.each(KINDS)('at a cap, over %s', kind => {
  test('[HIST-3] [ITEM-11] asks the master, continues the turn, and hides the question from the model', async () => {
    const kernel = await start({ per_turn: { usd: 1 } }, { kind });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(1.2, PLAN), at(0.3, calls('q', 'plan', { tasks: [] })), says('Done.'));
    const { stream, call, question, goOn, answer } = await asked(kernel, chat.id);
    expect(question).toBe("All of this turn's 1.00 USD is spent: 1.20 USD. Continue?");
    expect(goOn).toBe('Continue (allows 0.40 USD more)');
    expect(call.input.decisions).toEqual({});
    expect((await client.listRequests()).requests).toMatchObject([
      { id: call.id, kind: 'question', question: 0, chat_id: chat.id, turn_id: stream.turnId, event: call },
    ]);
    expect(upstream.requests).toHaveLength(1);
    // The request does not offer this meta-decision: the question stays open.
    await expect(answer({ decision: 'discuss' })).rejects.toMatchObject({ status: 400 });
    await answer({ question: 0, answer: goOn });
    const again = (await stream.until(
      event => isQuestion(event) && event.id !== call.id,
    )) as EventOf<'tool_call'>;
    await client.answerRequest(chat.id, {
      id: again.id,
      answer: 'Continue (allows 0.20 USD more)',
    });
    const events = await closed(kernel, chat.id, stream);
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    expect(textOf(events)).toBe('Done.');
    expect(upstream.requests).toHaveLength(3);
    expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
    await client.say(chat.id, 'And now?');
    expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
    expect(JSON.stringify(upstream.requests)).not.toMatch(/spend_cap|USD/);
  });
});

describe('at a cap', () => {
  test('stop fails the turn, and the next turn asks again', async () => {
    const kernel = await start({ per_day: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(1, PLAN));
    for (const first of [true, false]) {
      const { stream, answer } = await asked(kernel, chat.id);
      await answer({ question: 0, answer: STOP });
      const events = await closed(kernel, chat.id, stream);
      expect(failureOf(events)).toMatchObject({
        code: 'spend_cap',
        retryable: false,
        message: "All of today's 1.00 USD is spent: 1.00 USD (spend.per_day.usd). The user stops the turn.",
      });
      expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed', stop_reason: 'error' });
      expect(upstream.requests).toHaveLength(1);
      expect(eventsOf(events, 'tool_result')).toHaveLength(first ? 2 : 1);
    }
  });

  test('treats any other answer of the master as no', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const chat = await kernel.client.createChat();
    kernel.upstream.next(at(1, PLAN));
    const { stream, answer } = await asked(kernel, chat.id);
    await answer({ question: 0, answer: 'Go on' });
    expect(failureOf(await closed(kernel, chat.id, stream))?.code).toBe('spend_cap');
  });

  test('accepts the error of a client that cannot ask', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const chat = await kernel.client.createChat();
    kernel.upstream.next(at(1, PLAN));
    const { stream, answer } = await asked(kernel, chat.id);
    await answer({ question: 0, error: 'The screen is off.' });
    const events = await closed(kernel, chat.id, stream);
    expect(failureOf(events)?.message).toMatch(/The question could not be asked: The screen is off\.$/);
    expect(eventsOf(events, 'tool_result').at(-1)).toMatchObject({ name: 'ask_questions', is_error: true });
  });

  test('[EV-13] [TURN-10] a cancel ends the question with the turn', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(1, PLAN));
    const { stream, call } = await asked(kernel, chat.id);
    const started = Date.now();
    await client.cancelTurn(chat.id);
    expect(Date.now() - started).toBeLessThan(30_000);
    const events = await closed(kernel, chat.id, stream);
    expect(eventsOf(events, 'request_resolved')).toEqual([
      { type: 'request_resolved', id: call.id, kind: 'question', reason: 'cancelled', question: 0 },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    expect((await client.items(chat.id)).map(({ kind, status }) => [kind, status])).toEqual([
      ['user_message', 'completed'],
      ['tool_call', 'completed'],
      ['tool_call', 'aborted'],
      ['machine_note', 'completed'],
    ]);
  });

  test('[EV-14] expires an unanswered question, and fails the turn', async () => {
    const kernel = await start(
      { per_turn: { usd: 1 } },
      { settings: { requests: { question_timeout_secs: 0.2 } } },
    );
    const chat = await kernel.client.createChat();
    kernel.upstream.next(at(1, PLAN));
    const { stream } = await asked(kernel, chat.id);
    const events = await closed(kernel, chat.id, stream);
    expect(eventsOf(events, 'request_resolved')).toMatchObject([{ reason: 'expired' }]);
    expect(failureOf(events)).toMatchObject({ code: 'spend_cap', retryable: false });
  });

  test.each([
    ['a client that shows no questions', {}],
    ['a client with hands that shows no questions', { client_ops: true, questions: false }],
    ['a guest', { questions: true, guest: true }],
    ['another person', { questions: true, sender: 'Ann' }],
    ['the master through a surface', { questions: true, anchor: { chat_id: 1, message_id: 2 } }],
  ])('%s is not asked, and the turn fails', async (_who, body) => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(1.5, PLAN));
    const stream = await client.begin(chat.id, { text: 'Go.', ...body });
    const events = await closed(kernel, chat.id, stream);
    expect(questionsOf(events)).toEqual([]);
    expect(failureOf(events)).toMatchObject({
      code: 'spend_cap',
      retryable: false,
      message:
        "All of this turn's 1.00 USD is spent: 1.50 USD (spend.per_turn.usd). This turn has no client that could be asked whether to continue.",
    });
    // The calls of its step have their results.
    expect(eventsOf(events, 'tool_result')).toMatchObject([{ id: 'p' }]);
    expect((await client.getTurn(chat.id, stream.turnId)).error?.code).toBe('spend_cap');
  });

  test('asks after all calls of a step have ended', async () => {
    const kernel = await start({ per_turn: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(
      at(3, {
        steps: [
          { call: { id: 'slow', name: 'count', input: {} } },
          { call: { id: 'quick', name: 'plan', input: { tasks: [] } } },
        ],
      }),
    );
    const count = { name: 'count', description: 'Counts.' };
    const stream = await client.begin(chat.id, { text: 'Go.', questions: true, extra_tools: [count] });
    await stream.until(event => event.type === 'tool_result' && event.id === 'quick');
    await stream.until('extra_tool_call');
    expect(questionsOf(stream.events)).toEqual([]);
    await client.answerRequest(chat.id, { id: 'slow', result: '3' });
    const call = (await stream.until(isQuestion)) as EventOf<'tool_call'>;
    const before = stream.events.slice(0, stream.events.indexOf(call));
    expect(eventsOf(before, 'tool_result').map(({ id }) => id)).toEqual(['quick', 'slow']);
    await client.answerRequest(chat.id, { id: call.id, answer: STOP });
    await closed(kernel, chat.id, stream);
  });

  test('caps tokens of prompts and answers together', async () => {
    const kernel = await start({ per_chat: { tokens: 2000 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next({ steps: [{ text: 'A' }, { usage: { prompt: 1500, completion: 600 } }] });
    await client.say(chat.id, '1');
    const { stream, question, goOn, answer } = await asked(kernel, chat.id);
    expect(question).toBe("All of this chat's 2000 tokens is spent: 2100 tokens. Continue?");
    // A fifth of a small cap would be zero.
    expect(goOn).toBe('Continue (allows 1000 tokens more)');
    await answer({ question: 0, answer: goOn });
    expect(textOf(await closed(kernel, chat.id, stream))).toBe('ok');
    const other = await client.createChat();
    expect((await client.say(other.id, 'Hi.')).at(-1)).toMatchObject({ status: 'completed' });
  });

  test('asks for each of several caps, one after the other', async () => {
    const kernel = await start({ per_turn: { usd: 1 }, per_month: { usd: 1 } });
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(at(1, PLAN), says('Done.'));
    const { stream, call, question, goOn, answer } = await asked(kernel, chat.id);
    expect(question).toContain("this turn's");
    await answer({ question: 0, answer: goOn });
    const next = (await stream.until(
      event => isQuestion(event) && event.id !== call.id,
    )) as EventOf<'tool_call'>;
    expect(JSON.stringify(next.input)).toContain("this month's");
    await client.answerRequest(chat.id, { id: next.id, answer: goOn });
    expect(textOf(await closed(kernel, chat.id, stream))).toBe('Done.');
  });

  test('continues every chat that waits after one yes to the daily cap', async () => {
    const kernel = await start({ per_day: { usd: 1 } });
    const { client, upstream } = kernel;
    const chats = [await client.createChat(), await client.createChat()];
    upstream.next(at(1, says('All.')));
    await client.say((await client.createChat()).id, 'Go.');
    // Both turns share one question: the second turn waits for its response.
    const first = await asked(kernel, chats[0]!.id);
    const second = await client.begin(chats[1]!.id, { text: 'Go.', questions: true });
    await running(kernel, chats[1]!.id);
    expect((await client.listRequests()).requests).toMatchObject([{ id: first.call.id }]);
    await first.answer({ question: 0, answer: first.goOn });
    for (const stream of [first.stream, second]) {
      expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    }
    expect([first.stream, second].map(({ events }) => questionsOf(events).length)).toEqual([1, 0]);
    expect((await client.getStats()).caps).toMatchObject([{ scope: 'day', raised_by: 0.2 }]);
  });

  test('ends only its own turn on no, and asks again for the next', async () => {
    const kernel = await start({ per_day: { usd: 1 } });
    const { client, upstream } = kernel;
    upstream.next(at(1, says('All.')));
    await client.say((await client.createChat()).id, 'Go.');
    const first = await asked(kernel, (await client.createChat()).id);
    const chat = await client.createChat();
    const second = asked(kernel, chat.id);
    await running(kernel, chat.id);
    await first.answer({ question: 0, answer: STOP });
    expect((await first.stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'failed' });
    const { stream, answer, goOn } = await second;
    await answer({ question: 0, answer: goOn });
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  });
});
