/** Tests that no content of a request makes a provider refuse it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assistant, openWire, request, result, trip, user, WIRE_KINDS } from '../wires.ts';
import { inputSchema, propertyName } from './schemas.ts';
import { violations } from './violations.ts';

const odd = fc.oneof(
  fc.constantFrom('', ' ', '\n', 'half \ud83d', '\udc00', 'browser.open', 'a b', '1st', '😀'),
  fc.string({ maxLength: 80, unit: 'binary' }),
);
/** The names that the kernel allows. */
const toolName = fc.oneof(fc.constantFrom('shell', '1st', '_1st', '-a'), fc.stringMatching(/^[\w-]{1,64}$/));
const tool = fc.record({ name: toolName, description: odd, input_schema: inputSchema });
const input = fc.dictionary(propertyName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const call = fc.record({ id: odd, name: fc.oneof(toolName, odd), input, output: odd, text: odd });

test.each(
  WIRE_KINDS,
)('[WIRE-7] builds a request that %s accepts from any tools, calls and texts', async kind => {
  const { model, upstream } = await openWire(kind);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(tool, { maxLength: 4, selector: ({ name }) => name }),
      fc.array(call, { maxLength: 3 }),
      odd,
      async (tools, calls, system) => {
        const messages = calls.flatMap(({ id, name, input, output, text }, index) => [
          user(index === 0 ? 'Begin.' : text, 'Go on.'),
          assistant(text, { type: 'tool_use', id: `${id}${index}`, name, input }),
          user(result(`${id}${index}`, output)),
        ]);
        const { error } = await trip(
          model,
          request({ system, tools, messages: [...messages, user('And?')] }),
        );
        const sent = upstream.requests.at(-1)!;
        expect(violations(kind, sent.body)).toEqual([]);
        expect([sent.rejected, error]).toEqual([undefined, undefined]);
      },
    ),
    { numRuns: 100 },
  );
});
