/** Actions on the items of a chat. */
import type { Item, Turn } from '@chat-kernel/client';

export interface ItemActions {
  /** While a turn is open, the history cannot change. */
  readonly isBusy: boolean;
  onFork(item: Item): void;
  onRewind(item: Item): void;
  onEdit(item: Item): void;
  /** Starts the turn of the item again. @param model another model than that of the chat */
  onRetry(item: Item, model?: string): void;
  onVersion(versionId: string): void;
  /** Whether the item is the last answer or failure of its turn. */
  canRetry(item: Item): boolean;
  onTakeBack(messageId: string): void;
  loadTurn(turnId: string): Promise<Turn>;
}
