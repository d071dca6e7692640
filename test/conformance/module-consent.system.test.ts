/** Tests that external actions of modules wait for the user: a request that all clients show, decided each time. */
import { expect, test } from 'vitest';
import type { ApiClient } from '../harness/client.ts';
import { becomes, started, tool } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const SHOWN = { to: 'bob@friends.test', subject: 'Dinner', text: 'At eight?' };

async function withPrinter(settings: object = {}, declared: object = {}) {
  const kernel = await kernelOf({
    settings: {
      ...settings,
      modules: {
        servers: { printer: started({ name: 'printer', tools: [tool('ask', declared), tool('die')] }) },
      },
    },
  });
  await becomes(kernel.api, 'printer', 'up');
  return kernel;
}

const open = async (api: ApiClient) => (await api.get('/v1/requests')).body.requests;

test('[MOD-5] sends a complete request for an external action, also in chats that ask for nothing else', async () => {
  const { api, client, upstream } = await withPrinter();
  const chat = (await client.createChat({ consent: 'auto' })).id;
  upstream.next(calls('c1', 'printer_ask', { shown: SHOWN }), says('Sent.'));
  const turn = await client.begin(chat, { text: 'Go.' });
  const asked = await turn.until('consent_request');
  expect(asked).toEqual({
    type: 'consent_request',
    id: asked.id,
    op_id: asked.id,
    action: 'printer_ask',
    hands: null,
    decisions: ['allow', 'deny'],
    reason: 'A module wants to do something outside of this chat.',
    outside: [],
    ...SHOWN,
  });
  expect(await open(api)).toMatchObject([{ id: asked.id, chat_id: chat, event: { ...SHOWN } }]);
  const wrong = await api.post(`/v1/chats/${chat}/ops/result`, { id: asked.id, decision: 'allow_always' });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_value' } });
  await client.answerRequest(chat, { id: asked.id, decision: 'allow' });
  const [result] = eventsOf(await turn.all(), 'tool_result');
  expect(JSON.parse(result!.output)).toMatchObject({ result: { allowed: true } });
  expect((await api.get('/v1/approvals')).body.approvals).toEqual([]);
});

test("[MOD-5] [MOD-9] asks again for the next action of the same module, passes on the user's reason for a refusal, and ends the request of a module that dies", async () => {
  const { api, client, upstream } = await withPrinter();
  const chat = (await client.createChat()).id;
  const answers = [{ decision: 'allow' }, { decision: 'deny', error: 'Not him.' }, { decision: 'deny' }];
  for (const answer of answers) {
    upstream.next(calls('c1', 'printer_ask', { shown: SHOWN }), says('Done.'));
    const turn = await client.begin(chat, { text: 'Go.' });
    const { id } = await turn.until('consent_request');
    await client.answerRequest(chat, { id, ...answer });
    const [result] = eventsOf(await turn.all(), 'tool_result');
    const { allowed, reason } = JSON.parse(result!.output).result;
    expect(allowed).toBe(answer.decision === 'allow');
    if (answer.error) expect(reason).toBe('The user declined this operation. They said: Not him.');
    else if (!allowed) expect(reason).toBe('The user declined this operation.');
  }

  const steps = ['ask', 'die'].map(name => ({
    call: { id: name, name: `printer_${name}`, input: { shown: SHOWN } },
  }));
  upstream.next({ steps }, says('Done.'));
  const events = await (await client.begin(chat, { text: 'Go.' })).all();
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([true, true]);
  expect(eventsOf(events, 'consent_request').length).toBe(eventsOf(events, 'request_resolved').length);
  expect(await open(api)).toEqual([]);
});

test.each([
  { consent_timeout_secs: 1 },
  { client_op_timeout_secs: 1 },
])('[MOD-5] [CONSENT-1] expires an unanswered request like others for consent (%o), as a refusal', async requests => {
  const { client, upstream } = await withPrinter({ requests });
  const chat = (await client.createChat()).id;
  upstream.next(calls('c1', 'printer_ask', { shown: SHOWN }), says('Done.'));
  const events = await (await client.begin(chat, { text: 'Go.', consents: true })).all();
  expect(eventsOf(events, 'request_resolved')).toMatchObject([{ reason: 'expired' }]);
  const [result] = eventsOf(events, 'tool_result');
  expect(JSON.parse(result!.output).result).toEqual({
    allowed: false,
    reason: 'No answer came from the client in time.',
  });
});

test('[CONSENT-4] in the turns of a schedule, an action asks unless a grant covers exactly its recipient', async () => {
  const requests = { question_timeout_secs: 1, unattended_timeout_secs: 0.2 };
  const { api, client, upstream } = await withPrinter({ requests }, { asks: true });
  for (const [more, allowed] of [
    [{}, true],
    [{ to: 'eve@evil.test' }, false],
    [{ to: 'bob@friends.test, eve@evil.test' }, false],
    [{ cc: 'eve@evil.test' }, false],
    [{ attach: 'notes.txt' }, false],
  ] as const) {
    const chat = (await client.createChat()).id;
    await client.say(chat, 'Read this.', { outside: ['web:evil.test'] });
    const { body } = await api.post('/v1/schedules', {
      text: 'Report.',
      cron: '0 0 29 2 *',
      chat_id: chat,
      grants: [{ tool: 'printer_ask', target: SHOWN.to }],
    });
    upstream.next(calls('c1', 'printer_ask', { shown: { ...SHOWN, ...more } }), says('Done.'));
    const { turn_id } = (await api.post(`/v1/schedules/${body.id}/run`)).body;
    const ended = async () => (await client.getTurn(chat, turn_id)).status;
    await expect.poll(ended, { timeout: 20_000 }).toBe('completed');
    const { messages } = await client.listMessages(chat);
    const blocks = messages.filter(each => each.turn_id === turn_id).flatMap(({ content }) => content);
    const outputs = blocks.flatMap(block => (block.type === 'tool_result' ? [JSON.parse(block.output)] : []));
    expect(outputs, JSON.stringify(more)).toMatchObject([{ result: { allowed } }]);
  }
});
