/** A dialog above the composer that leaves the conversation visible. Esc and the close button give the safe answer. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useKeys } from '../parts/use-keys.ts';

interface DockedProps {
  title: string;
  icon: IconName;
  onClose(): void;
  /** Called with a letter that is pressed in the dialog after a pause, outside of its fields. */
  onLetter?: ((letter: string) => void) | undefined;
  children: ReactNode;
}

export function Docked({ title, icon, onClose, onLetter, children }: DockedProps) {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const lastKey = useRef(performance.now());
  const onKeyDown = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
    if (key.length !== 1 || ctrlKey || altKey || metaKey || isField(target)) return;
    const pause = performance.now() - lastKey.current;
    lastKey.current += pause;
    if (pause >= QUIET_MS) onLetter?.(key);
  };
  useEffect(() => {
    // Focus the dialog itself, not a button: a key press meant for the message must not allow anything.
    dialog.current?.focus();
  }, []);
  useKeys(event => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Dialogs and menus above this one close first.
    if (document.querySelector('dialog:modal, :popover-open')) return;
    event.preventDefault();
    onClose();
  });
  return (
    <dialog
      ref={dialog}
      open
      className="docked"
      aria-labelledby={heading}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header>
        <Icon name={icon} />
        <h2 id={heading}>{title}</h2>
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

/** Milliseconds without a key before a letter counts: earlier ones belong to the message that was being typed. */
const QUIET_MS = 400;

const isField = (target: EventTarget): boolean =>
  target instanceof Element && target.matches('input, select');
