/** Waits for the end of a connection or a stop. */
import { abortable } from '@chat-kernel/base';
import type { GuestConnection } from './guest-connection.ts';
import type { ConnectionLoss } from './heartbeat.ts';

/** Resolves when the connection is lost, or when the signal is aborted. Never rejects. */
export const lostOrStopped = (
  { lost }: Pick<GuestConnection, 'lost'>,
  signal: AbortSignal,
): Promise<ConnectionLoss> =>
  abortable(lost, signal).catch(() => ({ problem: 'the kernel is stopping', forgotten: false }));
