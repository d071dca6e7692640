/** Defines the reason and the text of each notification (PUSH-2). */
import { isCapRequest } from '@chat-kernel/kernel';
import type { PendingRequest, PushEvent, PushNotification } from '@chat-kernel/protocol';
import { endText, type RunOutcome, requestText, runText, type TurnOutcome } from './text.ts';

/** An occasion in the kernel → its details. */
export interface Occasions {
  request_opened: PendingRequest;
  turn_ended: TurnOutcome;
  schedule_ended: RunOutcome;
}

interface Reason<On extends keyof Occasions> {
  on: On;
  /** If absent, the reason always applies. */
  applies?: (occasion: Occasions[On]) => boolean;
  text: (occasion: Occasions[On]) => string;
}
type AnyReason = { [On in keyof Occasions]: Reason<On> }[keyof Occasions];

const REASONS = {
  spend_cap: { on: 'request_opened', applies: ({ id }) => isCapRequest(id), text: requestText },
  request_opened: { on: 'request_opened', text: requestText },
  turn_ended: { on: 'turn_ended', text: endText },
  schedule_ended: { on: 'schedule_ended', text: runText },
} as const satisfies Record<PushEvent, AnyReason>;

/** Returns the reasons that an occasion can have. */
export const reasonsOn = (on: keyof Occasions): PushEvent[] => listed(on).map(([reason]) => reason);

/** Returns the content of a notification about an occasion. */
export function buildContent<On extends keyof Occasions>(
  on: On,
  occasion: Occasions[On],
): Pick<PushNotification, 'text'> & { type: PushEvent } {
  const [type, { text }] = listed(on).find(([, { applies }]) => applies?.(occasion) ?? true)!;
  return { type, text: text(occasion) };
}

/** The first reason that applies counts, so those that apply only sometimes come first. */
const listed = <On extends keyof Occasions>(on: On): [PushEvent, Reason<On>][] =>
  (Object.entries<unknown>(REASONS) as [PushEvent, Reason<On>][])
    .filter(([, reason]) => reason.on === on)
    .toSorted(([, a], [, b]) => Number(a.applies === undefined) - Number(b.applies === undefined));
