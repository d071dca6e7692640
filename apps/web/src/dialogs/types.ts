/** What a dialog of a chat gets. */
import type { Chat, ChatView, Item } from '@chat-kernel/client';
import type { Draft } from '../composer/draft.ts';

export interface OfChat {
  chat: Chat;
  onClose(): void;
}

export interface OfItem extends OfChat {
  item: Item;
  /** Of the chat, the oldest first. */
  items: readonly Item[];
  view: ChatView;
  draft: Draft;
}
