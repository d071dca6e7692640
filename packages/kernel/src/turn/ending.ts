/** Defines the ways in which a turn can end. `close.ts` handles all of them. */
import {
  type NoteId,
  type StopReason,
  TURN_ERRORS,
  type TurnEnd,
  type TurnError,
} from '@chat-kernel/protocol';
import { type FinishReason, ModelError } from '../ports/index.ts';

export interface Ending {
  status: TurnEnd;
  stop_reason: StopReason;
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

/** The ending of a turn whose model made no more calls. The note explains an incomplete or empty reply. */
export function replied(reason: FinishReason, hasReply: boolean): Ending {
  const note = NOTE_OF_REASON[reason] ?? (hasReply ? undefined : 'reply_empty');
  return { ...completed(reason), ...(note && { note: { id: note } }) };
}

const NOTE_OF_REASON: Readonly<Record<FinishReason, NoteId | undefined>> = {
  stop: undefined,
  tools: undefined,
  length: 'reply_truncated',
  content_filter: 'reply_filtered',
  other: undefined,
};

export const CANCELLED: Ending = {
  status: 'cancelled',
  stop_reason: 'cancelled',
  left: 'aborted',
  note: { id: 'turn_cancelled' },
};

/** The ending of a turn that was running when the kernel stopped or crashed. */
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

/** Converts a thrown value to an ending. A ModelError is detected by its fields, so any copy of the class works. */
export function toEnding(thrown: unknown): Ending & { unexpected?: unknown } {
  if (thrown instanceof Error && 'code' in thrown && 'retryable' in thrown && isTurnErrorCode(thrown.code)) {
    const { code, message, retryable } = thrown;
    const provider = thrown instanceof ModelError ? thrown.provider : {};
    return failed({ code, message, retryable: retryable === true, ...provider });
  }
  if (isStorageUnavailable(thrown)) {
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

/** Whether the store could not be reached or written to, which may be temporary. */
export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'storage_unavailable';
