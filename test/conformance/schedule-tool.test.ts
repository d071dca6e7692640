/** Tests the tool with which a model lists and removes schedules, and asks its master for a new one. */
import { expect, test } from 'vitest';
import { type ScheduledKernel, scheduled } from '../harness/schedules.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const ADD = { text: 'Water the plants.', cron: '0 9 * * *', timezone: 'Europe/Berlin' };
const QUESTION =
  'Add this schedule? It sends a message at 0 9 * * * (Europe/Berlin), first at 2026-03-11T08:00:00.000Z, in this chat. The message: Water the plants.';

/** A turn in which the model calls the tool, and the rest of its stream. */
async function called({ client, upstream }: ScheduledKernel, input: object, more: object = {}) {
  const chat = await client.createChat();
  upstream.next(calls('s', 'schedule', { ...input }), says('Well.'));
  const stream = await client.begin(chat.id, { text: 'Go.', questions: true, ...more });
  const call = await stream.until('tool_call');
  const answer = (given: object) => client.answerRequest(chat.id, { id: 's', ...given });
  const result = async () => eventsOf(await stream.all(), 'tool_result')[0];
  return { chat, call, answer, result };
}

test('[SCHED-3] asks the master with the complete schedule before it is added', async () => {
  const kernel = await scheduled(NOW);
  const { api } = kernel;
  const asked = await called(kernel, { add: ADD });
  expect(asked.call).toMatchObject({
    name: 'schedule',
    input: {
      add: ADD,
      questions: [{ question: QUESTION, header: 'Schedule', options: [{ label: 'Add schedule' }, {}] }],
    },
  });
  expect((await api.get('/v1/schedules')).body.schedules).toEqual([]);
  await asked.answer({ answer: 'Add schedule' });
  const result = await asked.result();
  const [made] = (await api.get('/v1/schedules')).body.schedules;
  expect(made).toMatchObject({ ...ADD, chat_id: asked.chat.id, next_at: '2026-03-11T08:00:00.000Z' });
  expect(result).toMatchObject({
    is_error: false,
    output: `The schedule ${made.id} was added. It is first due at 2026-03-11T08:00:00.000Z.`,
  });

  const told = kernel.upstream.requests.at(-1)?.body.messages.at(-2);
  // Without the question, which is only for clients.
  expect(JSON.parse(told.tool_calls[0].function.arguments)).toEqual({ add: ADD });
  const list = await called(kernel, { list: true });
  expect((await list.result())?.output).toBe(
    `== ${made.id}\nwhen: 0 9 * * * (Europe/Berlin)\nchat: ${made.chat_id}\nnext: 2026-03-11T08:00:00.000Z\nmessage: Water the plants.`,
  );
  const remove = await called(kernel, { remove: made.id });
  expect(await remove.result()).toMatchObject({ output: `The schedule ${made.id} was removed.` });
  const none = await called(kernel, { list: true });
  expect(await none.result()).toMatchObject({ output: 'There are no schedules.' });
});

test.each([
  [{ answer: 'Deny' }, false, 'The user did not add the schedule. The answer was: Deny'],
  [{ answer: 'Sure, go on' }, false, 'The user did not add the schedule. The answer was: Sure, go on'],
  [
    { decision: 'discuss', answer: 'Which plants?' },
    false,
    '[not added yet: the user wants to discuss it first]\nWhich plants?',
  ],
])('[SCHED-3] adds nothing for any answer except yes: %j', async (given, is_error, output) => {
  const kernel = await scheduled(NOW);
  const asked = await called(kernel, { add: ADD });
  await asked.answer(given);
  expect(await asked.result()).toMatchObject({ is_error, output });
  expect((await kernel.api.get('/v1/schedules')).body.schedules).toEqual([]);
});

test('[SCHED-3] returns invalid input to the model without a question', async () => {
  const kernel = await scheduled(NOW);
  const wrong = await called(kernel, { add: { ...ADD, cron: '0 25 * * *' } });
  expect(await wrong.result()).toMatchObject({
    is_error: true,
    output: expect.stringContaining('the field hour has the invalid value "25"'),
  });
  const both = await called(kernel, { list: true, remove: 'x' });
  expect(await both.result()).toMatchObject({ is_error: true, output: 'Give one of add, list and remove.' });
  const gone = await called(kernel, { remove: 'x' });
  expect(await gone.result()).toMatchObject({
    is_error: true,
    output: expect.stringContaining('no schedule x'),
  });
});

test('[SCHED-3] offers the tool to the master where questions can be shown', async () => {
  const { api, client, upstream } = await scheduled(NOW);
  const { tools } = (await api.get('/v1/tools')).body;
  const tool = tools.find(({ name }: { name: string }) => name === 'schedule');
  expect(tool).toMatchObject({ group: 'schedules', master_only: true, on_demand: false });
  const chat = await client.createChat();
  const offered = async (body: object) => {
    await (await client.begin(chat.id, { text: 'Go.', ...body })).all();
    return namesOf(upstream.requests.at(-1));
  };
  expect(await offered({ questions: true })).toContain('schedule');
  expect(await offered({})).not.toContain('schedule');
  expect(await offered({ questions: true, sender: 'Eve' })).not.toContain('schedule');
});

/** The names of the tools that a request offers. */
function namesOf(request: unknown): string[] {
  const { tools = [] } = (request as { body: { tools?: { function: { name: string } }[] } }).body;
  return tools.map(({ function: { name } }) => name);
}
