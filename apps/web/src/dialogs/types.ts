/** Props of the dialogs of a chat. */
import type { Chat, ChatView, Item } from '@chat-kernel/client';
import type { Draft } from '../composer/draft.ts';

export interface OfChat {
  chat: Chat;
  onClose(): void;
}

export interface OfItem extends OfChat {
  item: Item;
  /** All loaded items of the chat, oldest first. */
  items: readonly Item[];
  view: ChatView;
  draft: Draft;
}
