/** Defines the reasons to notify the owner (PUSH-1). */
import { z } from 'zod';

interface PushFacts {
  /** How soon a push service delivers the message to a device that saves power (RFC 8030). */
  urgency: 'high' | 'normal';
  /** The older reason that included this one. Its subscribers get this one, too. */
  split_from: string | null;
}

/** All reasons to notify the owner. */
export const PUSH_REASONS = {
  request_opened: { urgency: 'high', split_from: null },
  turn_ended: { urgency: 'normal', split_from: null },
  schedule_ended: { urgency: 'normal', split_from: null },
  spend_cap: { urgency: 'high', split_from: null },
} as const satisfies Record<string, PushFacts>;

export type PushEvent = keyof typeof PUSH_REASONS;
const reasons = Object.keys(PUSH_REASONS) as [PushEvent];
export const PushEvent = z.enum(reasons).meta({ id: 'PushEvent' });

/** Whether a receiver gets messages of a reason. @param on the reasons that it names; absent: all */
export function isSubscribed(on: readonly PushEvent[] | null | undefined, reason: PushEvent): boolean {
  const older: PushEvent | null = PUSH_REASONS[reason].split_from;
  return (on?.includes(reason) ?? true) || (older !== null && isSubscribed(on, older));
}
