/** Retries of a trip while nothing of its answer has been shown: after 429, 5xx and broken connections. */
import type { Clock, Log } from '@chat-kernel/kernel';
import type { TripFailure } from './failures.ts';

const MOST_RETRIES = 3;
const FIRST_PAUSE_MS = 500;
/** The turn fails at once where the provider asks for a longer pause. */
const LONGEST_PAUSE_MS = 60_000;

/** Tries until it succeeds. Rejects with the last ModelError, or with the signal's reason when aborted during a pause. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  failure: (thrown: unknown) => TripFailure,
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt();
    } catch (thrown) {
      const { error, again, report } = failure(thrown);
      if (!again || retries === MOST_RETRIES || signal.aborted) throw error;
      const asked = askedPause(report.headers, report.body, clock.now());
      if (asked !== undefined && asked > LONGEST_PAUSE_MS) throw error;
      const pause = asked ?? Math.random() * FIRST_PAUSE_MS * 2 ** retries;
      log.info(
        { status: report.status, pause_ms: Math.round(pause), retry: retries + 1 },
        'a provider is asked again',
      );
      await pauseFor(pause, clock, signal);
    }
  }
}

/** Returns the milliseconds that the provider asks to wait: retry-after-ms, retry-after (seconds or a date), Google's retryDelay. */
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

function pauseFor(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      stop();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}
