/** THE list of exit codes of `chat-kernel ask` and `chat-kernel chat`. */
import type { TurnEnd } from '@chat-kernel/client';

export const EXIT = {
  completed: 0,
  /** The turn failed; stderr says why. */
  failed: 1,
  /** There was no question, or an unknown flag. */
  usage: 2,
  /** No kernel answered, or it went away. */
  unreachable: 3,
  /** The kernel refused the request. */
  refused: 4,
  /** Another client cancelled the turn. */
  cancelled: 5,
  /** A signal cancelled the turn; the number is the one of shells. */
  interrupted: 130,
} as const;

/** @param asked whether this process has asked to cancel the turn */
export function exitOf(status: TurnEnd, asked: boolean): number {
  if (status === 'cancelled') return asked ? EXIT.interrupted : EXIT.cancelled;
  return EXIT[status];
}
