/** What can be done with an item of a chat. */
import type { Item } from '@chat-kernel/client';

export interface ItemActions {
  onFork(item: Item): void;
  onRewind(item: Item): void;
  onTakeBack(messageId: string): void;
}
