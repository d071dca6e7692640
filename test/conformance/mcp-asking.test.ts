/** What a guest asks in mid-call is a question to the owner, in every revision and over both wires. */
import type { Event, EventOf } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { program } from '../../packages/extensions/test/mcp/fixtures/desk.ts';
import { kernelOf, toolEntry } from '../harness/modules.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];
interface Question {
  question: string;
  header: string;
  options: { label: string }[];
  multi_select?: boolean;
}

/** A kernel whose guest `desk` asks for `params` in mid-call, and the turn that waits for its owner. */
async function asking(revision: Revision, params: object) {
  const kernel = await kernelOf({ settings: { mcp: { servers: { desk: program(revision).entry } } } });
  await expect
    .poll(() => toolEntry(kernel.api, 'mcp_desk_ask'), { timeout: 30_000 })
    .toMatchObject({ available: true });
  const chat = await kernel.client.createChat();
  kernel.upstream.next(calls('c', 'mcp_desk_ask', { params }), says('Done.'));
  const stream = await kernel.client.begin(chat.id, { text: 'Go.', questions: true });
  const known = new Set<string>();
  const isNew = (event: Event) =>
    event.type === 'tool_call' && event.name === 'ask_questions' && !known.has(event.id);
  /** The next question, and how to answer it. */
  const asked = async () => {
    const call = (await stream.until(isNew)) as EventOf<'tool_call'>;
    known.add(call.id);
    const [question] = call.input.questions as unknown as Question[];
    return {
      ...question!,
      labels: question!.options.map(({ label }) => label),
      answer: (body: object) => kernel.client.answerRequest(chat.id, { id: call.id, ...body }),
    };
  };
  /** What the server was answered, as it told the model. */
  const told = async () => {
    const events = await stream.all();
    const output = eventsOf(events, 'tool_result').find(({ id }) => id === 'c')?.output ?? '';
    return JSON.parse(output);
  };
  return { ...kernel, chat, stream, asked, told };
}

const form = (properties: object, required: string[] = []) => ({
  message: 'Who is it?',
  requestedSchema: { type: 'object', properties, required },
});

test.each(REVISIONS)('[MCP-4] %s: a form is asked field by field, and filled in', async revision => {
  const properties = {
    name: { type: 'string', title: 'Name', description: 'As on the card', minLength: 2 },
    age: { type: 'integer', minimum: 18, default: 30 },
    colours: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'r', title: 'Red, dark' },
          { const: 'b', title: 'Blue' },
        ],
      },
    },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    member: { type: 'boolean' },
    note: { type: 'string' },
  };
  const { asked, told, upstream, client, chat } = await asking(revision, form(properties, ['name', 'size']));
  const name = await asked();
  expect(name).toMatchObject({
    question: 'The tool server desk asks: Who is it?\nName: As on the card (1 of 6)',
    header: 'desk',
    labels: ['Decline to answer'],
  });
  await name.answer({ answer: 'A' });
  const again = await asked();
  expect(again.question).toMatch(/\nIt has to have 2 characters or more\.$/);
  await again.answer({ answer: 'Ada' });
  const age = await asked();
  expect(age.labels).toEqual(['30', 'Leave it out', 'Decline to answer']);
  await age.answer({ answer: '17.5' });
  const ageAgain = await asked();
  expect(ageAgain.question).toMatch(/\nIt has to be a whole number\.$/);
  await ageAgain.answer({ answer: '36' });
  const colours = await asked();
  expect(colours).toMatchObject({ multi_select: true });
  await colours.answer({ answer: 'Red, dark, Blue' });
  await (await asked()).answer({ answer: 'Medium' });
  await (await asked()).answer({ answer: 'Yes' });
  await (await asked()).answer({ answer: 'Leave it out' });
  expect(await told()).toEqual({
    action: 'accept',
    content: { name: 'Ada', age: 36, colours: ['r', 'b'], size: 'm', member: true },
  });
  // Neither the questions nor the answers are told to the model.
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('The tool server desk asks');
  expect((await client.listRequests()).requests).toEqual([]);
  expect((await client.items(chat.id)).filter(({ status }) => status === 'running')).toEqual([]);
});

test.each(REVISIONS)('[MCP-4] %s: a no, an error and an end are told apart', async revision => {
  const declined = await asking(revision, form({ name: { type: 'string' } }));
  await (await declined.asked()).answer({ answer: 'Decline to answer' });
  expect(await declined.told()).toEqual({ action: 'decline' });
  const failed = await asking(revision, form({}));
  const question = await failed.asked();
  expect(question.labels).toEqual(['Accept', 'Decline to answer']);
  await question.answer({ error: 'No screen.' });
  expect(await failed.told()).toEqual({ action: 'cancel' });
});

test.each(REVISIONS)('[MCP-4] %s: an address is shown whole, and nobody opens it', async revision => {
  const url = 'https://pay.example/approve?id=1';
  const params = { mode: 'url', message: 'Pay first.', url, elicitationId: 'e' };
  const { asked, told } = await asking(revision, params);
  const question = await asked();
  expect(question).toMatchObject({
    question: `The tool server desk asks: Pay first.\nOpen this address yourself, if you trust it: ${url}`,
    labels: ['Done there', 'Decline to answer'],
  });
  await question.answer({ answer: 'Done there' });
  expect(await told()).toEqual({ action: 'accept' });
});

test.each(REVISIONS)('[MCP-4] %s: a turn that is cancelled leaves no question', async revision => {
  const { asked, stream, client, chat } = await asking(revision, form({ name: { type: 'string' } }));
  await asked();
  await client.cancelTurn(chat.id);
  expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  expect((await client.listRequests()).requests).toEqual([]);
  expect((await client.items(chat.id)).filter(({ status }) => status === 'running')).toEqual([]);
});
