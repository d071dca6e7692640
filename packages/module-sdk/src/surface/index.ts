/** Helps authors of surfaces: avoids lost and duplicate work (docs/surface.md). */
export { RetryBackoff, retry, WakeablePause } from '@chat-kernel/base';
export {
  describeConsent,
  factsOfDecision,
  isRetryable,
  operationParams,
  type PendingRequest,
} from '@chat-kernel/client';
export { Chats } from './chats.ts';
export { CrashGuard, GivenUp } from './crash-guard.ts';
export { followRequests, requestKey } from './follow-requests.ts';
export { type Begun, Inbox } from './inbox.ts';
export { errorDetail, hasStatus } from './kernel-errors.ts';
export { Outbox, type OutboxState, type SendFailure } from './outbox.ts';
export { isKeyAlive, KeyExpired, postTurn } from './post-turn.ts';
export { pause, retryUntilAvailable } from './retry-policy.ts';
export { databaseFile, SurfaceStore } from './store.ts';
