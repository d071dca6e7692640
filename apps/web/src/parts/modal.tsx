/** A dialog in front of everything, which the platform keeps the focus in: at first in what has `data-first`. Esc and the cross close it. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icon.tsx';

interface ModalProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
}

export function Modal({ title, onClose, children, wide = false }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    current?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'modal wide' : 'modal'}
      aria-labelledby={heading}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" className="quiet square" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
