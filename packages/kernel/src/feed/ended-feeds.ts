/** Keeps the feeds of recently ended turns for readers whose connection broke. */
import { BoundedMap } from '@chat-kernel/base';
import type { Clock } from '../ports/index.ts';
import type { TurnFeed } from './feed.ts';
import { type EventPosition, eventId, eventPosition, positionAfter, positionBehind } from './position.ts';

/** The time for which a feed is kept after its turn. */
const KEEP_MS = 60_000;
/** The size of a character in an event with any non-Latin character. */
const CHARACTER_BYTES = 2;
/**
 * The maximum number of chats whose last event id is kept after its feed; the least recently active are removed first.
 */
const KEEP_ENDS = 10_000;

interface EndedSince {
  /** In the order in which the turns ran; the first may be the turn of the event itself. */
  feeds: TurnFeed[];
  /** True if a reader that continues after the event with these feeds misses nothing. */
  whole: boolean;
}

export class EndedFeeds {
  readonly #clock: Clock;
  /** The feeds by turn id, oldest first. */
  readonly #kept = new Map<string, { chat_id: string; feed: TurnFeed }>();
  /** The id of the last event of the last ended turn by chat, kept longer than the feed. */
  readonly #ends = new BoundedMap<string, string>(KEEP_ENDS);
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes the approximate limit for all kept feeds together; the oldest are removed first */
  constructor(clock: Clock, maxBytes: number) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  keep(chat_id: string, feed: TurnFeed): void {
    const { turn_id } = feed;
    this.#kept.set(turn_id, { chat_id, feed });
    this.#bytes += estimateBytes(feed);
    this.#noteEnd(chat_id, feed);
    this.#clock.after(KEEP_MS, () => this.#drop(turn_id));
    for (const id of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
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

  /**
   * The feeds of the turns of this chat that ended after this event. The turns of a chat run and leave one after the
   * other, so if the turn of the event is kept, all turns after it are too.
   */
  since(chatId: string, seen: EventPosition): EndedSince {
    const ofChat = [...this.#kept.values()]
      .filter(({ chat_id }) => chat_id === chatId)
      .map(({ feed }) => feed);
    const own = ofChat.findIndex(feed => feed.turn_id === seen.turn_id);
    if (own !== -1) {
      const { log } = ofChat[own] as TurnFeed;
      const position = positionBehind(log, seen);
      const isRead = position === log.frames.length;
      return { feeds: ofChat.slice(isRead ? own + 1 : own), whole: position > 0 };
    }
    // The ids of turns increase with time.
    const feeds = ofChat.filter(feed => feed.turn_id > seen.turn_id);
    return { feeds, whole: this.#ends.get(chatId) === eventId(seen) };
  }

  /** Drops the feeds of a deleted or rewound chat: deleted history must not be readable. */
  forget(chatId: string): void {
    this.#ends.delete(chatId);
    for (const [id, { chat_id }] of this.#kept) if (chat_id === chatId) this.#drop(id);
  }

  #noteEnd(chatId: string, { turn_id, log }: TurnFeed): void {
    this.#ends.set(chatId, eventId({ turn_id, n: log.base + log.frames.length - 1 }));
  }

  #drop(turnId: string): void {
    const kept = this.#kept.get(turnId);
    if (kept) this.#bytes -= estimateBytes(kept.feed);
    this.#kept.delete(turnId);
  }
}

const estimateBytes = ({ log }: TurnFeed): number => CHARACTER_BYTES * log.chars;
