/** Tests how the answers of providers are read, each cut at every byte. */
import { Readable } from 'node:stream';
import type { ModelEvent } from '@chat-kernel/kernel';
import { describe, expect, test } from 'vitest';
import { StreamedAnswer } from '../../packages/providers/src/chat-completions/model.ts';
import { toTripFailure } from '../../packages/providers/src/trip/failures.ts';
import { pipe } from '../../packages/providers/src/trip/post.ts';
import { partReader } from '../../packages/providers/src/trip/stream.ts';
import type { PartSource } from '../../packages/providers/src/wire/wire.ts';
import { CHAT_COMPLETIONS } from './chat-completions.ts';
import type { Row } from './rows.ts';

const bytesOf = ({ events = [], body }: Row): Buffer =>
  Buffer.from(
    body ??
      events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
  );

/** Reads an answer that arrives in these pieces. */
async function outcomeOf(open: (answer: Readable & { complete: boolean }) => PartSource, pieces: Buffer[]) {
  const events: ModelEvent[] = [];
  let error: string | undefined;
  const read = partReader({ provider: 'p', family: 'm' }, event => events.push(event));
  const source = open(Object.assign(Readable.from(pieces), { complete: true }));
  try {
    for (let parts = await source.read(); parts !== null; parts = await source.read()) parts.forEach(read);
    if (events.at(-1)?.type !== 'finish') throw new Error('The answer has no end.');
  } catch (thrown) {
    error = toTripFailure(thrown, { name: 'p', secrets: [] }).error.message;
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
    error,
  };
}

function check(row: Row, outcome: Awaited<ReturnType<typeof outcomeOf>>): void {
  const { thinking = '', text = '', calls = [], images = [], usage, finish, error } = row;
  expect(outcome).toMatchObject({ thinking, text, images });
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

function chatCompletions(answer: Readable & { complete: boolean }): PartSource {
  const sink = new StreamedAnswer('p');
  pipe(answer, sink, { provider: 'p', onBytes() {} });
  return sink;
}

describe.each([['chat completions', chatCompletions, CHAT_COMPLETIONS]] as const)('%s', (_, open, rows) => {
  test.each(rows.map(row => [row.name, row] as const))('%s', async (_name, row) => {
    const bytes = bytesOf(row);
    check(row, await outcomeOf(open, [bytes]));
    check(
      row,
      await outcomeOf(
        open,
        [...bytes].map(byte => Buffer.of(byte)),
      ),
    );
    for (let at = 1; at < bytes.length; at++)
      check(row, await outcomeOf(open, [bytes.subarray(0, at), bytes.subarray(at)].map(Buffer.from)));
  });
});
