/**
 * Generated from packages/protocol/src/base/error.ts: `npm run docs` regenerates it, `npm run check` compares it. Not to be
 * edited.
 */
import type { Schema } from './types.ts';

/** Code of a failure of the server → whether the same request may succeed later. Other errors are not retryable. */
export const RETRYABLE = {
  internal: false,
  sign_in_failed: false,
  upstream_error: false,
  shutting_down: true,
  too_busy: true,
  kernel_away: true,
  storage_unavailable: true,
} as const satisfies Partial<Record<Schema<'ErrorCode'>, boolean>>;
