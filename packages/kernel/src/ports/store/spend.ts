/** Spend: tokens and money, by chat and model, and by day and model. */
import type { ModelSpend, Usage } from '@chat-kernel/protocol';

export type SpendRow = ModelSpend;

/** What a model used on a day (YYYY-MM-DD; the settings say where days begin). */
export interface DaySpend extends Usage {
  day: string;
  model: string;
}

export interface SpendStore {
  /** Spend of a chat, a row per model, by model id. */
  list(chatId: string): Promise<SpendRow[]>;
  /** The same of all chats together, and of what belongs to no chat. */
  listTotals(): Promise<SpendRow[]>;
  /** Whatever was spent from this day (YYYY-MM-DD) on, in chats or outside: by day, then by model id. */
  listDays(from: string): Promise<DaySpend[]>;
  /** Adds what belongs to no chat; the writes of turns and chats record their own. `days` as in those writes. */
  record(spend: SpendRow, days?: readonly DaySpend[]): Promise<void>;
}
