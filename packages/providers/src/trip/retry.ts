/** Retries a provider request as long as no part of its answer was shown: after 429, 5xx and lost connections. */
import { pause, RetryBackoff, type RetryPauses } from '@chat-kernel/base';
import type { Clock, Log, ProviderWait } from '@chat-kernel/kernel';
import { KeptConnectionClosed } from '@chat-kernel/net';
import { type TripFailure, toWaitReason } from './failures.ts';

const MAX_RETRIES = 3;
/** Minimum pause after a rate limit without its own pause. */
const MIN_RATE_LIMIT_DELAY_MS = 1000;
/** The turn fails immediately if the provider asks for a longer pause. */
const LONGEST_PAUSE_MS = 60_000;
const PAUSES: RetryPauses = { firstMs: 500, maxMs: LONGEST_PAUSE_MS, jitter: 1 };

interface RetryOptions {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Called when a pause begins, and with null when it ends. */
  onWait?: ((wait: ProviderWait | null) => void) | undefined;
}

/**
 * Retries until it succeeds. Rejects with the last ModelError, or with the signal's reason if aborted during a pause.
 * @param attempt gets true if the previous attempt lost its connection: it must open a new one
 */
export async function withRetries<Result>(
  attempt: (fresh: boolean) => Promise<Result>,
  failure: (thrown: unknown) => TripFailure,
  { clock, log, signal, onWait = () => {} }: RetryOptions,
): Promise<Result> {
  const backoff = new RetryBackoff(PAUSES);
  let fresh = false;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(fresh);
    } catch (thrown) {
      const { error, again, report } = failure(thrown);
      const requestedPause = askedPause(report.headers, report.body, clock.now());
      error.provider = {
        ...(report.status !== undefined && { provider_status: report.status }),
        ...(requestedPause !== undefined && { retry_after_secs: requestedPause / 1000 }),
      };
      if (!again || retries === MAX_RETRIES || signal.aborted) throw error;
      if (requestedPause !== undefined && requestedPause > LONGEST_PAUSE_MS) throw error;
      // A closed idle connection does not show the state of the server, so the first retry needs no pause.
      const isOutdated = retries === 0 && thrown instanceof KeptConnectionClosed;
      const least = error.code === 'upstream_rate_limited' ? MIN_RATE_LIMIT_DELAY_MS : 0;
      const ownPause = backoff.nextMs();
      const ms = requestedPause ?? (isOutdated ? 0 : least + ownPause);
      fresh = report.disconnected;
      log.info(
        { status: report.status, pause_ms: Math.round(ms), retry: retries + 1 },
        'a provider is asked again',
      );
      const until = new Date(clock.now() + ms).toISOString();
      if (ms > 0)
        onWait({ until, attempt: retries + 1, of: MAX_RETRIES, reason: toWaitReason(error, report) });
      try {
        await pause(ms, { clock, signal });
      } finally {
        onWait(null);
      }
    }
  }
}

/**
 * Returns the milliseconds that the provider asks to wait: retry-after-ms, retry-after (seconds or a date), or Google's
 * retryDelay.
 */
function askedPause(headers: Record<string, string>, body: string, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const after = headers['retry-after'] ?? '';
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = Date.parse(after);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
}
