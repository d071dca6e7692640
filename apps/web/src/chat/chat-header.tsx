/** The head of a chat: its title, how full the window of its model is, and what can be done with it. */
import type { Chat, ChatSnapshot } from '@chat-kernel/client';
import { memo } from 'react';
import { compact } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { Meter } from '../parts/plot.tsx';
import type { ChatDialog } from './chat-dialogs.tsx';
import { compactNow } from './compact-now.ts';

/** Of the last trip to the provider. */
type Usage = NonNullable<ChatSnapshot['turn']>['usage'];

interface ChatHeaderProps {
  chat: Chat | null;
  usage: Usage;
  onOpen(dialog: ChatDialog): void;
}

export const ChatHeader = memo(function ChatHeader({ chat, usage, onOpen }: ChatHeaderProps) {
  const kernel = useKernel();
  const entries = (): MenuEntry[] => [
    { label: 'Rename', onPick: () => onOpen({ kind: 'rename' }) },
    { label: 'Notebook', onPick: () => onOpen({ kind: 'notebook' }) },
    { label: 'Summary', onPick: () => onOpen({ kind: 'summary' }) },
    { label: 'Spend', onPick: () => onOpen({ kind: 'spend' }) },
    { label: 'Details', onPick: () => onOpen({ kind: 'details' }) },
    { label: 'Compact', onPick: () => chat && void compactNow(kernel, chat.id) },
    { label: 'Export', onPick: () => onOpen({ kind: 'export' }) },
    { label: 'Delete', onPick: () => onOpen({ kind: 'delete' }), danger: true },
  ];
  return (
    <header className="chat-header">
      <MenuButton />
      <h1>
        <bdi>{chat?.title ?? 'New chat'}</bdi>
        {chat?.workdir ? (
          <small title={chat.workdir}>
            <bdi>{chat.workdir}</bdi>
          </small>
        ) : chat?.workdir_on === 'server' ? (
          <button type="button" className="quiet" onClick={() => onOpen({ kind: 'details' })}>
            Set a directory
          </button>
        ) : null}
      </h1>
      <Window usage={usage} onOpen={() => onOpen({ kind: 'spend' })} />
      <Menu label="Chat actions" entries={entries} />
    </header>
  );
});

function Window({ usage, onOpen }: { usage: Usage; onOpen(): void }) {
  const models = useStore(useKernel().models);
  if (!usage) return null;
  const size = models?.models.find(({ id }) => id === usage.model)?.context_window;
  if (!size) return null;
  const share = usage.prompt_tokens / size;
  const label = `${compact(usage.prompt_tokens)} of ${compact(size)} tokens of the window`;
  return (
    <button type="button" className="window quiet" title={label} onClick={onOpen}>
      <Meter share={share} label={label} warns />
      <span>{Math.round(share * 100)} %</span>
    </button>
  );
}
