/** What modules do outside waits for the owner: a request that all clients show, decided each time. */
import { expect, test } from 'vitest';
import type { ApiClient } from '../harness/client.ts';
import { becomes, kernelOf, started, tool } from '../harness/modules.ts';
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

test('[MOD-5] an act of a module is a request with all of it, in chats that ask nobody else too', async () => {
  const { api, client, upstream } = await withPrinter();
  const chat = (await client.createChat({ consent: 'auto' })).id;
  upstream.next(calls('c1', 'printer_ask', { shown: SHOWN }), says('Sent.'));
  const turn = await client.begin(chat, { text: 'Go.' });
  const asked = await turn.until('client_op');
  expect(asked).toEqual({
    type: 'client_op',
    id: asked.id,
    op_id: asked.id,
    action: 'printer_ask',
    hands: null,
    decisions: ['allow', 'deny'],
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

test('[MOD-5] the next act of the same module is asked about as well, and a no has the words of the owner', async () => {
  const { client, upstream } = await withPrinter();
  const chat = (await client.createChat()).id;
  const answers = [{ decision: 'allow' }, { decision: 'deny', error: 'Not him.' }, { decision: 'deny' }];
  for (const answer of answers) {
    upstream.next(calls('c1', 'printer_ask', { shown: SHOWN }), says('Done.'));
    const turn = await client.begin(chat, { text: 'Go.' });
    const { id } = await turn.until('client_op');
    await client.answerRequest(chat, { id, ...answer });
    const [result] = eventsOf(await turn.all(), 'tool_result');
    const { allowed, reason } = JSON.parse(result!.output).result;
    expect(allowed).toBe(answer.decision === 'allow');
    if (answer.error !== undefined) expect(reason).toContain(answer.error);
    else if (!allowed) expect(reason).toBe('The user declined this operation.');
  }
});

test('[MOD-5] a request that nobody answers ends as a question does, and is a no', async () => {
  const { client, upstream } = await withPrinter({ requests: { question_timeout_secs: 1 } });
  const chat = (await client.createChat()).id;
  upstream.next(calls('c1', 'printer_ask', { shown: SHOWN }), says('Done.'));
  const events = await (await client.begin(chat, { text: 'Go.' })).all();
  expect(eventsOf(events, 'request_resolved')).toMatchObject([{ reason: 'expired' }]);
  const [result] = eventsOf(events, 'tool_result');
  expect(JSON.parse(result!.output).result).toEqual({
    allowed: false,
    reason: 'No answer came from the client in time.',
  });
});

test('[MOD-9] the request of a module that dies is over, and so is its call', async () => {
  const { api, client, upstream } = await withPrinter();
  const chat = (await client.createChat()).id;
  const steps = ['ask', 'die'].map(name => ({
    call: { id: name, name: `printer_${name}`, input: { shown: SHOWN } },
  }));
  upstream.next({ steps }, says('Done.'));
  const events = await (await client.begin(chat, { text: 'Go.' })).all();
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([true, true]);
  expect(eventsOf(events, 'client_op').length).toBe(eventsOf(events, 'request_resolved').length);
  expect(await open(api)).toEqual([]);
});
