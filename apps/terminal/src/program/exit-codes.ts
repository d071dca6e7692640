/** Exit codes of `chat-kernel ask` and `chat-kernel chat`. */
import type { TurnEnd } from '@chat-kernel/client';

export const EXIT = {
  completed: 0,
  /** The turn failed; stderr says why. */
  failed: 1,
  /** There was no prompt, or an invalid flag. */
  usage: 2,
  /** No kernel answered, or the connection was lost. */
  unreachable: 3,
  /** The kernel rejected the request. */
  refused: 4,
  /** Another client canceled the turn. */
  cancelled: 5,
  /** A signal canceled the turn. Shells use the same number. */
  interrupted: 130,
} as const;

/** @param asked whether this process canceled the turn */
export function toExitCode(status: TurnEnd, asked: boolean): number {
  if (status === 'cancelled') return asked ? EXIT.interrupted : EXIT.cancelled;
  return EXIT[status];
}
