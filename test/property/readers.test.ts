import type { Event } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventStream } from '../harness/event-stream.ts';
import { forAsLong } from '../harness/for-as-long.ts';
import { comparable, foldItems } from '../harness/items.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import type { ScriptedReply } from '../upstream/reply.ts';

const kernel = sharedKernel();

const text = fc.array(fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }), {
  minLength: 1,
  maxLength: 8,
});
const spoken = fc.record({
  thinking: fc.option(text, { nil: undefined }),
  text: fc.option(text, { nil: undefined }),
  delay_ms: fc.nat({ max: 3 }),
});
const calls = fc.array(fc.constantFrom('think_harder', 'plan', 'no_such_tool'), {
  minLength: 1,
  maxLength: 3,
});
/** Steps with calls, followed by one without. */
const turns = fc.tuple(fc.array(fc.tuple(spoken, calls), { maxLength: 3 }), spoken);

/** The behavior of a reader: it repeatedly disconnects after this many characters; a slow one pauses first. */
const reader = fc.record({ cuts: fc.array(fc.nat({ max: 3000 }), { maxLength: 4 }), slow: fc.boolean() });

describe('[EV-12] [ITEM-10] [ITEM-11] readers over real HTTP', () => {
  it('end with the items of history after disconnects, resumes and lags at any point', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      forAsLong(
        30_000,
        fc.asyncProperty(turns, fc.array(reader, { minLength: 1, maxLength: 3 }), async (turn, readers) => {
          const { api, upstream } = kernel;
          upstream.next(...repliesOf(turn));
          const chat = await api.newChat();
          const starter = await api.turn(chat.id, { text: 'go' });
          const told = await Promise.all([
            starter.all(),
            ...readers.map(({ cuts, slow }) => readToTheEnd(chat.id, cuts, slow)),
          ]);
          const history = comparable(await api.items(chat.id));
          for (const events of told) {
            if (events !== null) expect(comparable(foldItems(events))).toEqual(history);
          }
        }),
      ),
      { numRuns: 25 },
    );
  });
});

/** Null: the turn ended before this reader had seen any of it. */
async function readToTheEnd(chat: string, cuts: number[], slow: boolean): Promise<Event[] | null> {
  const events: Event[] = [];
  let last: string | undefined;
  for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
    const stream = await kernel.api.live(chat, '', headers).catch((error: Error) => {
      // The turn has ended, and this reader saw its end or nothing: there is nothing more to read.
      if (/ 204 /.test(error.message)) return null;
      throw error;
    });
    if (stream === null) {
      if (last === undefined) return null;
      break;
    }
    if (slow) {
      stream.pause();
      setTimeout(() => stream.resume(), 20);
    }
    await readUntil(stream, cut);
    events.push(...stream.events.map(({ replayed: _, ...event }) => event as Event));
    last = stream.ids.at(-1) ?? last;
    if (events.at(-1)?.type === 'done') break;
  }
  return events;
}

async function readUntil(stream: EventStream, chars: number): Promise<void> {
  let open = true;
  const closed = stream.closed().then(
    () => {
      open = false;
    },
    () => {
      open = false;
    },
  );
  while (open && stream.raw.length < chars) {
    await Promise.race([closed, new Promise(resolve => setTimeout(resolve, 1))]);
  }
  stream.hangUp();
  await closed;
}

function repliesOf([steps, end]: typeof turns extends fc.Arbitrary<infer T> ? T : never): ScriptedReply[] {
  const speak = ({
    thinking,
    text,
    delay_ms,
  }: (typeof steps)[number][0]): NonNullable<ScriptedReply['steps']> => [
    ...(thinking ? [{ thinking, delay_ms }] : []),
    ...(text ? [{ text, delay_ms }] : []),
  ];
  return [
    ...steps.map(([said, names]) => ({
      steps: [...speak(said), ...names.map(name => ({ call: { name, input: inputOf(name) } }))],
    })),
    { steps: [...speak(end), { delay_ms: 5 }] },
  ];
}

const inputOf = (name: string) =>
  name === 'plan'
    ? { tasks: [{ title: 'a', status: 'in_progress' }] }
    : name === 'no_such_tool'
      ? { x: 1 }
      : {};
