/** Renders the open dialog of a chat. */
import type { Chat, ChatView, Item } from '@chat-kernel/client';
import type { Draft } from '../composer/draft.ts';
import { Delete } from '../dialogs/delete.tsx';
import { Details } from '../dialogs/details.tsx';
import { Edit } from '../dialogs/edit.tsx';
import { Export } from '../dialogs/export.tsx';
import { Fork } from '../dialogs/fork.tsx';
import { Rename } from '../dialogs/rename.tsx';
import { Rewind } from '../dialogs/rewind.tsx';
import { Spend } from '../dialogs/spend.tsx';
import { Notebook, Summary } from '../dialogs/texts.tsx';

export type ChatDialog =
  | { kind: 'rename' | 'delete' | 'export' | 'notebook' | 'summary' | 'spend' | 'details' }
  | { kind: 'edit' | 'fork' | 'rewind'; item: Item };

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
  const common = { chat, onClose };
  switch (dialog.kind) {
    case 'rename':
      return <Rename {...common} />;
    case 'delete':
      return <Delete {...common} />;
    case 'export':
      return <Export {...common} />;
    case 'notebook':
      return <Notebook {...common} />;
    case 'summary':
      return <Summary {...common} />;
    case 'spend':
      return <Spend {...common} />;
    case 'details':
      return <Details {...common} />;
    case 'edit':
      return <Edit item={dialog.item} onSend={text => onEdited(dialog.item, text)} onClose={onClose} />;
    case 'fork':
      return <Fork {...common} item={dialog.item} items={items} view={view} draft={draft} />;
    case 'rewind':
      return <Rewind {...common} item={dialog.item} items={items} view={view} draft={draft} />;
  }
}
