/**
 * Decides which events of the kernel send a push notification, and when (PUSH-2). Turns send few events here; tokens
 * never pass through.
 */
import type { Store, TurnActivity } from '@chat-kernel/kernel';
import type { PushNotification } from '@chat-kernel/protocol';
import {
  type KernelEvent,
  type KernelEventOf,
  NOWHERE_ID,
  type PendingRequest,
  type PushEvent,
} from '@chat-kernel/protocol';
import type { FeatureServices } from '../feature.ts';
import { decidedBy } from './decisions.ts';
import { buildContent, type Occasions, reasonsOn } from './reasons.ts';
import { isNamed, notificationTitle, pageUrl } from './text.ts';

/** Delay before notifying, so that an active user can answer first. */
const UNANSWERED_MS = 3000;
/** A turn of at least this length sends a notification even if a client reads it. */
const LONG_TURN_MS = 20_000;

export interface RulesDeps extends Pick<FeatureServices, 'clock' | 'log' | 'seenTurn' | 'describeRun'> {
  store: Pick<Store, 'chats' | 'turns'>;
  /** If null, addresses in notifications are paths. */
  publicUrl: string | null;
  /** Whether any receiver gets notifications of this kind. */
  isWanted(type: PushEvent): boolean;
  /** @param holds whether the notification is still true */
  send(word: PushNotification, holds: () => boolean): void;
}

/** The open requests of one call: several questions send one notification. */
interface Asked {
  open: Map<number, PendingRequest>;
  takeBack(): void;
}

export class NotificationRules {
  readonly #deps: RulesDeps;
  readonly #asked = new Map<string, Asked>();

  constructor(deps: RulesDeps) {
    this.#deps = deps;
  }

  /** Handles an event when it happens. Never throws. */
  onEvent(event: KernelEvent): void {
    if (event.type === 'request_opened') this.#requestOpened(event.request);
    if (event.type === 'request_resolved') this.#requestResolved(event);
    if (event.type === 'turn_ended') this.#turnEnded(event);
    if (event.type === 'schedule_ended') this.#scheduleEnded(event);
  }

  stop(): void {
    for (const { takeBack } of this.#asked.values()) takeBack();
    this.#asked.clear();
  }

  #requestOpened(request: PendingRequest): void {
    const key = requestKey(request);
    if (!this.#isWanted('request_opened')) return;
    const known = this.#asked.get(key);
    if (known) {
      known.open.set(request.question ?? 0, request);
      return;
    }
    const open = new Map([[request.question ?? 0, request]]);
    const takeBack = this.#deps.clock.after(UNANSWERED_MS, () => {
      const [first] = open.values();
      if (first !== undefined && this.#asksSomebody(first)) this.#notifyOfRequest(first, key);
    });
    this.#asked.set(key, { open, takeBack });
  }

  #requestResolved(event: KernelEventOf<'request_resolved'>): void {
    const asked = this.#asked.get(requestKey(event));
    asked?.open.delete(event.question ?? 0);
    if (asked === undefined || asked.open.size > 0) return;
    asked.takeBack();
    this.#asked.delete(requestKey(event));
  }

  /** A connected client performs operations that need no decision of a person, and these may take their time. */
  #asksSomebody({ kind, event, chat_id, turn_id }: PendingRequest): boolean {
    if (kind === 'question' || event.type === 'consent_request') return true;
    if (event.type === 'client_op' && event.decisions !== undefined) return true;
    return this.#deps.seenTurn(chat_id, turn_id)?.read !== true;
  }

  #notifyOfRequest(request: PendingRequest, key: string): void {
    const asked = this.#asked.get(key);
    const about = { chat_id: request.chat_id, request_id: request.id, ...decidedBy(request) };
    const content = buildContent('request_opened', request);
    void this.#notify({ ...content, ...about }, () => this.#asked.get(key) === asked);
  }

  #turnEnded({ chat_id, turn_id, status }: KernelEventOf<'turn_ended'>): void {
    // The user who cancels a turn knows that it has ended.
    if (status === 'cancelled' || !this.#isWanted('turn_ended')) return;
    const { read, said } = this.#deps.seenTurn(chat_id, turn_id) ?? { read: false, said: '' };
    void this.#notifyOfEnd(chat_id, turn_id, { status, read, said });
  }

  async #notifyOfEnd(
    chat_id: string,
    turn_id: string,
    { status, read, said }: TurnActivity & Pick<KernelEventOf<'turn_ended'>, 'status'>,
  ): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const record = await store.turns.get(chat_id, turn_id).catch(() => undefined);
    // The event for the end of the run sends the notification.
    if (record?.parameters.schedule) return;
    const since = record?.started_at ?? null;
    const isShort = since === null || now - Date.parse(since) < LONG_TURN_MS;
    if (read && isShort) return;
    const content = buildContent('turn_ended', { status, said, error: record?.error ?? null });
    await this.#notify({ ...content, chat_id }, () => true);
  }

  #scheduleEnded(event: KernelEventOf<'schedule_ended'>): void {
    const { status, chat_id, turn_id } = event;
    // The user who cancels a turn knows that it has ended.
    if (status === 'cancelled' || !this.#isWanted('schedule_ended')) return;
    const { said = '' } = (chat_id && turn_id && this.#deps.seenTurn(chat_id, turn_id)) || {};
    void this.#notifyOfRun(event, said);
  }

  async #notifyOfRun(event: KernelEventOf<'schedule_ended'>, said: string): Promise<void> {
    const { due_at, status, chat_id } = event;
    const run = await this.#deps.describeRun(event).catch(() => undefined);
    const content = buildContent('schedule_ended', { status, due_at, said, error: run?.error ?? null });
    await this.#notify({ ...content, chat_id: chat_id ?? NOWHERE_ID }, () => true, run?.title ?? null);
  }

  #isWanted(on: keyof Occasions): boolean {
    return reasonsOn(on).some(this.#deps.isWanted);
  }

  async #notify(
    about: { type: PushEvent; text: string; chat_id: string } & Pick<
      PushNotification,
      'request_id' | 'decisions' | 'reason' | 'workdir'
    >,
    holds: () => boolean,
    otherTitle: string | null = null,
  ): Promise<void> {
    const { store, publicUrl, log, isWanted, send } = this.#deps;
    const { type, text, request_id, chat_id: _, ...decided } = about;
    if (!isWanted(type)) return;
    const chat_id = about.chat_id === NOWHERE_ID ? null : about.chat_id;
    // A notification without its title is better than none.
    const chat = chat_id === null ? undefined : await store.chats.get(chat_id).catch(() => undefined);
    const title = notificationTitle(chat?.title ?? otherTitle);
    try {
      const url = pageUrl(publicUrl, chat_id, request_id);
      const request = isNamed(request_id) ? { request_id, ...decided } : {};
      if (holds()) send({ type, chat_id, title, text, url, ...request }, holds);
    } catch (err) {
      log.error({ err, type }, 'creating a notification failed');
    }
  }
}

const requestKey = ({ turn_id, id }: { turn_id: string; id: string }): string => `${turn_id} ${id}`;
