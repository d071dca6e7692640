/** Edits the notebook of a chat. */
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import type { OfChat } from './types.ts';

export function Notebook({ chat, onClose }: OfChat) {
  const { client, notices } = useKernel();
  const { value, error } = useLoaded(() => client.getNotebook(chat.id), chat.id);
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? value?.text ?? '';
  const save = async () => {
    await client.setNotebook(chat.id, { text: shown });
    notices.say('Notebook saved.');
    onClose();
  };
  return (
    <FormModal
      title="Notebook"
      action="Save"
      onSubmit={save}
      onClose={onClose}
      disabled={value === null}
      wide
    >
      <p className="hint">
        The model can read and edit this.
        {value?.updated_at ? ` Last edited ${wholeTime(value.updated_at)}.` : ' Empty so far.'}
      </p>
      {error ? <p className="error">{error}</p> : null}
      <textarea
        className="page"
        aria-label="Notebook text"
        disabled={value === null}
        value={shown}
        onChange={event => setText(event.target.value)}
      />
    </FormModal>
  );
}
