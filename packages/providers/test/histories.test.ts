/** Tests that every provider API accepts every valid history, whichever models it comes from. */
import type { StoredBlock } from '@chat-kernel/kernel';
import { EFFORTS } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openWire,
  request,
  result,
  TOOLS,
  textOf,
  trip,
  user,
  WIRE_KINDS,
  WIRES,
  type WireStand,
} from './wires.ts';

let stand: WireStand;

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter(text => text.trim() !== '');
/** Origins of thinking and texts: this provider's model, cut short; its former models; other providers. */
const origin = fc.oneof(
  fc.constant(undefined),
  fc.record({
    provider: fc.constantFrom('p', 'q'),
    family: fc.constantFrom(...Object.values(WIRES).map(wire => wire.model), 'elsewhere'),
    metadata: fc.constantFrom(
      {},
      { openai: { itemId: 'rs_1', reasoningEncryptedContent: null } },
      { google: {} },
    ),
  }),
);
const withOrigin = <Block extends StoredBlock>(block: fc.Arbitrary<Block>): fc.Arbitrary<StoredBlock> =>
  fc.tuple(block, origin).map(([one, from]) => (from ? { ...one, internal: { origin: from } } : one));

const userBlock: fc.Arbitrary<StoredBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('context' as const), text: words }),
  fc.record({ type: fc.constant('quote' as const), text: words }),
  fc.constant({ type: 'image' as const, media_type: 'image/png' as const, data: 'AAAA' }),
);
const said = withOrigin(fc.record({ type: fc.constant('text' as const), text: words }));
const thought = withOrigin(
  fc.record({ type: fc.constant('thinking' as const), text: fc.string({ maxLength: 9 }) }),
);
const callId = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 80 }));
/** Models invent names, and a tool can have any that the kernel allows. */
const callName = fc.oneof(
  fc.constantFrom('shell', 'browser.open', '', '1st', 'ä'),
  fc.string({ maxLength: 80 }),
);
const step = fc.record({
  thoughts: fc.array(thought, { maxLength: 2 }),
  texts: fc.array(said, { maxLength: 2 }),
  calls: fc.uniqueArray(fc.tuple(callId, words, fc.boolean(), callName), {
    maxLength: 3,
    selector: ([id]) => id,
  }),
  last: words,
});
const turn = fc.record({
  asked: fc.array(userBlock, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
});

/** Creates messages of turns: each call has its result in the next message, and each id is unique in the chat. */
function historyOf(turns: (typeof turn extends fc.Arbitrary<infer Turn> ? Turn : never)[]) {
  let count = 0;
  return turns.flatMap(({ asked, steps }) => [
    user(...asked),
    ...steps.flatMap(({ thoughts, texts, calls, last }, index) => {
      const over = index === steps.length - 1;
      const made = over
        ? []
        : calls.map(([id, output, is_error, name]) => ({ id: `${id}${count++}`, output, is_error, name }));
      const closing: StoredBlock[] = made.length === 0 ? [{ type: 'text', text: last }] : [];
      const uses: StoredBlock[] = made.map(({ id, name }) => ({
        type: 'tool_use',
        id,
        name,
        input: { path: id },
      }));
      const answer = { role: 'assistant' as const, content: [...thoughts, ...texts, ...closing, ...uses] };
      if (made.length > 0)
        return [answer, user(...made.map(call => result(call.id, call.output, call.is_error)))];
      return over ? [answer] : [answer, user('go on')];
    }),
  ]);
}

test.each(WIRE_KINDS)('[HIST-3] converts every repaired history for %s', async kind => {
  stand = await openWire(kind);
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 4 }), fc.constantFrom(...EFFORTS), async (turns, effort) => {
      const messages = [...historyOf(turns), user('and now?')];
      const tools = [...TOOLS, { ...TOOLS[0]!, name: '1st', description: '\ud83d' }];
      const { events, error } = await trip(stand.model, request({ messages, effort, tools }));
      expect(stand.upstream.requests.at(-1)?.rejected).toBeUndefined();
      expect(error).toBeUndefined();
      expect(textOf(events)).toBe('ok');
    }),
    { numRuns: 60 },
  );
});
