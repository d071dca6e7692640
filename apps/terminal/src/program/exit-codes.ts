/** THE list of exit codes of `chat-kernel ask`. */
import type { TurnEnd } from '@chat-kernel/client';

export const EXIT = {
  completed: 0,
  /** The turn failed; stderr says why. */
  failed: 1,
  /** Nothing was asked, or by a flag that there is not. */
  usage: 2,
  /** No kernel, or none any more. */
  unreachable: 3,
  /** The kernel did not take the request. */
  refused: 4,
  /** Somebody else cancelled the turn. */
  cancelled: 5,
  /** A signal cancelled it, as shells have it. */
  interrupted: 130,
} as const;

/** @param asked this process asked for the cancel */
export function exitOf(status: TurnEnd, asked: boolean): number {
  if (status === 'cancelled') return asked ? EXIT.interrupted : EXIT.cancelled;
  return EXIT[status];
}
