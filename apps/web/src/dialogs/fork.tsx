/** Forks a chat at an item. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import { TextField } from '../parts/field.tsx';
import { FormModal } from '../parts/form-modal.tsx';
import { cutAt } from './cut.ts';
import type { OfItem } from './types.ts';

export function Fork({ chat, item, items, onClose }: OfItem) {
  const { client, chats } = useKernel();
  const [, go] = useLocation();
  const [title, setTitle] = useState(chat.title ? `${chat.title} (fork)` : '');
  const { before, words } = cutAt(item, items);
  const fork = async () => {
    if (before === null) return;
    const forking = client.forkChat(chat.id, { before_message: before, ...(title && { title }) });
    const branch = await chats.takeAnswer(forking);
    if (words) new Draft(branch.id).restore(words);
    onClose();
    go(chatPath(branch.id));
  };
  return (
    <FormModal
      title="Fork from here"
      action="Fork"
      onSubmit={fork}
      onClose={onClose}
      disabled={before === null}
    >
      <p>
        {before === null
          ? 'This is the last message. Continue here, or fork from an earlier one.'
          : 'Creates a chat with everything up to this point. This chat stays as it is.'}
      </p>
      <TextField label="Title" value={title} placeholder="Generated automatically" onChange={setTitle} />
    </FormModal>
  );
}
