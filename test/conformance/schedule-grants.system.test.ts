/** Tests what the owner of a schedule allows in its turns, in which they may be absent. */
import { expect, test } from 'vitest';
import type { TestKernel } from '../harness/kernel.ts';
import { becomes, started, tool, toolEntry } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

const SOURCE = 'web:evil.example';
const WHEN = { text: 'Report.', cron: '0 0 29 2 *', timezone: 'UTC' };
const NO_ANSWER = 'No answer came from the client in time.';

/** A kernel with a module `parrot`, whose requests for consent expire after a second. */
async function withParrot(): Promise<TestKernel> {
  const kernel = await kernelOf({
    settings: {
      requests: { consent_timeout_secs: 1, unattended_timeout_secs: 1 },
      modules: { servers: { parrot: started({ name: 'parrot', tools: [tool('echo')] }) } },
    },
  });
  await becomes(kernel.api, 'parrot', 'up');
  await expect.poll(() => toolEntry(kernel.api, 'parrot_echo'), { timeout: 30_000 }).toBeDefined();
  return kernel;
}

/** Runs a schedule that calls `parrot_echo` in a chat with text from outside; returns the results of the calls. */
async function run({ api, client, upstream }: TestKernel, id: string, chat: string): Promise<string[]> {
  upstream.next(calls('c', 'parrot_echo', { word: 'hi' }), says('Done.'));
  const { turn_id } = (await api.post(`/v1/schedules/${id}/run`)).body;
  await expect
    .poll(async () => (await client.getTurn(chat, turn_id)).status, { timeout: 20_000 })
    .toBe('completed');
  const { messages } = await client.listMessages(chat);
  return messages
    .filter(message => message.turn_id === turn_id)
    .flatMap(({ content }) => content.flatMap(block => (block.type === 'tool_result' ? [block.output] : [])));
}

test('[CONSENT-4] a grant of a schedule holds in its turns after text from outside, and nowhere else', async () => {
  const kernel = await withParrot();
  const { api, client } = kernel;
  const chat = (await client.createChat()).id;
  await client.say(chat, 'Read this.', { outside: [SOURCE] });
  const { body: schedule } = await api.post('/v1/schedules', { ...WHEN, chat_id: chat });
  expect(schedule.grants).toEqual([]);
  expect(await run(kernel, schedule.id, chat)).toEqual([NO_ANSWER]);
  const change = async (grants: object[]) => {
    const { status, body } = await api.patch(`/v1/schedules/${schedule.id}`, { grants });
    expect([status, body.grants]).toEqual([200, grants]);
  };
  await change([{ tool: 'parrot_echo', target: 'elsewhere' }]);
  expect(await run(kernel, schedule.id, chat)).toEqual([NO_ANSWER]);
  await change([{ tool: 'parrot_echo', target: 'parrot' }]);
  expect(await run(kernel, schedule.id, chat)).toEqual([expect.stringContaining('"input":{"word":"hi"}')]);
  // The owner's own turn in the same chat still asks.
  kernel.upstream.next(calls('c', 'parrot_echo', { word: 'hi' }), says('Done.'));
  const turn = await client.begin(chat, { text: 'Go.', consents: true });
  await turn.until('consent_request');
  await turn.all();
  // Other changes keep the grants, and an empty list removes them.
  await api.patch(`/v1/schedules/${schedule.id}`, { title: 'Report' });
  expect((await api.get(`/v1/schedules/${schedule.id}`)).body.grants).toHaveLength(1);
  await change([]);
  expect(await run(kernel, schedule.id, chat)).toEqual([NO_ANSWER]);
});

test.each([
  [{ tool: 'fly' }, '/grants/0/tool', 'There is no tool fly. GET /v1/tools lists all tools.'],
  [
    { tool: 'parrot_echo' },
    '/grants/0/target',
    'parrot_echo sends something out, so its grant needs a target.',
  ],
])('[CONSENT-4] refuses the grant %j of a schedule, and says where', async (grant, pointer, detail) => {
  const { api } = await withParrot();
  const refused = { status: 400, body: { code: 'invalid_value', errors: [{ pointer, detail }] } };
  expect(await api.post('/v1/schedules', { ...WHEN, grants: [grant] })).toMatchObject(refused);
  expect((await api.get('/v1/schedules')).body.schedules).toEqual([]);
  const hidden = [{ tool: 'memory', target: 'npm\u202e test' }];
  expect((await api.post('/v1/schedules', { ...WHEN, grants: hidden })).status).toBe(422);
  const { body } = await api.post('/v1/schedules', { ...WHEN, grants: [{ tool: 'memory' }] });
  expect(body.grants).toEqual([{ tool: 'memory', target: null }]);
  expect(await api.patch(`/v1/schedules/${body.id}`, { grants: [grant] })).toMatchObject(refused);
});

test('[CONSENT-4] [SCHED-3] the question about a schedule of a model names each grant, and a wrong one asks nothing', async () => {
  const { api, client, upstream } = await withParrot();
  const chat = (await client.createChat()).id;
  const grants = [{ tool: 'parrot_echo', target: 'parrot' }, { tool: 'memory' }];
  upstream.next(calls('s', 'schedule', { add: { ...WHEN, grants } }), says('Well.'));
  const turn = await client.begin(chat, { text: 'Go.', questions: true });
  const { input } = await turn.until('tool_call');
  expect(JSON.stringify(input)).toContain(
    'in this chat. It may use without asking: parrot_echo for \\"parrot\\"; memory for everything. The message: Report.',
  );
  await client.answerRequest(chat, { id: 's', answer: 'Add schedule' });
  await turn.all();
  const [{ id, grants: made }] = (await api.get('/v1/schedules')).body.schedules;
  expect(made).toEqual([grants[0], { tool: 'memory', target: null }]);
  const wrong = { add: { ...WHEN, grants: [{ tool: 'parrot_echo' }] } };
  upstream.next(calls('w', 'schedule', wrong), calls('l', 'schedule', { list: true }), says('Well.'));
  const text = JSON.stringify(await client.say(chat, 'Again.', { questions: true }));
  expect(text).toContain('parrot_echo sends something out, so its grant needs a target.');
  expect(text).toContain('without asking: parrot_echo for');
  expect((await api.get('/v1/schedules')).body.schedules).toMatchObject([{ id }]);
});
