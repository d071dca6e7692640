/** Tests the last rate limits of each provider. */
import { expect, test } from 'vitest';
import { testClock } from './clock.ts';
import { openWire, trip, type WireStand } from './wires.ts';

let stand: WireStand;

test('[API-2] reads the headers of OpenAI, with durations', async () => {
  stand = await openWire('openai', { clock: testClock() });
  expect(stand.rateLimits()).toEqual({});
  stand.upstream.next({
    steps: [{ text: 'x' }],
    headers: {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m0.5s',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-tokens': '120ms',
    },
  });
  await trip(stand.model);
  expect(stand.rateLimits()).toEqual({
    p: {
      at: '2026-01-01T00:00:00.000Z',
      requests: { limit: 60, remaining: 59, reset_at: '2026-01-01T00:01:00.500Z' },
      tokens: { limit: 150_000, remaining: 149_984, reset_at: '2026-01-01T00:00:00.120Z' },
    },
  });
  await trip(stand.model);
  expect(stand.rateLimits()).toHaveProperty('p.requests.limit', 60);
});

test('[API-2] reads the headers of Anthropic, with dates, also from a rejection', async () => {
  stand = await openWire('anthropic', { clock: testClock() });
  stand.upstream.next({
    error: 'unauthorized',
    headers: {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:30Z',
    },
  });
  await trip(stand.model);
  expect(stand.rateLimits()).toEqual({
    p: {
      at: '2026-01-01T00:00:00.000Z',
      requests: { limit: 50, remaining: 0, reset_at: '2026-01-01T00:00:30.000Z' },
    },
  });
});
