/**
 * Tests chats with all possible changes of history: compaction when due and on demand, requests that were too long,
 * rewinds, forks. Afterwards the model reads every text that was not taken back exactly once, in the summary or
 * verbatim, in a request that its provider accepts.
 */
import type { Message } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forAsLong } from '../harness/for-as-long.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { KINDS } from '../harness/settings.ts';
import { eventsOf } from '../harness/story.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import { type RecordedRequest, startUpstream } from '../upstream/server.ts';

type Command =
  | { do: 'say'; calls: number; full: boolean; overflow: boolean }
  | { do: 'compact' }
  | { do: 'rewind' | 'fork'; at: number };

const say = fc.record({
  do: fc.constant('say' as const),
  calls: fc.nat({ max: 2 }),
  full: fc.boolean(),
  overflow: fc.nat({ max: 5 }).map(n => n === 0),
});
const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: say },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('rewind' as const, 'fork' as const), at: fc.nat() }),
    },
  ),
  { minLength: 4, maxLength: 14 },
);

/** The window is 100,000 tokens: after this it is full. */
const FULL: ScriptedStep = { usage: { prompt: 85_000, completion: 1 } };
const isSummary = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body).includes('You write the summary');
/** Each text in these chats is a unique word: a lowercase letter, a number, an exclamation mark. */
const wordsIn = (value: unknown): string[] =>
  JSON.stringify(value)
    .replaceAll('\\n', ' ')
    .match(/\b[a-z]\d+!/g) ?? [];

describe.each(KINDS)('[HIST-1] [HIST-3] of kind %s', kind => {
  const answers: ScriptedReply[] = [];
  let kernel: TestKernel;
  beforeAll(async () => {
    // The summary keeps all words in its source.
    const upstream = await startUpstream(request =>
      isSummary(request)
        ? { steps: [{ text: `## State of the work\n${wordsIn(request.body).join(' ')} .` }] }
        : answers.shift(),
    );
    kernel = await startKernel({ upstream, kind });
  });
  afterAll(async () => {
    await kernel.upstream.close();
    await kernel.stop();
  });

  test('sends every text once, the last exchange unchanged, in valid requests', {
    timeout: 600_000,
  }, async () => {
    // A slow machine tries few random courses, and those may fill no window.
    await live(Array.from({ length: 3 }, () => ({ do: 'say', calls: 0, full: true, overflow: false })));
    await fc.assert(forAsLong(60_000, fc.asyncProperty(commands, live)), { numRuns: 20 });
    expect(kernel.upstream.requests.some(isSummary)).toBe(true);
  });

  async function live(course: Command[]): Promise<void> {
    const { api, client, upstream } = kernel;
    let { id } = await client.createChat();
    /** The text of the previous exchange, unless a part was taken back since. */
    let last: string[] = [];
    let count = 0;
    const word = (kind: string) => `${kind}${++count}!`;
    const messages = async (): Promise<Message[]> => (await client.listMessages(id, { limit: 500 })).messages;

    for (const command of course) {
      const before = await messages();
      if (command.do === 'compact') {
        expect((await api.post(`/v1/chats/${id}/compact`)).status).toBe(200);
        continue;
      }
      if (command.do !== 'say') {
        const message = before[command.at % before.length]?.id;
        if (message === undefined) continue;
        last = [];
        if (command.do === 'rewind') await client.rewind(id, message);
        else id = (await client.forkChat(id, { before_message: message })).id;
        continue;
      }
      const [question, answer] = [word('q'), word('a')];
      const { summary } = await client.getChat(id);
      const kept = before.slice(before.findIndex(message => message.id === summary?.upto_message) + 1);
      // A single exchange that fills the window is compacted when the next one begins, because no part of it can stay.
      const full = command.full && !command.overflow && wordsIn(kept).length > 0;
      answers.push(
        ...(command.overflow ? [{ error: 'context_overflow' } as const] : []),
        ...Array.from({ length: command.calls }, () => ({
          steps: [
            { text: word('t') },
            { call: { id: 'call_0', name: 'nothing', input: { note: word('n') } } },
          ],
        })),
        { steps: [{ text: answer }, ...(full ? [FULL] : [])] },
      );
      const events = await client.say(id, question);
      const [done] = eventsOf(events, 'done');
      // Directly after a compaction there is nothing more to compact.
      const tooLong = done?.status === 'failed';
      if (tooLong) {
        expect(command.overflow).toBe(true);
        answers.splice(0);
      }
      const request = upstream.requests.findLast(asked => !isSummary(asked)) as RecordedRequest;
      const told = wordsIn(conversationOf(request));
      const stored = wordsIn(await messages());
      expect(told.toSorted()).toEqual(stored.filter(said => said !== answer).toSorted());
      if (!command.overflow) {
        for (const said of last) expect(JSON.stringify(request.body)).toContain(`"${said}"`);
      }
      last = tooLong ? [] : [question, answer];
    }
    expect(upstream.requests.flatMap(({ rejected }) => rejected ?? [])).toEqual([]);
    expect(answers).toEqual([]);
  }
});

/** Only the conversation, without the fields that some provider APIs add. */
const conversationOf = ({ body }: RecordedRequest): unknown => body.input ?? body.messages ?? body.contents;
