/** A menu under its button, which the platform shows above everything and closes by itself. */
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
  /** The name of the button. */
  label: string;
  /** Called when it opens: a page has many menus, and few are ever seen. */
  entries(): readonly MenuEntry[];
  children?: ReactNode;
  className?: string;
}

export function Menu({ label, entries, children, className = 'quiet square' }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
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
        ref={button}
        type="button"
        className={className}
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
          if (event.newState !== 'open') return;
          flushSync(() => setShown(entries()));
          place(button.current, menu.current);
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

/** Puts the menu below its button, or above it where there is no room, and inside of the window. */
function place(button: HTMLElement | null, menu: HTMLElement | null): void {
  if (!button || !menu) return;
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const isBelow = bottom < innerHeight * 0.6;
  const isLeft = left < innerWidth / 2;
  Object.assign(menu.style, {
    top: isBelow ? `${bottom + 4}px` : 'auto',
    bottom: isBelow ? 'auto' : `${innerHeight - top + 4}px`,
    left: isLeft ? `${Math.max(8, left)}px` : 'auto',
    right: isLeft ? 'auto' : `${Math.max(8, innerWidth - right)}px`,
  });
}
