/** Asks for confirmation before an irreversible action. */
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Failure, Modal } from './modal.tsx';
import { useAction } from './use-action.ts';

interface ConfirmProps {
  title: string;
  /** The label of the confirm button. */
  action: string;
  /** Resolves with `stay` if the dialog shows more. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}

export function Confirm({ title, action, onConfirm, onClose, children }: ConfirmProps) {
  const { act, busy, failure } = useAction({ isShownHere: true });
  const confirm = () => {
    let stays = false;
    const run = async () => {
      stays = (await onConfirm()) === 'stay';
    };
    void act(run).then(done => done && !stays && onClose());
  };
  return (
    <Modal title={title} onClose={onClose}>
      <div className="body">{children}</div>
      <Failure text={failure} />
      <footer>
        <Button label="Cancel" onClick={onClose} />
        <Button label={action} className="danger" disabled={busy} onClick={confirm} />
      </footer>
    </Modal>
  );
}

/** A button that asks for confirmation. */
export function ConfirmButton({ label, ...confirm }: Omit<ConfirmProps, 'onClose'> & { label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button label={label} className="danger" onClick={() => setOpen(true)} />
      {isOpen ? <Confirm {...confirm} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
