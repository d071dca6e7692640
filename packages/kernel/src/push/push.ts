/** Word to the owner when something waits or has ended: who gets it, and what became of it (PUSH-1 to PUSH-4). */
import {
  KernelError,
  type PushEvent,
  type PushKey,
  type PushLog,
  type PushSubscription,
  type PushSubscriptionList,
  type PushTested,
  type PushUnsubscribed,
  type PushWord,
  type SubscribeToPush,
} from '@chat-kernel/protocol';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import type { Clock, Log, Notifier, PushSender, PushSubscriptionRecord, Store } from '../ports/index.ts';
import { Deliveries, type Delivery, type PushCount } from './deliveries.ts';
import { publicSubscription, Subscriptions } from './subscriptions.ts';
import { pageOf, titleOf } from './text.ts';
import { type SeenTurn, Words } from './words.ts';

interface PushDeps {
  store: Pick<Store, 'chats' | 'schedules' | 'turns' | 'pushSubscriptions'>;
  /** Undefined: nobody gets word. */
  sender: PushSender | undefined;
  events: Pick<KernelEvents, 'listen'>;
  clock: Clock;
  log: Log;
  /** Null: addresses in words are paths. */
  publicUrl: string | null;
  seen(chatId: string, turnId: string): SeenTurn | undefined;
  /** Absent: no other kernel has this database. */
  shared?: SharedLog | undefined;
}

const NO_WORD = 'This kernel sends no word.';
const NOBODY: PushSender = {
  notifiers: [],
  publicKey() {
    throw new KernelError('not_found', NO_WORD);
  },
  async check() {
    throw new KernelError('invalid_value', NO_WORD);
  },
  send: async () => ({ outcome: 'failed', detail: NO_WORD, passing: false }),
};

const TEST_TEXT = 'This is a test: word of the kernel arrives here.';

export class Push {
  readonly #sender: PushSender;
  readonly #publicUrl: string | null;
  readonly #subscriptions: Subscriptions;
  readonly #deliveries: Deliveries;
  readonly #words: Words;

  constructor({ store, sender = NOBODY, events, clock, log, publicUrl, seen, shared }: PushDeps) {
    this.#sender = sender;
    this.#publicUrl = publicUrl;
    this.#subscriptions = new Subscriptions({ store, sender, clock, shared });
    this.#deliveries = new Deliveries(clock, log);
    this.#words = new Words({
      store,
      clock,
      log,
      publicUrl,
      seen,
      isWanted: type => this.#receivers(type).length > 0,
      tell: (word, holds) => this.#tell(word, holds),
    });
    events.listen(event => this.#words.hear(event));
  }

  load(): Promise<void> {
    return this.#subscriptions.load();
  }

  key(): PushKey {
    return { public_key: this.#sender.publicKey() };
  }

  /**
   * Subscribes a browser, in the place of an older subscription of the same endpoint.
   * @throws KernelError invalid_value
   */
  async subscribe(wanted: SubscribeToPush): Promise<PushSubscription> {
    return publicSubscription(await this.#subscriptions.subscribe(wanted));
  }

  subscriptions(): PushSubscriptionList {
    return { subscriptions: this.#subscriptions.all.map(publicSubscription) };
  }

  /** @throws KernelError not_found */
  async unsubscribe(id: string): Promise<PushUnsubscribed> {
    await this.#subscriptions.remove(id);
    return { deleted: true, id };
  }

  /** Sends a message to one browser, once, and tells what became of it. @throws KernelError not_found */
  async test(id: string): Promise<PushTested> {
    const word: PushWord = {
      type: 'test',
      chat_id: null,
      title: titleOf(null),
      text: TEST_TEXT,
      url: pageOf(this.#publicUrl, null),
    };
    const sending = this.#toBrowser(this.#subscriptions.get(id), word);
    const { outcome, detail } = await this.#deliveries.once(sending);
    return { outcome, detail };
  }

  /** What was sent lately. */
  log(): PushLog {
    return { sent: this.#deliveries.sent.map(entry => ({ ...entry })) };
  }

  /** Attempts since the start, for metrics. */
  get counts(): readonly PushCount[] {
    return this.#deliveries.counts;
  }

  stop(): void {
    this.#words.stop();
    this.#deliveries.stop();
  }

  #tell(word: PushWord, holds: () => boolean): void {
    for (const receiver of this.#receivers(word.type as PushEvent)) {
      const delivery = 'tell' in receiver ? toNotifier(receiver, word) : this.#toBrowser(receiver, word);
      const { isWanted } = delivery;
      this.#deliveries.begin({ ...delivery, isWanted: () => holds() && isWanted() });
    }
  }

  #receivers(type: PushEvent): (Notifier | PushSubscriptionRecord)[] {
    const all = [...this.#subscriptions.all, ...this.#sender.notifiers];
    return all.filter(({ on }) => on?.includes(type) ?? true);
  }

  #toBrowser(subscription: PushSubscriptionRecord, word: PushWord): Delivery {
    const { id, name, endpoint } = subscription;
    return {
      word,
      to: 'subscription',
      name: name ?? new URL(endpoint).host,
      send: (sent, signal) => this.#sender.send(subscription, sent, signal),
      // One that has come anew has other keys.
      isWanted: () => this.#subscriptions.has(subscription),
      onGone: async () => {
        if (this.#subscriptions.has(subscription)) await this.#subscriptions.remove(id);
      },
    };
  }
}

const toNotifier = (notifier: Notifier, word: PushWord): Delivery => ({
  word,
  to: notifier.to,
  name: notifier.name,
  send: (sent, signal) => notifier.tell(sent, signal),
  isWanted: () => true,
});
