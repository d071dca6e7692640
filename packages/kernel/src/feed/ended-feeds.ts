/** The feeds of turns that ended a short time ago, for readers whose connection broke. */
import type { Clock } from '../ports/index.ts';
import type { TurnFeed } from './feed.ts';
import { eventPosition, positionAfter } from './reader.ts';

/** The time that a feed stays after its turn. */
const KEEP_MS = 60_000;
/** The most characters of all kept feeds together; the oldest go first. */
const KEEP_CHARS = 16 * 1024 * 1024;

export class EndedFeeds {
  readonly #clock: Clock;
  /** The feeds by turn id, the oldest first. */
  readonly #kept = new Map<string, { chat_id: string; feed: TurnFeed }>();
  #chars = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep(chat_id: string, feed: TurnFeed): void {
    const { turn_id } = feed;
    this.#kept.set(turn_id, { chat_id, feed });
    this.#chars += feed.log.chars;
    this.#clock.after(KEEP_MS, () => this.#drop(turn_id));
    for (const id of this.#kept.keys()) {
      if (this.#chars <= KEEP_CHARS) break;
      this.#drop(id);
    }
  }

  get(turnId: string): TurnFeed | undefined {
    return this.#kept.get(turnId)?.feed;
  }

  /** The feed of an ended turn of this chat, if a reader that has read up to this event id has not seen its end. */
  unread(chatId: string, after: string | undefined): TurnFeed | undefined {
    const seen = eventPosition(after);
    const kept = seen && this.#kept.get(seen.turn_id);
    if (kept?.chat_id !== chatId) return undefined;
    return positionAfter(kept.feed.log, after) < kept.feed.log.frames.length ? kept.feed : undefined;
  }

  /** Drops the feeds of a deleted chat. */
  forget(chatId: string): void {
    for (const [id, { chat_id }] of this.#kept) if (chat_id === chatId) this.#drop(id);
  }

  #drop(turnId: string): void {
    this.#chars -= this.#kept.get(turnId)?.feed.log.chars ?? 0;
    this.#kept.delete(turnId);
  }
}
