/** The ways a turn can end. All of them meet in `close.ts`. */
import { type NoteId, TURN_ERRORS, type TurnEnd, type TurnError } from '@chat-kernel/protocol';
import type { FinishReason } from '../ports/index.ts';
import { isStoreAway } from './store-away.ts';

export interface Ending {
  status: TurnEnd;
  stop_reason: FinishReason | 'ends_turn' | 'cancelled' | 'error' | 'kernel_restarted';
  /** The status of a step that was not finished. */
  left: 'completed' | 'failed' | 'aborted';
  note?: { id: NoteId; reason?: string };
  error?: TurnError;
}

export const completed = (stop_reason: Ending['stop_reason']): Ending => ({
  status: 'completed',
  stop_reason,
  left: 'completed',
});

export const CANCELLED: Ending = {
  status: 'cancelled',
  stop_reason: 'cancelled',
  left: 'aborted',
  note: { id: 'turn_cancelled' },
};

/** The ending of a turn that ran when the kernel stopped, or crashed. */
export const RESTARTED: Ending = {
  status: 'failed',
  stop_reason: 'kernel_restarted',
  left: 'aborted',
  note: { id: 'kernel_restarted' },
  error: { code: 'kernel_restarted', message: `${TURN_ERRORS.kernel_restarted}.`, retryable: true },
};

const failed = (error: TurnError): Ending => ({
  status: 'failed',
  stop_reason: 'error',
  left: 'failed',
  note: { id: 'turn_failed', reason: error.message },
  error,
});

/** The ending that a thrown value makes. A ModelError is known by its fields, wherever it was made. */
export function endingOf(thrown: unknown): Ending & { unexpected?: unknown } {
  if (thrown instanceof Error && 'code' in thrown && 'retryable' in thrown && isTurnErrorCode(thrown.code)) {
    return failed({ code: thrown.code, message: thrown.message, retryable: thrown.retryable === true });
  }
  if (isStoreAway(thrown)) {
    const message = `${TURN_ERRORS.storage_unavailable}: ${(thrown as Error).message}`;
    return failed({ code: 'storage_unavailable', message, retryable: true });
  }
  return {
    ...failed({ code: 'internal', message: `${TURN_ERRORS.internal}.`, retryable: false }),
    unexpected: thrown,
  };
}

const isTurnErrorCode = (code: unknown): code is TurnError['code'] =>
  typeof code === 'string' && Object.hasOwn(TURN_ERRORS, code);
