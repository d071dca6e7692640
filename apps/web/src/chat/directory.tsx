/** Where on a machine a chat works: tools that touch files or run commands want to know. */
import { useId } from 'react';
import { useStore } from '../base/store.ts';
import { handsOf, type Machine } from '../composer/choices.tsx';
import { useKernel } from '../kernel/context.ts';
import { placeOn } from './machine.ts';

interface DirectoryProps {
  machine: Machine;
  value: string;
  onChange(value: string): void;
  /** Enter was pressed, or the field was left. */
  onDone?(): void;
}

/** Directories of other chats that are offered. */
const MOST = 20;

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
      <span>Works in</span>
      <input
        aria-label="Directory"
        list={id}
        value={value}
        placeholder={`a directory of ${handsOf(machine) ?? "the kernel's machine"}, such as /home/me/project`}
        spellCheck={false}
        onChange={event => onChange(event.target.value)}
        onBlur={onDone}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
        }}
      />
      <datalist id={id}>
        {[...known].slice(0, MOST).map(path => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}
