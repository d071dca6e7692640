/**
 * Manages the browsers that get push notifications. A copy in memory shows whether there are any, so most turns need no
 * query.
 */
import { isId, KeyedQueue, timestamp } from '@chat-kernel/kernel';
import type { PushSubscription, SubscribeToPush } from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { FeatureServices } from '../feature.ts';
import type { WebPush } from './senders/web-push.ts';
import type { PushSubscriptionRecord, PushSubscriptionStore } from './store.ts';

export interface SubscriptionsDeps extends Pick<FeatureServices, 'clock' | 'shared'> {
  pushSubscriptions: PushSubscriptionStore;
  webPush: Pick<WebPush, 'check'>;
}

export class Subscriptions {
  readonly #deps: SubscriptionsDeps;
  readonly #inTurn = new KeyedQueue();
  /** The oldest first. */
  #all: readonly PushSubscriptionRecord[] = [];

  constructor(deps: SubscriptionsDeps) {
    this.#deps = deps;
    deps.shared?.onChange('subscriptions', () => this.load());
  }

  get all(): readonly PushSubscriptionRecord[] {
    return this.#all;
  }

  /** @throws KernelError not_found */
  get(id: string): PushSubscriptionRecord {
    const found = this.#all.find(each => each.id === id);
    if (found === undefined) throw noSubscription();
    return found;
  }

  /** Whether the subscription still exists with the same keys. */
  has(subscription: PushSubscriptionRecord): boolean {
    return this.#all.includes(subscription);
  }

  load(): Promise<void> {
    return this.#read(async () => {});
  }

  /** @throws KernelError invalid_value if the endpoint or a key cannot be used */
  async subscribe({ endpoint, keys, name, on }: SubscribeToPush): Promise<PushSubscriptionRecord> {
    const { pushSubscriptions, webPush, clock } = this.#deps;
    const target = { endpoint, ...keys };
    await webPush.check(target);
    const fresh = {
      ...target,
      id: uuidv4(),
      name: name ?? null,
      on: on === undefined ? null : [...new Set(on)],
      created_at: timestamp(clock),
    };
    return this.#changed(() => pushSubscriptions.save(fresh));
  }

  /** @throws KernelError not_found */
  async remove(id: string): Promise<void> {
    const { pushSubscriptions } = this.#deps;
    const removed = isId(id) && (await this.#changed(() => pushSubscriptions.delete(id)));
    if (!removed) throw noSubscription();
  }

  async #changed<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = await this.#read(change);
    this.#deps.shared?.publish({ what: 'subscriptions' });
    return result;
  }

  /** Runs changes one after the other, so that the copy matches the last one. */
  #read<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#inTurn.run('subscriptions', async () => {
      const result = await change();
      const known = new Map(this.#all.map(each => [JSON.stringify(each), each]));
      const stored = await this.#deps.pushSubscriptions.list();
      this.#all = stored.map(each => known.get(JSON.stringify(each)) ?? each);
      return result;
    });
  }
}

const noSubscription = (): KernelError =>
  new KernelError('not_found', 'There is no push subscription with this id.');

/** The public form; its keys are only for sending. */
export const publicSubscription = ({
  id,
  endpoint,
  name,
  on,
  created_at,
}: PushSubscriptionRecord): PushSubscription => ({ id, endpoint, name, on, created_at });
