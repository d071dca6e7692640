/** Tests results of guests as the model reads them: data is not read as text. */
import { expect, it } from 'vitest';
import { toToolOutput } from '../src/calls/guest-output.ts';

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
