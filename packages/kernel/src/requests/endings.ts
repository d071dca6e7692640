/** Describes how requests end. */
import type { RequestEnding, RequestHandle } from '../ports/index.ts';

/** The outcome of a request that is not sent, because no client could show it. */
export const NOT_ASKED: RequestHandle = {
  ending: Promise.resolve({ reason: 'expired', isUnsent: true }),
  end() {},
};

/** Whether the operation was performed. */
export const wasDone = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' && ending.answer.error === undefined && ending.answer.decision !== 'deny';
