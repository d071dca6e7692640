/** Dialogs for the texts of a chat that the model reads: its summary and its notebook. */
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import { Modal } from '../parts/modal.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import type { OfChat } from './types.ts';

/** Shows the summary of a compacted chat, to edit or discard. */
export function Summary({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const [text, setText] = useState(chat.summary?.text ?? '');
  const save = async (summary: { text: string } | null) => {
    await chats.takeAnswer(client.patchChat(chat.id, { summary }));
    onClose();
  };
  const { summary } = chat;
  if (!summary) {
    return (
      <Modal title="Summary" onClose={onClose}>
        <div className="body">
          <p>Not compacted yet. The model sees the whole chat.</p>
        </div>
      </Modal>
    );
  }
  return (
    <FormModal
      title="Summary"
      action="Save"
      onSubmit={() => save({ text })}
      onClose={onClose}
      disabled={!text.trim()}
      other={{ label: 'Discard summary', run: () => save(null) }}
      wide
    >
      <p className="hint">
        Created {wholeTime(summary.created_at)}. The model reads this instead of the older messages. You still
        see them all.
      </p>
      <textarea
        className="page"
        aria-label="Summary text"
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </FormModal>
  );
}

/** Edits the notebook of a chat. */
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
