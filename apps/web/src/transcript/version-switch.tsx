/** Arrows between the versions that begin at a message. */
import type { ItemOf } from '@chat-kernel/client';
import { IconButton } from '../parts/button.tsx';

interface VersionSwitchProps {
  versions: NonNullable<ItemOf<'user_message'>['versions']>;
  isDisabled: boolean;
  onPick(versionId: string): void;
}

export function VersionSwitch({ versions: { index, count, ids }, isDisabled, onPick }: VersionSwitchProps) {
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
