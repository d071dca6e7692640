/**
 * What is worth a word, and when (PUSH-2). It listens to the events of the kernel, of which there are a few in a turn:
 * no token passes here.
 */
import {
  type KernelEvent,
  type KernelEventOf,
  NOWHERE_ID,
  type PendingRequest,
  type PushEvent,
  type PushWord,
  type TurnEnd,
} from '@chat-kernel/protocol';
import type { Clock, Log, Store } from '../ports/index.ts';
import { isCapRequest } from '../spend/caps.ts';
import { decidedBy } from './decisions.ts';
import { endText, isNamed, missedText, pageOf, requestText, titleOf } from './text.ts';

/** The time in which whoever is there answers by himself. */
const UNANSWERED_MS = 3000;
/** A turn of this length is not waited for any more. */
const LONG_TURN_MS = 20_000;

/** A turn that runs, or has just ended, as its readers see it. */
export interface SeenTurn {
  /** Somebody reads its feed, or did when it ended. */
  read: boolean;
  /** The last words of its model. */
  said: string;
}

interface WordsDeps {
  store: Pick<Store, 'chats' | 'schedules' | 'turns'>;
  clock: Clock;
  log: Log;
  publicUrl: string | null;
  seen(chatId: string, turnId: string): SeenTurn | undefined;
  /** Whether anybody gets words of this kind. */
  isWanted(type: PushEvent): boolean;
  /** @param holds whether the word is still true */
  tell(word: PushWord, holds: () => boolean): void;
}

/** The open requests of one call: several questions are one word. */
interface Asked {
  open: Map<number, PendingRequest>;
  takeBack(): void;
}

export class Words {
  readonly #deps: WordsDeps;
  readonly #asked = new Map<string, Asked>();

  constructor(deps: WordsDeps) {
    this.#deps = deps;
  }

  /** Takes an event as it happens. Never throws. */
  hear(event: KernelEvent): void {
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
    const key = keyOf(request);
    const { isWanted } = this.#deps;
    if (!isWanted('request_opened') && !isWanted('spend_cap')) return;
    const known = this.#asked.get(key);
    if (known) {
      known.open.set(request.question ?? 0, request);
      return;
    }
    const open = new Map([[request.question ?? 0, request]]);
    const takeBack = this.#deps.clock.after(UNANSWERED_MS, () => {
      const [first] = open.values();
      if (first !== undefined && this.#asksSomebody(first)) this.#tellRequest(first, key);
    });
    this.#asked.set(key, { open, takeBack });
  }

  #requestResolved(event: KernelEventOf<'request_resolved'>): void {
    const asked = this.#asked.get(keyOf(event));
    asked?.open.delete(event.question ?? 0);
    if (asked === undefined || asked.open.size > 0) return;
    asked.takeBack();
    this.#asked.delete(keyOf(event));
  }

  /** Where a client is there, it does what needs no decision of a person, and that may take its time. */
  #asksSomebody({ kind, event, chat_id, turn_id }: PendingRequest): boolean {
    if (kind === 'question' || (event.type === 'client_op' && event.decisions !== undefined)) return true;
    return this.#deps.seen(chat_id, turn_id)?.read !== true;
  }

  #tellRequest(request: PendingRequest, key: string): void {
    const type = isCapRequest(request.id) ? 'spend_cap' : 'request_opened';
    const asked = this.#asked.get(key);
    const about = { type, chat_id: request.chat_id, request_id: request.id, ...decidedBy(request) } as const;
    void this.#tell(about, requestText(request), () => this.#asked.get(key) === asked);
  }

  #turnEnded({ chat_id, turn_id, status }: KernelEventOf<'turn_ended'>): void {
    // Whoever cancels a turn knows that it is over.
    if (status === 'cancelled' || !this.#deps.isWanted('turn_ended')) return;
    const { read, said } = this.#deps.seen(chat_id, turn_id) ?? { read: false, said: '' };
    void this.#tellEnd(chat_id, turn_id, { status, read, said });
  }

  async #tellEnd(
    chat_id: string,
    turn_id: string,
    { status, read, said }: SeenTurn & Pick<KernelEventOf<'turn_ended'>, 'status'>,
  ): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const record = await store.turns.get(chat_id, turn_id).catch(() => undefined);
    // The end of the run says it.
    if (record?.parameters.schedule) return;
    const since = record?.started_at ?? null;
    const isShort = since === null || now - Date.parse(since) < LONG_TURN_MS;
    if (read && isShort) return;
    const text = endText(status, said, record?.error ?? null);
    await this.#tell({ type: 'turn_ended', chat_id }, text, () => true);
  }

  #scheduleEnded(event: KernelEventOf<'schedule_ended'>): void {
    const { status, chat_id, turn_id } = event;
    // Whoever cancels a turn knows that it is over.
    if (status === 'cancelled' || !this.#deps.isWanted('schedule_ended')) return;
    const { said = '' } = (chat_id && turn_id && this.#deps.seen(chat_id, turn_id)) || {};
    void this.#tellRun(event, said);
  }

  async #tellRun(event: KernelEventOf<'schedule_ended'>, said: string): Promise<void> {
    const { schedule_id, due_at, status, chat_id } = event;
    const { schedules } = this.#deps.store;
    const run = await schedules.run(schedule_id, due_at).catch(() => undefined);
    const schedule = await schedules.get(schedule_id).catch(() => undefined);
    const text =
      status === 'missed' ? missedText(due_at) : endText(status as TurnEnd, said, run?.error ?? null);
    const about = { type: 'schedule_ended', chat_id: chat_id ?? NOWHERE_ID } as const;
    await this.#tell(about, text, () => true, schedule?.title ?? null);
  }

  async #tell(
    about: { type: PushEvent; chat_id: string } & Pick<PushWord, 'request_id' | 'decisions' | 'workdir'>,
    text: string,
    holds: () => boolean,
    otherTitle: string | null = null,
  ): Promise<void> {
    const { store, publicUrl, log, isWanted, tell } = this.#deps;
    const { type, request_id, chat_id: _, ...decided } = about;
    if (!isWanted(type)) return;
    const chat_id = about.chat_id === NOWHERE_ID ? null : about.chat_id;
    // A word without its title is better than none.
    const chat = chat_id === null ? undefined : await store.chats.get(chat_id).catch(() => undefined);
    const title = titleOf(chat?.title ?? otherTitle);
    try {
      const url = pageOf(publicUrl, chat_id, request_id);
      const request = isNamed(request_id) ? { request_id, ...decided } : {};
      if (holds()) tell({ type, chat_id, title, text, url, ...request }, holds);
    } catch (err) {
      log.error({ err, type }, 'a word to the owner could not be made');
    }
  }
}

const keyOf = ({ turn_id, id }: { turn_id: string; id: string }): string => `${turn_id} ${id}`;
