/** A dialog with a form: what it does is on its button, which waits until that is done. */
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Modal } from './modal.tsx';
import { useAct } from './use-act.ts';

interface FormModalProps {
  title: string;
  /** The words on the button. */
  action: string;
  /** What goes wrong in it is said, and the dialog stays. */
  onSubmit(): Promise<void>;
  onClose(): void;
  children: ReactNode;
  disabled?: boolean;
  /** Fields side by side. */
  wide?: boolean;
}

export function FormModal({
  title,
  action,
  onSubmit,
  onClose,
  children,
  disabled = false,
  wide = false,
}: FormModalProps) {
  const { act, busy, failure } = useAct({ isShownHere: true });
  return (
    <Modal title={title} onClose={onClose} wide={wide}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void act(onSubmit);
        }}
      >
        <div className={wide ? 'body grid' : 'body'}>{children}</div>
        <Failure text={failure} />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={busy || disabled}>
            {action}
          </button>
        </footer>
      </form>
    </Modal>
  );
}
