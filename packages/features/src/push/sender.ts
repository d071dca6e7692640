/** Defines senders of push notifications. They must not log the texts or the keys of a browser. */
import type { PushEvent, PushNotification, PushOutcome, PushSent } from '@chat-kernel/protocol';

/** A browser that subscribes to notifications, with its keys. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushResult {
  outcome: PushOutcome;
  /** The reason why it was not sent, without the text of the message and the address; null if it was sent. */
  detail: string | null;
  /** Whether a retry can help. */
  passing: boolean;
}

/** Another receiver that the settings name, which gets the same notifications. */
export interface Notifier {
  /** The name that its owner recognizes, without secrets. */
  readonly name: string;
  readonly to: Exclude<PushSent['to'], 'subscription'>;
  /** If undefined, it gets all events. */
  readonly on: readonly PushEvent[] | undefined;
  /** Never rejects. */
  notify(word: PushNotification, signal: AbortSignal): Promise<PushResult>;
}

export const SENT: PushResult = { outcome: 'sent', detail: null, passing: false };

export const failed = (detail: string, passing: boolean): PushResult => ({
  outcome: 'failed',
  detail,
  passing,
});
