/** Channels that are followed. */
import type { Subscription } from '@chat-kernel/protocol';

export type SubscriptionRecord = Subscription;

export interface SubscriptionStore {
  /** By title, whatever its case, then by id. */
  list(): Promise<SubscriptionRecord[]>;
  /** Replaces the subscription of this id. */
  save(subscription: SubscriptionRecord): Promise<void>;
  /** Leaves those whose id is there as they are; returns how many are new. */
  add(subscriptions: readonly SubscriptionRecord[]): Promise<number>;
  /** False where there was none. */
  delete(channelId: string): Promise<boolean>;
}
