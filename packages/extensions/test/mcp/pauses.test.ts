/** A server that is down for long: attempts to reach it leave nothing behind. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/harness/clock.ts';
import { lostOrStopped } from '../../src/mcp/connection/lost-or-stopped.ts';
import { Pauses } from '../../src/mcp/guests/pauses.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('a pause that has ended listens to no stop any more', async () => {
  const clock = new ManualClock();
  const pauses = new Pauses(clock);
  const stop = new AbortController();
  for (let attempt = 0; attempt < 20; attempt++) {
    const pause = pauses.next(stop.signal);
    expect(listeners(stop.signal)).toBe(1);
    clock.advance(60_000);
    await pause;
  }
  expect(listeners(stop.signal)).toBe(0);
});

test('a stop ends a pause, and there is none behind it', async () => {
  const pauses = new Pauses(new ManualClock());
  const stop = new AbortController();
  const pause = pauses.next(stop.signal);
  stop.abort();
  await pause;
  await pauses.next(stop.signal);
});

test('a connection that is lost listens to no stop any more', async () => {
  const stop = new AbortController();
  const loss = { problem: 'gone', forgotten: false };
  expect(await lostOrStopped({ lost: Promise.resolve(loss) }, stop.signal)).toEqual(loss);
  expect(listeners(stop.signal)).toBe(0);
  const held = lostOrStopped({ lost: new Promise(() => {}) }, stop.signal);
  stop.abort();
  expect(await held).toMatchObject({ problem: 'the kernel stops' });
});
