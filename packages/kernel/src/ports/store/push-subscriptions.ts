/** Browsers that want word, with the keys that nobody reads back. */
import type { PushSubscription } from '@chat-kernel/protocol';
import type { PushTarget } from '../push.ts';

export type PushSubscriptionRecord = PushSubscription & PushTarget;

export interface PushSubscriptionStore {
  /** The oldest first. */
  list(): Promise<PushSubscriptionRecord[]>;
  /** Replaces the row of this endpoint, of which only id and time stay; returns what is stored. */
  save(subscription: PushSubscriptionRecord): Promise<PushSubscriptionRecord>;
  /** Returns false where there was none of this id. */
  delete(id: string): Promise<boolean>;
}
