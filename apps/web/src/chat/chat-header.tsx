/** The head of a chat: its title, how full the window of its model is, and what can be done with it. */
import type { Chat, ChatSnapshot } from '@chat-kernel/client';
import { compact } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { Meter } from '../parts/plot.tsx';
import type { ChatDialog } from './chat-dialogs.tsx';
import { compactNow } from './compact-now.ts';

interface ChatHeaderProps {
  chat: Chat | null;
  snapshot: ChatSnapshot;
  onOpen(dialog: ChatDialog): void;
}

export function ChatHeader({ chat, snapshot, onOpen }: ChatHeaderProps) {
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
      <Window snapshot={snapshot} onOpen={() => onOpen({ kind: 'spend' })} />
      <Menu label="Chat actions" entries={entries} />
    </header>
  );
}

function Window({ snapshot: { turn }, onOpen }: { snapshot: ChatSnapshot; onOpen(): void }) {
  const models = useStore(useKernel().models);
  const usage = turn?.usage;
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
