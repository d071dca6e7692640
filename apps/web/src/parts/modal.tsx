/**
 * A modal dialog, and the error of its action. The element with `data-first` gets the focus first. Esc and the close
 * button close it.
 */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { classes } from '../base/text.ts';
import { IconButton } from './button.tsx';

interface ModalProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
  className?: string;
  /** Controls next to the title. */
  actions?: ReactNode;
}

export function Modal({ title, onClose, children, wide = false, className, actions }: ModalProps) {
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
      className={classes('modal', wide && 'wide', className)}
      aria-labelledby={heading}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {actions}
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

/** Shows an error next to the action that failed. */
export function Failure({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="error" role="alert">
      {text}
    </p>
  );
}
