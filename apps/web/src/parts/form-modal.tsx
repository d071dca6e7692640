/** A dialog with a form. Its submit button is disabled while the action runs. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Failure, Modal } from './modal.tsx';
import { useAction } from './use-action.ts';

interface FormModalProps {
  title: string;
  /** The label of the submit button. */
  action: string;
  /** On an error, the dialog shows it and stays open. */
  onSubmit(): Promise<void>;
  onClose(): void;
  children: ReactNode;
  disabled?: boolean;
  wide?: boolean;
  /** Shows fields side by side. */
  hasColumns?: boolean;
  /** A button in the place of Cancel. */
  other?: { label: string; run(): Promise<void> };
}

export function FormModal({
  title,
  action,
  onSubmit,
  onClose,
  children,
  disabled = false,
  wide = false,
  hasColumns = false,
  other,
}: FormModalProps) {
  const { act, busy, failure } = useAction({ isShownHere: true });
  return (
    <Modal title={title} onClose={onClose} wide={wide || hasColumns}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void act(onSubmit);
        }}
      >
        <div className={hasColumns ? 'body grid' : 'body'}>{children}</div>
        <Failure text={failure} />
        <footer>
          {other ? (
            <Button
              label={other.label}
              className="danger"
              disabled={busy}
              onClick={() => void act(other.run)}
            />
          ) : (
            <Button label="Cancel" onClick={onClose} />
          )}
          <Button label={action} type="submit" className="primary" disabled={busy || disabled} />
        </footer>
      </form>
    </Modal>
  );
}
