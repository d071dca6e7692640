/** Edits the notebook of a chat. */
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { Modal } from '../parts/modal.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import type { OfChat } from './types.ts';

export function Notebook({ chat, onClose }: OfChat) {
  const { client, notices } = useKernel();
  const { act, busy, failure } = useAction({ isShownHere: true });
  const { value, error } = useLoaded(() => client.getNotebook(chat.id), chat.id);
  const [text, setText] = useState<string | null>(null);
  const save = async () => {
    await client.setNotebook(chat.id, { text: text ?? value?.text ?? '' });
    notices.say('Notebook saved.');
    onClose();
  };
  return (
    <Modal title="Notebook" onClose={onClose} wide>
      <div className="body">
        <p className="hint">
          The model can read and edit this.
          {value?.updated_at ? ` Last edited ${wholeTime(value.updated_at)}.` : ' Empty so far.'}
        </p>
        {error ? <p className="error">{error}</p> : null}
        <textarea
          className="page"
          aria-label="Notebook text"
          disabled={value === null}
          value={text ?? value?.text ?? ''}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <Failure text={failure} />
      <footer>
        <Button label="Cancel" onClick={onClose} />
        <Button
          label="Save"
          className="primary"
          disabled={busy || value === null}
          onClick={() => void act(save)}
        />
      </footer>
    </Modal>
  );
}
