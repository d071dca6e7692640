/** Parses rate-limit headers in the dialects of OpenAI (and most others) and Anthropic. */
import { type Clock, type RateLimit, type RateLimits, timestamp } from '@chat-kernel/kernel';

/** The headers of a response, by lower-case name. */
export type AnswerHeaders = Pick<Headers, 'get'>;

/** Reads the rate limits; undefined if the response has no such headers. */
export function parseRateLimits(headers: AnswerHeaders, clock: Clock): RateLimits | undefined {
  const requests =
    openaiLimit(headers, '-requests', clock) ??
    anthropicLimit(headers, 'requests', clock) ??
    openaiLimit(headers, '', clock);
  const tokens = openaiLimit(headers, '-tokens', clock) ?? anthropicLimit(headers, 'tokens', clock);
  if (!requests && !tokens) return undefined;
  return { at: timestamp(clock), ...(requests && { requests }), ...(tokens && { tokens }) };
}

/** Headers such as x-ratelimit-limit-requests. */
const openaiLimit = (headers: AnswerHeaders, what: string, clock: Clock) =>
  parseLimit(part => headers.get(`x-ratelimit-${part}${what}`), clock);

/** Headers such as anthropic-ratelimit-requests-limit. */
const anthropicLimit = (headers: AnswerHeaders, what: string, clock: Clock) =>
  parseLimit(part => headers.get(`anthropic-ratelimit-${what}-${part}`), clock);

function parseLimit(header: (part: string) => string | null, clock: Clock): RateLimit | undefined {
  const limit = parseCount(header('limit'));
  const remaining = parseCount(header('remaining'));
  if (limit === null && remaining === null) return undefined;
  return { limit, remaining, reset_at: parseReset(header('reset'), clock) };
}

const parseCount = (text: string | null) =>
  text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null;

/** Reads a duration such as 6m0s or 120ms, seconds, seconds or milliseconds since 1970, or a date. */
function parseReset(text: string | null, clock: Clock): string | null {
  if (text === null) return null;
  const ms = millisecondsUntil(text.trim(), clock.now());
  return ms === undefined ? null : new Date(clock.now() + ms).toISOString();
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function millisecondsUntil(text: string, now: number): number | undefined {
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) {
    // bounded: a header.
    return [...text.matchAll(/([\d.]+)(ms|s|m|h|d)/g)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit!]!,
      0,
    );
  }
  if (/^\d+(\.\d+)?$/.test(text)) {
    const value = Number(text);
    if (value > 1e11) return value - now;
    return value > 1e9 ? value * 1000 - now : value * 1000;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}
