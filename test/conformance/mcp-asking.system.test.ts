/**
 * Tests that a request of a guest during a call becomes a question to the user, in every revision and over both
 * transports.
 */
import type { Event, EventOf } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { program } from '../../packages/mcp-client/test/fixtures/desk.ts';
import { toolEntry } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];
interface Question {
  question: string;
  header: string;
  options: { label: string }[];
  multi_select?: boolean;
}

/** A kernel whose guest `desk` asks for `params` during a call, and the turn that waits for its user. */
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
  /** Returns the next question, and a function that responds to it. */
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
  /** The response that the server received, as it told the model. */
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

test.each(REVISIONS)('[MCP-4] %s: asks for a form field by field, and returns the values', async revision => {
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
    question: 'The MCP server desk asks: Who is it?\nName: As on the card (1 of 6)',
    header: 'desk',
    labels: ['Decline to answer'],
  });
  await name.answer({ answer: 'A' });
  const again = await asked();
  expect(again.question).toMatch(/\nAt least 2 characters are required\.$/);
  await again.answer({ answer: 'Ada' });
  const age = await asked();
  expect(age.labels).toEqual(['30', 'Skip', 'Decline to answer']);
  await age.answer({ answer: '17.5' });
  const ageAgain = await asked();
  expect(ageAgain.question).toMatch(/\nEnter a whole number\.$/);
  await ageAgain.answer({ answer: '36' });
  const colours = await asked();
  expect(colours).toMatchObject({ multi_select: true });
  await colours.answer({ answer: 'Red, dark, Blue' });
  await (await asked()).answer({ answer: 'Medium' });
  await (await asked()).answer({ answer: 'Yes' });
  await (await asked()).answer({ answer: 'Skip' });
  expect(await told()).toEqual({
    action: 'accept',
    content: { name: 'Ada', age: 36, colours: ['r', 'b'], size: 'm', member: true },
  });
  // The model sees neither the questions nor the answers.
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('The MCP server desk asks');
  expect((await client.listRequests()).requests).toEqual([]);
  expect((await client.items(chat.id)).filter(({ status }) => status === 'running')).toEqual([]);
});

test.each(REVISIONS)('[MCP-4] %s: distinguishes a refusal, an error and an end', async revision => {
  const declined = await asking(revision, form({ name: { type: 'string' } }));
  await (await declined.asked()).answer({ answer: 'Decline to answer' });
  expect(await declined.told()).toEqual({ action: 'decline' });
  const failed = await asking(revision, form({}));
  const question = await failed.asked();
  expect(question.labels).toEqual(['Accept', 'Decline to answer']);
  await question.answer({ error: 'No screen.' });
  expect(await failed.told()).toEqual({ action: 'cancel' });
});

test.each(REVISIONS)('[MCP-4] %s: shows a complete address, and never opens it', async revision => {
  const url = 'https://pay.example/approve?id=1';
  const params = { mode: 'url', message: 'Pay first.', url, elicitationId: 'e' };
  const { asked, told } = await asking(revision, params);
  const question = await asked();
  expect(question).toMatchObject({
    question: `The MCP server desk asks: Pay first.\nOpen this URL only if you trust it: ${url}`,
    labels: ['Done', 'Decline to answer'],
  });
  await question.answer({ answer: 'Done' });
  expect(await told()).toEqual({ action: 'accept' });
});

test.each(REVISIONS)('[MCP-4] %s: leaves no question after its turn is canceled', async revision => {
  const { asked, stream, client, chat } = await asking(revision, form({ name: { type: 'string' } }));
  await asked();
  await client.cancelTurn(chat.id);
  expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  expect((await client.listRequests()).requests).toEqual([]);
  expect((await client.items(chat.id)).filter(({ status }) => status === 'running')).toEqual([]);
});
