/** Tests how a span names the cause of a failure. */
import { expect, it } from 'vitest';
import { describeCause } from '../src/telemetry/spans.ts';

it('returns the code of an error or its name, never its message', () => {
  expect(describeCause(Object.assign(new Error('hush'), { code: 'ECONNRESET' }))).toBe('ECONNRESET');
  expect(describeCause(Object.assign(new TypeError('hush'), { code: 7 }))).toBe('TypeError');
});

it('returns the status of an ending, and _OTHER for any other value', () => {
  expect(describeCause({ status: 'cancelled' })).toBe('cancelled');
  for (const thrown of [{ status: 500 }, {}, null, undefined, 'hush', 7])
    expect(describeCause(thrown)).toBe('_OTHER');
});
