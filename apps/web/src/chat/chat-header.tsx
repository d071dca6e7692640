/** Chat header: title, context usage, and the menu of actions. */
import type { Chat } from '@chat-kernel/client';
import { memo } from 'react';
import { MenuButton } from '../nav/menu-button.tsx';
import { Button } from '../parts/button.tsx';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import type { ChatAction } from './chat-dialogs.tsx';
import { CHAT_ACTIONS } from './commands.ts';
import { ContextUse, type LastPrompt } from './context-use.tsx';

interface ChatHeaderProps {
  chat: Chat | null;
  /** Of the last provider request. */
  model: LastPrompt['model'] | null;
  tokens: LastPrompt['tokens'] | null;
  onOpen(action: ChatAction): void;
}

export const ChatHeader = memo(function ChatHeader({ chat, model, tokens, onOpen }: ChatHeaderProps) {
  const entries = (): MenuEntry[] =>
    CHAT_ACTIONS.map(({ kind, label }) => ({
      label,
      onPick: () => onOpen({ kind }),
      danger: kind === 'delete',
    }));
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
