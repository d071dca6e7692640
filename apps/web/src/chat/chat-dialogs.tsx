/** Renders the open dialog of a chat. */
import type { Chat, ChatView, Item } from '@chat-kernel/client';
import type { Draft } from '../composer/draft.ts';
import { Details } from '../dialogs/details.tsx';
import { Edit } from '../dialogs/edit.tsx';
import { Delete, Export, Rename } from '../dialogs/manage.tsx';
import { Fork, Rewind } from '../dialogs/rewind.tsx';
import { Spend } from '../dialogs/spend.tsx';
import { Notebook, Summary } from '../dialogs/texts.tsx';

/** The dialogs about a chat. */
const OF_CHAT = {
  rename: Rename,
  delete: Delete,
  export: Export,
  notebook: Notebook,
  summary: Summary,
  spend: Spend,
  details: Details,
} as const;

export type ChatDialog = { kind: keyof typeof OF_CHAT } | { kind: 'edit' | 'fork' | 'rewind'; item: Item };

/** Actions of the menu and of commands: a dialog, or something that the page does at once. */
export type ChatAction = ChatDialog | { kind: 'find' } | { kind: 'print' } | { kind: 'compact' };

interface ChatDialogsProps {
  dialog: ChatDialog;
  chat: Chat;
  items: readonly Item[];
  view: ChatView;
  draft: Draft;
  onEdited(item: Item, text: string): Promise<void>;
  onClose(): void;
}

export function ChatDialogs({ dialog, chat, items, view, draft, onEdited, onClose }: ChatDialogsProps) {
  if (!('item' in dialog)) {
    const Dialog = OF_CHAT[dialog.kind];
    return <Dialog chat={chat} onClose={onClose} />;
  }
  const { kind, item } = dialog;
  if (kind === 'edit') return <Edit item={item} onSend={text => onEdited(item, text)} onClose={onClose} />;
  const Dialog = kind === 'fork' ? Fork : Rewind;
  return <Dialog chat={chat} item={item} items={items} view={view} draft={draft} onClose={onClose} />;
}
