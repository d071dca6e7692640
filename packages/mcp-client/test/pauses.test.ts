/** Tests that attempts to reach a server that is down for long leave nothing behind. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { lostOrStopped } from '../src/connection/lost-or-stopped.ts';
import { ReconnectTimer } from '../src/guests/reconnect-timer.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('removes its stop listener after a pause', async () => {
  const clock = new ManualClock();
  const pauses = new ReconnectTimer(clock);
  const stop = new AbortController();
  for (let attempt = 0; attempt < 20; attempt++) {
    const pause = pauses.next(stop.signal);
    expect(listeners(stop.signal)).toBe(1);
    clock.advance(60_000);
    await pause;
  }
  expect(listeners(stop.signal)).toBe(0);
});

test('ends a pause on a stop, and skips later pauses', async () => {
  const pauses = new ReconnectTimer(new ManualClock());
  const stop = new AbortController();
  const pause = pauses.next(stop.signal);
  stop.abort();
  await pause;
  await pauses.next(stop.signal);
});

test('removes its stop listener after a lost connection', async () => {
  const stop = new AbortController();
  const loss = { problem: 'gone', forgotten: false };
  expect(await lostOrStopped({ lost: Promise.resolve(loss) }, stop.signal)).toEqual(loss);
  expect(listeners(stop.signal)).toBe(0);
  const held = lostOrStopped({ lost: new Promise(() => {}) }, stop.signal);
  stop.abort();
  expect(await held).toMatchObject({ problem: 'the kernel is stopping' });
});
