/** Where on the kernel's machine a new chat works: tools that touch files or run commands want to know. */
import { useId } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';

interface DirectoryProps {
  value: string;
  onChange(value: string): void;
}

/** Directories of other chats that are offered. */
const MOST = 20;

export function Directory({ value, onChange }: DirectoryProps) {
  const { chats } = useStore(useKernel().chats.list);
  const id = useId();
  const known = new Set(
    chats.flatMap(({ workdir, workdir_on }) => (workdir && workdir_on === 'server' ? [workdir] : [])),
  );
  return (
    <label className="directory">
      <span>Works in</span>
      <input
        aria-label="Directory"
        list={id}
        value={value}
        placeholder="a directory of the kernel's machine, such as /home/me/project"
        spellCheck={false}
        onChange={event => onChange(event.target.value)}
      />
      <datalist id={id}>
        {[...known].slice(0, MOST).map(path => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}
