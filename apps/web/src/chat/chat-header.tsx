/** Chat header: title, context usage, and the menu of actions. */
import type { Chat } from '@chat-kernel/client';
import { memo } from 'react';
import { useKernel } from '../kernel/context.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { Button } from '../parts/button.tsx';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import type { ChatAction } from './chat-dialogs.tsx';
import { compactNow } from './compact-now.ts';
import { ContextUse, type LastPrompt } from './context-use.tsx';

interface ChatHeaderProps {
  chat: Chat | null;
  /** Of the last provider request. */
  model: LastPrompt['model'] | null;
  tokens: LastPrompt['tokens'] | null;
  onOpen(action: ChatAction): void;
}

export const ChatHeader = memo(function ChatHeader({ chat, model, tokens, onOpen }: ChatHeaderProps) {
  const kernel = useKernel();
  const entries = (): MenuEntry[] => [
    { label: 'Find in chat', onPick: () => onOpen({ kind: 'find' }) },
    { label: 'Rename', onPick: () => onOpen({ kind: 'rename' }) },
    { label: 'Notebook', onPick: () => onOpen({ kind: 'notebook' }) },
    { label: 'Summary', onPick: () => onOpen({ kind: 'summary' }) },
    { label: 'Usage', onPick: () => onOpen({ kind: 'spend' }) },
    { label: 'Chat settings', onPick: () => onOpen({ kind: 'details' }) },
    { label: 'Compact', onPick: () => chat && void compactNow(kernel, chat.id) },
    { label: 'Export', onPick: () => onOpen({ kind: 'export' }) },
    { label: 'Print', onPick: () => onOpen({ kind: 'print' }) },
    { label: 'Delete', onPick: () => onOpen({ kind: 'delete' }), danger: true },
  ];
  return (
    <header className="chat-header">
      <MenuButton />
      <h1>
        <bdi>{chat ? (chat.title ?? 'New chat') : 'Chat'}</bdi>
        {chat?.workdir ? (
          <small title={chat.workdir}>
            <bdi>{chat.workdir}</bdi>
          </small>
        ) : chat?.workdir_on === 'server' ? (
          <Button
            label="Set working directory"
            className="quiet"
            onClick={() => onOpen({ kind: 'details' })}
          />
        ) : null}
      </h1>
      {chat && model !== null && tokens !== null ? (
        <ContextUse chatId={chat.id} model={model} tokens={tokens} onOpen={() => onOpen({ kind: 'spend' })} />
      ) : null}
      <Menu label="Chat actions" entries={entries} />
    </header>
  );
});
