/** Subscriptions: the channels of videos that the owner follows. */
import type { Subscription } from '@chat-kernel/protocol';

export type SubscriptionRecord = Subscription;

export interface SubscriptionStore {
  /** Returns all, sorted by title without regard to case, then by id. */
  list(): Promise<SubscriptionRecord[]>;
  /** Replaces the subscription of this id. */
  save(subscription: SubscriptionRecord): Promise<void>;
  /** Adds the subscriptions whose id is not there yet; returns how many those were. */
  add(subscriptions: readonly SubscriptionRecord[]): Promise<number>;
  /** Returns false where there was none of this id. */
  delete(channelId: string): Promise<boolean>;
}
