/** Shows the summary of a compacted chat, to edit or discard. */
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import { Modal } from '../parts/modal.tsx';
import type { OfChat } from './types.ts';

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
