/** A question before something that cannot be undone. */
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Modal } from './modal.tsx';
import { useAct } from './use-act.ts';

interface ConfirmProps {
  title: string;
  /** The word on the button that does it. */
  action: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}

export function Confirm({ title, action, onConfirm, onClose, children }: ConfirmProps) {
  const { act, busy, failure } = useAct({ isShownHere: true });
  const confirm = () => void act(onConfirm).then(done => done && onClose());
  return (
    <Modal title={title} onClose={onClose}>
      <div className="body">{children}</div>
      <Failure text={failure} />
      <footer>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="danger" disabled={busy} onClick={confirm}>
          {action}
        </button>
      </footer>
    </Modal>
  );
}
