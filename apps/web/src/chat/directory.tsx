/** Field for the working directory of a chat, used by tools that access files or run commands. */
import { useId } from 'react';
import { useStore } from '../base/store.ts';
import { type Machine, parseHandsName } from '../composer/choices.tsx';
import { useKernel } from '../kernel/context.ts';
import { placeOn } from './machine.ts';

interface DirectoryProps {
  machine: Machine;
  value: string;
  onChange(value: string): void;
  /** Called when the field loses focus or Enter is pressed. */
  onDone?(): void;
}

/** Limit of directories suggested from other chats. */
const MAX_DIRECTORIES = 20;

export function Directory({ machine, value, onChange, onDone }: DirectoryProps) {
  const { chats } = useStore(useKernel().chats.list);
  const id = useId();
  const place = placeOn(machine, '');
  const known = new Set(
    chats.flatMap(({ workdir, workdir_on, hands }) =>
      workdir && workdir_on === place.workdir_on && hands === place.hands ? [workdir] : [],
    ),
  );
  return (
    <label className="directory">
      <span>Working directory</span>
      <input
        aria-label="Working directory"
        list={id}
        value={value}
        placeholder={`Path on ${parseHandsName(machine) ?? 'the server'}, such as /home/me/project`}
        spellCheck={false}
        onChange={event => onChange(event.target.value)}
        onBlur={onDone}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
        }}
      />
      <datalist id={id}>
        {[...known].slice(0, MAX_DIRECTORIES).map(path => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}
