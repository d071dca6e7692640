/** THE list of dialogs of a chat. */
import type { Chat, ChatView, Item } from '@chat-kernel/client';
import type { Draft } from '../composer/draft.ts';
import { Delete } from '../dialogs/delete.tsx';
import { Details } from '../dialogs/details.tsx';
import { Export } from '../dialogs/export.tsx';
import { Fork } from '../dialogs/fork.tsx';
import { Notebook } from '../dialogs/notebook.tsx';
import { Rename } from '../dialogs/rename.tsx';
import { Rewind } from '../dialogs/rewind.tsx';
import { Spend } from '../dialogs/spend.tsx';
import { Summary } from '../dialogs/summary.tsx';

export type ChatDialog =
  | { kind: 'rename' | 'delete' | 'export' | 'notebook' | 'summary' | 'spend' | 'details' }
  | { kind: 'fork' | 'rewind'; item: Item };

interface ChatDialogsProps {
  dialog: ChatDialog;
  chat: Chat;
  items: readonly Item[];
  view: ChatView;
  draft: Draft;
  onClose(): void;
}

export function ChatDialogs({ dialog, chat, items, view, draft, onClose }: ChatDialogsProps) {
  const own = { chat, onClose };
  switch (dialog.kind) {
    case 'rename':
      return <Rename {...own} />;
    case 'delete':
      return <Delete {...own} />;
    case 'export':
      return <Export {...own} />;
    case 'notebook':
      return <Notebook {...own} />;
    case 'summary':
      return <Summary {...own} />;
    case 'spend':
      return <Spend {...own} />;
    case 'details':
      return <Details {...own} />;
    case 'fork':
      return <Fork {...own} item={dialog.item} items={items} view={view} draft={draft} />;
    case 'rewind':
      return <Rewind {...own} item={dialog.item} items={items} view={view} draft={draft} />;
  }
}
