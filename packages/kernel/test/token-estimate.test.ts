import { expect, it } from 'vitest';
import { estimateMessageTokens, estimateTokens } from '../src/model/token-estimate.ts';

it('estimates a token for four characters, rounded up', () => {
  expect([0, 1, 4, 5, 400].map(estimateTokens)).toEqual([0, 1, 1, 2, 100]);
});

it('estimates a fixed price for an image, and the sum of the blocks for a message', () => {
  const image = { type: 'image', media_type: 'image/png', blob: 'b' } as never;
  expect(estimateMessageTokens([])).toBe(0);
  expect(estimateMessageTokens([{ content: [image] }])).toBe(1505);
  expect(
    estimateMessageTokens([
      { content: [{ type: 'text', text: 'x'.repeat(8) }] },
      { content: [image, image] },
    ]),
  ).toBe(7 + 2 * 1505);
});
