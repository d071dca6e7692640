/** The row of actions below an item: frequent actions are buttons, the others are in the menu. */
import type { Item, ItemOf, Turn } from '@chat-kernel/client';
import { shortTime, wholeTime } from '../base/times.ts';
import { findItemLabels } from '../items/item-labels.ts';
import { useKernel } from '../kernel/context.ts';
import { CopyButton, IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { AnswerDetails } from './answer-details.tsx';
import { canEdit } from './retries.ts';

interface ItemBarProps {
  item: Item;
  actions: ItemActions;
}

export function ItemBar({ item, actions }: ItemBarProps) {
  const { models, notices, speaker, voice } = useKernel();
  // A growing answer renders in each frame. Its bar only keeps the place.
  if (item.kind === 'agent_message' && item.status === 'running') return <div className="item-bar" />;
  const text = () => findItemLabels(item).text(item);
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(() => notices.say('Copied.'), notices.fail);
  const readings = (): MenuEntry[] => {
    if (item.kind !== 'agent_message' || voice.get()?.speech.default_model == null) return [];
    if (speaker.reading.get() === item.id) {
      return [{ label: 'Stop playing', icon: 'stop', onPick: speaker.stop }];
    }
    return [{ label: 'Play', icon: 'play', onPick: () => void speaker.read(item.id, item.text) }];
  };
  const otherModels = (): MenuEntry[] =>
    (models.get()?.models ?? []).map(({ id }) => ({ label: id, onPick: () => actions.onRetry(item, id) }));
  const entries = (): MenuEntry[] => [
    { label: 'Copy', icon: 'copy', onPick: copy },
    ...readings(),
    { label: 'Fork from here', icon: 'fork', onPick: () => actions.onFork(item) },
    { label: 'Rewind to here', icon: 'back', onPick: () => actions.onRewind(item), danger: true },
  ];
  const canChange = !actions.isBusy;
  const isSpoken = item.kind === 'agent_message' || item.kind === 'user_message';
  return (
    <div className="item-bar">
      {item.kind === 'user_message' && item.versions ? (
        <VersionSwitch versions={item.versions} isDisabled={!canChange} onPick={actions.onVersion} />
      ) : null}
      {isSpoken ? <CopyButton text={text} label="Copy" /> : null}
      {canChange && canEdit(item) ? (
        <IconButton label="Edit" icon="pencil" onClick={() => actions.onEdit(item)} />
      ) : null}
      {canChange && item.kind === 'agent_message' && actions.canRetry(item) ? (
        <>
          <IconButton label="Regenerate" icon="again" onClick={() => actions.onRetry(item)} />
          <Menu label="Regenerate with" entries={otherModels}>
            <Icon name="down" />
          </Menu>
        </>
      ) : null}
      {canChange && item.kind === 'machine_note' && actions.canRetry(item) ? (
        <button type="button" className="retry" onClick={() => actions.onRetry(item)}>
          <Icon name="again" /> Retry
        </button>
      ) : null}
      {item.kind === 'agent_message' ? <AnswerDetails item={item} loadTurn={actions.loadTurn} /> : null}
      <Menu label="Actions" entries={entries} />
      <time dateTime={item.created_at} title={wholeTime(item.created_at)}>
        {shortTime(item.created_at)}
      </time>
    </div>
  );
}

interface VersionSwitchProps {
  versions: NonNullable<ItemOf<'user_message'>['versions']>;
  isDisabled: boolean;
  onPick(versionId: string): void;
}

/** Arrows between the versions that begin at a message. */
function VersionSwitch({ versions: { index, count, ids }, isDisabled, onPick }: VersionSwitchProps) {
  const arrow = (label: string, icon: 'left' | 'right', id: string | undefined) => (
    <IconButton
      label={label}
      icon={icon}
      disabled={isDisabled || id === undefined}
      onClick={() => id !== undefined && onPick(id)}
    />
  );
  return (
    <span className="versions">
      {arrow('Previous version', 'left', ids[index - 2])}
      <span className="count">
        {index} / {count}
      </span>
      {arrow('Next version', 'right', ids[index])}
    </span>
  );
}

/** Actions on the items of a chat. */
export interface ItemActions {
  /** While a turn is open, the history cannot change. */
  readonly isBusy: boolean;
  onFork(item: Item): void;
  onRewind(item: Item): void;
  onEdit(item: Item): void;
  /** Starts the turn of the item again. @param model another model than that of the chat */
  onRetry(item: Item, model?: string): void;
  onVersion(versionId: string): void;
  /** Whether the item is the last answer or failure of its turn. */
  canRetry(item: Item): boolean;
  onTakeBack(messageId: string): void;
  loadTurn(turnId: string): Promise<Turn>;
}
