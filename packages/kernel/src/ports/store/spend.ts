/** Defines stored spend: tokens and money, by chat and model, and by day and model. */
import type { ModelSpend, Usage } from '@chat-kernel/protocol';

export type SpendRow = ModelSpend;

/** The use of one model on one day (YYYY-MM-DD; the settings define when days begin). */
export interface DaySpend extends Usage {
  day: string;
  model: string;
}

export interface SpendStore {
  /** Returns the spend of a chat, one row per model, sorted by model id. */
  list(chatId: string): Promise<SpendRow[]>;
  /** Returns the spend of all chats and of calls outside of chats, one row per model. */
  listTotals(): Promise<SpendRow[]>;
  /** Returns the spend from this day (YYYY-MM-DD) on, in chats and outside of them, sorted by day, then by model id. */
  listDays(from: string): Promise<DaySpend[]>;
  /** Adds spend outside of chats; the writes of turns and chats record theirs. `days` as in those writes. */
  record(spend: SpendRow, days?: readonly DaySpend[]): Promise<void>;
}
