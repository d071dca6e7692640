/** Tests how the answers of providers are read, each cut at every byte. */
import { Readable } from 'node:stream';
import { ModelError, type ModelEvent } from '@chat-kernel/kernel';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnswerReader, StreamedAnswer } from '../../packages/providers/src/answers/answer.ts';
import { ChatCompletionsReader } from '../../packages/providers/src/answers/chat-completions.ts';
import { GeminiReader } from '../../packages/providers/src/answers/gemini.ts';
import { MessagesReader } from '../../packages/providers/src/answers/messages.ts';
import { ResponsesReader } from '../../packages/providers/src/answers/responses.ts';
import { partReader } from '../../packages/providers/src/answers/to-events.ts';
import { toTripFailure } from '../../packages/providers/src/trip/failures.ts';
import { pipe } from '../../packages/providers/src/trip/post.ts';
import { StreamFailure } from '../../packages/providers/src/trip/stream-failure.ts';
import { CHAT_COMPLETIONS } from './chat-completions.ts';
import { GEMINI } from './gemini.ts';
import { MESSAGES } from './messages.ts';
import { RESPONSES } from './responses.ts';
import type { Row } from './rows.ts';

const bytesOf = ({ events = [], body }: Row): Buffer =>
  Buffer.from(
    body ??
      events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
  );

/** Reads an answer that arrives in these pieces. */
async function outcomeOf(reader: AnswerReader, pieces: Buffer[]) {
  const events: ModelEvent[] = [];
  const unread: string[] = [];
  let thrown: unknown;
  const read = partReader(
    { provider: 'p', family: 'm' },
    event => events.push(event),
    shape => unread.push(shape),
  );
  const source = new StreamedAnswer(reader);
  pipe(Object.assign(Readable.from(pieces), { complete: true }), source, { provider: 'p', onBytes() {} });
  try {
    for (let parts = await source.read(); parts !== null; parts = await source.read()) parts.forEach(read);
    if (events.at(-1)?.type !== 'finish') throw new Error('The answer has no end.');
  } catch (error) {
    thrown = error;
  }
  const joined = (type: 'text' | 'thinking') =>
    events.map(event => (event.type === type ? event.text : '')).join('');
  const last = events.findLast(event => event.type === 'finish');
  return {
    thinking: joined('thinking'),
    text: joined('text'),
    calls: events.flatMap(event => (event.type === 'call' ? [event] : [])),
    images: events.flatMap(event => (event.type === 'image' ? [Buffer.from(event.bytes).toString()] : [])),
    usage: last?.usage ?? null,
    finish: last?.reason,
    lost: events.flatMap(event => (event.type === 'unread' ? [event.shape] : [])),
    unread,
    metadata: events.flatMap(event =>
      'origin' in event && event.origin?.metadata ? [event.origin.metadata as object] : [],
    ),
    thrown,
    error: thrown === undefined ? undefined : toTripFailure(thrown, { name: 'p', secrets: [] }).error.message,
  };
}

function check(row: Row, outcome: Awaited<ReturnType<typeof outcomeOf>>): void {
  const { thinking = '', text = '', calls = [], images = [], usage, finish, error } = row;
  const { lost = [], unread = lost } = row;
  expect(outcome).toMatchObject({ thinking, text, images, lost, unread });
  if (row.metadata) expect(outcome.metadata).toEqual(row.metadata);
  if (error === undefined) expect(outcome.error).toBeUndefined();
  else expect(outcome.error).toContain(error);
  expect(outcome.calls).toMatchObject(
    calls.map(([name, input, id]) => ({ name, input, ...(id !== undefined && { id }) })),
  );
  if (error !== undefined) return;
  expect(outcome.usage).toEqual(
    usage ? expect.objectContaining({ prompt_tokens: usage[0], completion_tokens: usage[1] }) : null,
  );
  // Servers end calls with stop, too: the turn continues with their results.
  if (calls.length === 0 || finish) expect(outcome.finish).toBe(finish ?? 'stop');
}

const WIRES = [
  ['chat completions', () => new ChatCompletionsReader('p'), CHAT_COMPLETIONS],
  ['responses', () => new ResponsesReader('p'), RESPONSES],
  ['messages', () => new MessagesReader('p'), MESSAGES],
  ['gemini', () => new GeminiReader('p'), GEMINI],
] as const;

describe.each(WIRES)('%s', (_, createReader, rows) => {
  test.each(rows.map(row => [row.name, row] as const))('%s', async (_name, row) => {
    const bytes = bytesOf(row);
    const checkPieces = async (pieces: Buffer[]) => check(row, await outcomeOf(createReader(), pieces));
    await checkPieces([bytes]);
    await checkPieces([...bytes].map(byte => Buffer.of(byte)));
    for (let at = 1; at < bytes.length; at++)
      await checkPieces([bytes.subarray(0, at), bytes.subarray(at)].map(Buffer.from));
  });
});

/** The names of fields and types that readers look for, so that random events reach all of their code. */
const WORDS = [
  ...[CHAT_COMPLETIONS, RESPONSES, MESSAGES, GEMINI].flatMap(rows => rows.map(row => JSON.stringify(row))),
].flatMap(text => text.match(/[a-z_.]+/gi) ?? []);
const word = fc.constantFrom(...new Set(WORDS));
const odd = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 6 },
    word,
    fc.constantFrom(null, 0, -1, 1e9, true, ''),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(word, tie('value'), { maxKeys: 5 }),
}));

/** A row's events with one value replaced. */
const damaged = (rows: readonly Row[]) =>
  fc
    .record({
      row: fc.constantFrom(...rows.filter(({ events }) => events)),
      value: odd.value,
      at: fc.nat(40),
    })
    .map(({ row, value, at }) => {
      let left = at;
      return JSON.parse(JSON.stringify(row.events), (_key, old: unknown) => (left-- === 0 ? value : old));
    })
    .filter(Array.isArray);

test.each(WIRES)('%s: no event of any shape is an error of the reader', async (_, createReader, rows) => {
  const events = fc.oneof(damaged(rows), fc.array(odd.object, { minLength: 1, maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(events, async list => {
      const { thrown, calls } = await outcomeOf(createReader(), [bytesOf({ name: '', events: list })]);
      if (thrown !== undefined) expect(thrown).toSatisfy(isFailureOfAnswer);
      for (const { id, name } of calls) expect([typeof id, typeof name]).toEqual(['string', 'string']);
    }),
    { numRuns: 1500 },
  );
});

const isFailureOfAnswer = (thrown: unknown): boolean =>
  thrown instanceof StreamFailure || thrown instanceof ModelError;
