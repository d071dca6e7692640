/** The browsers that want word. A copy in memory answers whether anybody does, so that most turns ask no database. */
import { KernelError, type PushSubscription, type SubscribeToPush } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { isId } from '../base/ids.ts';
import { PerKey } from '../base/keyed-queue.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import {
  type Clock,
  type PushSender,
  type PushSubscriptionRecord,
  type Store,
  timestamp,
} from '../ports/index.ts';

interface SubscriptionsDeps {
  store: Pick<Store, 'pushSubscriptions'>;
  sender: Pick<PushSender, 'check'>;
  clock: Clock;
  /** Absent: no other kernel has this database. */
  shared?: SharedLog | undefined;
}

export class Subscriptions {
  readonly #deps: SubscriptionsDeps;
  readonly #inTurn = new PerKey();
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

  /** Whether it is there, and still with the same keys. */
  has(subscription: PushSubscriptionRecord): boolean {
    return this.#all.includes(subscription);
  }

  load(): Promise<void> {
    return this.#read(async () => {});
  }

  /** @throws KernelError invalid_value where the endpoint or a key can't be used */
  async subscribe({ endpoint, keys, name, on }: SubscribeToPush): Promise<PushSubscriptionRecord> {
    const { store, sender, clock } = this.#deps;
    const target = { endpoint, ...keys };
    await sender.check(target);
    const fresh = {
      ...target,
      id: uuidv4(),
      name: name ?? null,
      on: on === undefined ? null : [...new Set(on)],
      created_at: timestamp(clock),
    };
    return this.#changed(() => store.pushSubscriptions.save(fresh));
  }

  /** @throws KernelError not_found */
  async remove(id: string): Promise<void> {
    const { store } = this.#deps;
    const removed = isId(id) && (await this.#changed(() => store.pushSubscriptions.delete(id)));
    if (!removed) throw noSubscription();
  }

  async #changed<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = await this.#read(change);
    this.#deps.shared?.tell({ what: 'subscriptions' });
    return result;
  }

  /** Changes come one after the other, so that the copy is what the last one left. */
  #read<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#inTurn.run('subscriptions', async () => {
      const result = await change();
      const known = new Map(this.#all.map(each => [JSON.stringify(each), each]));
      const stored = await this.#deps.store.pushSubscriptions.list();
      this.#all = stored.map(each => known.get(JSON.stringify(each)) ?? each);
      return result;
    });
  }
}

const noSubscription = (): KernelError =>
  new KernelError('not_found', 'There is no push subscription of this id.');

/** As the API shows it: its keys are for sending alone. */
export const publicSubscription = ({
  id,
  endpoint,
  name,
  on,
  created_at,
}: PushSubscriptionRecord): PushSubscription => ({ id, endpoint, name, on, created_at });
