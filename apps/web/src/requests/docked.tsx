/** A dialog above the composer: the conversation that it is about stays in sight. Esc and the cross give the safe answer. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon, type IconName } from '../parts/icon.tsx';

interface DockedProps {
  title: string;
  icon: IconName;
  onClose(): void;
  children: ReactNode;
}

export function Docked({ title, icon, onClose, children }: DockedProps) {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    // The focus comes to the dialog and to none of its buttons: a key that was meant for a message allows nothing.
    dialog.current?.focus();
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return;
      event.preventDefault();
      close.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <dialog ref={dialog} open className="docked" aria-labelledby={heading} tabIndex={-1}>
      <header>
        <Icon name={icon} />
        <h2 id={heading}>{title}</h2>
        <button type="button" className="quiet square" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
