/** Renames a chat. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import type { OfChat } from './types.ts';

export function Rename({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const [title, setTitle] = useState(chat.title ?? '');
  const rename = async () => {
    await chats.takeAnswer(client.patchChat(chat.id, { title: title.trim() || null }));
    onClose();
  };
  return (
    <FormModal title="Rename" action="Save" onSubmit={rename} onClose={onClose}>
      <label className="field">
        Title
        <input data-first value={title} onChange={event => setTitle(event.target.value)} />
      </label>
    </FormModal>
  );
}
