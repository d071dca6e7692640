/** Renames a chat. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { TextField } from '../parts/field.tsx';
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
      <TextField label="Title" data-first value={title} onChange={setTitle} />
    </FormModal>
  );
}
