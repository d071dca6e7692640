/** Sends push notifications to subscribed receivers, and reports the result of each (PUSH-1 to PUSH-4). */
import type {
  PushKey,
  PushLog,
  PushNotification,
  PushSubscription,
  PushSubscriptionList,
  PushTested,
  PushUnsubscribed,
  SubscribeToPush,
} from '@chat-kernel/protocol';
import { isSubscribed, type PushEvent } from '@chat-kernel/protocol';
import type { FeatureServices } from '../feature.ts';
import { Deliveries, type Delivery, type PushCount } from './deliveries.ts';
import { NotificationRules, type RulesDeps } from './notification-rules.ts';
import type { Notifier } from './sender.ts';
import type { WebPush } from './senders/web-push.ts';
import type { PushSubscriptionRecord } from './store.ts';
import { publicSubscription, Subscriptions, type SubscriptionsDeps } from './subscriptions.ts';
import { notificationTitle, pageUrl } from './text.ts';

interface PushDeps
  extends Omit<RulesDeps, 'isWanted' | 'send'>,
    SubscriptionsDeps,
    Pick<FeatureServices, 'events'> {
  webPush: WebPush;
  notifiers: readonly Notifier[];
}

const TEST_TEXT = 'Test notification. Notifications from Chat Kernel arrive here.';

export class Push {
  readonly #webPush: WebPush;
  readonly #notifiers: readonly Notifier[];
  readonly #publicUrl: string | null;
  readonly #subscriptions: Subscriptions;
  readonly #deliveries: Deliveries;
  readonly #rules: NotificationRules;

  constructor({ events, notifiers, ...deps }: PushDeps) {
    const { clock, log, publicUrl, webPush } = deps;
    this.#webPush = webPush;
    this.#notifiers = notifiers;
    this.#publicUrl = publicUrl;
    this.#subscriptions = new Subscriptions(deps);
    this.#deliveries = new Deliveries(clock, log);
    this.#rules = new NotificationRules({
      ...deps,
      isWanted: reason => this.#receivers(reason).length > 0,
      send: (word, holds) => this.#send(word, holds),
    });
    events.listen(event => this.#rules.onEvent(event));
  }

  load(): Promise<void> {
    return this.#subscriptions.load();
  }

  key(): PushKey {
    return { public_key: this.#webPush.publicKey() };
  }

  /**
   * Subscribes a browser, and replaces an older subscription with the same endpoint.
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

  /** Sends a message to one browser, once, and returns the result. @throws KernelError not_found */
  async test(id: string): Promise<PushTested> {
    const word: PushNotification = {
      type: 'test',
      chat_id: null,
      title: notificationTitle(null),
      text: TEST_TEXT,
      url: pageUrl(this.#publicUrl, null),
    };
    const sending = this.#toBrowser(this.#subscriptions.get(id), word);
    const { outcome, detail } = await this.#deliveries.once(sending);
    return { outcome, detail };
  }

  /** The notifications that were sent recently. */
  log(): PushLog {
    return { sent: this.#deliveries.sent.map(entry => ({ ...entry })) };
  }

  /** Attempts since the start, for metrics. */
  get counts(): readonly PushCount[] {
    return this.#deliveries.counts;
  }

  /** Whether a request that waits for the owner sends a notification. */
  get notifiesOfRequests(): boolean {
    return this.#receivers('request_opened').length > 0;
  }

  stop(): void {
    this.#rules.stop();
    this.#deliveries.stop();
  }

  #send(word: PushNotification, holds: () => boolean): void {
    for (const receiver of this.#receivers(word.type as PushEvent)) {
      const delivery = 'notify' in receiver ? toNotifier(receiver, word) : this.#toBrowser(receiver, word);
      const { isWanted } = delivery;
      this.#deliveries.begin({ ...delivery, isWanted: () => holds() && isWanted() });
    }
  }

  #receivers(type: PushEvent): (Notifier | PushSubscriptionRecord)[] {
    const all = [...this.#subscriptions.all, ...this.#notifiers];
    return all.filter(({ on }) => isSubscribed(on, type));
  }

  #toBrowser(subscription: PushSubscriptionRecord, word: PushNotification): Delivery {
    const { id, name, endpoint } = subscription;
    return {
      word,
      to: 'subscription',
      name: name ?? new URL(endpoint).host,
      send: (sent, signal) => this.#webPush.send(subscription, sent, signal),
      // A subscription that was renewed has other keys.
      isWanted: () => this.#subscriptions.has(subscription),
      onGone: async () => {
        if (this.#subscriptions.has(subscription)) await this.#subscriptions.remove(id);
      },
    };
  }
}

const toNotifier = (notifier: Notifier, word: PushNotification): Delivery => ({
  word,
  to: notifier.to,
  name: notifier.name,
  send: (sent, signal) => notifier.notify(sent, signal),
  isWanted: () => true,
});
