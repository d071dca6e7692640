/** Tests results of guests as the model reads them: data is not read as text. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toToolOutput } from '../src/calls/guest-output.ts';
import { describeError } from '../src/rules/failures.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3000, 7)]).toString(
  'base64',
);

it('shows an image once if it is also in the structured content, without its base64 text', () => {
  const { output, images } = toToolOutput({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
    structuredContent: {
      title: 'A plot',
      image: PNG,
      url: `data:image/png;base64,${PNG}`,
      words: 'a '.repeat(300),
    },
  });
  expect(images).toHaveLength(1);
  expect(JSON.parse(output)).toEqual({
    title: 'A plot',
    image: '[3008 bytes of data]',
    url: '[3008 bytes of data]',
    words: 'a '.repeat(300),
  });
});

it('shows the other fields of a result that has no content', () => {
  const result = { content: [], toolResult: 'old', _meta: { a: 1 }, resultType: 'complete' };
  expect(toToolOutput(result as never)).toEqual({ output: '{"toolResult":"old"}', is_error: false });
  expect(toToolOutput({ content: [] }).output).toBe('(The tool returned nothing.)');
});

it('describes a response that does not fit the schema in words, without the issues', () => {
  const { error } = z.object({ content: z.array(z.string()) }).safeParse({ content: 7 });
  for (const message of [error!.message, `Invalid result for tools/call: ${error!.message}`])
    expect(describeError(new Error(message))).toBe('its response is not valid');
  expect(describeError(new Error('[7] was refused: {"code":"E"}'))).toBe('[7] was refused: {"code":"E"}');
});
