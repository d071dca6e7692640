/** A menu next to its button. It is a popover: the browser places it, shows it on top and closes it. */
import { type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon, type IconName } from './icon.tsx';

export interface MenuEntry {
  label: string;
  icon?: IconName;
  onPick(): void;
  danger?: boolean;
}

interface MenuProps {
  /** The accessible name of the button. */
  label: string;
  /** Called when the menu opens, because a page has many menus that stay closed. */
  entries(): readonly MenuEntry[];
  children?: ReactNode;
}

export function Menu({ label, entries, children }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<readonly MenuEntry[]>([]);
  const move = (step: number) => {
    const all = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button
        type="button"
        className="quiet square"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        {children ?? <Icon name="dots" />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        onBeforeToggle={event => {
          if (event.newState === 'open') flushSync(() => setShown(entries()));
        }}
        onToggle={event => {
          if (event.newState === 'open') menu.current?.querySelector('button')?.focus();
          else setShown([]);
        }}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          move(event.key === 'ArrowDown' ? 1 : -1);
        }}
      >
        {shown.map(({ label: name, icon, onPick, danger }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            className={danger ? 'danger' : undefined}
            onClick={() => {
              menu.current?.hidePopover();
              onPick();
            }}
          >
            {icon ? <Icon name={icon} /> : <span className="icon" />}
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
