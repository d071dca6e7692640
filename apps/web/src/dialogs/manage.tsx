/** Dialogs that rename, export and delete a chat. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TextField } from '../parts/field.tsx';
import { FormModal } from '../parts/form-modal.tsx';
import { Failure, Modal } from '../parts/modal.tsx';
import { saveAs } from '../parts/save-as.ts';
import { useAction } from '../parts/use-action.ts';
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

/** Confirms and deletes a chat. */
export function Delete({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const [, go] = useLocation();
  const remove = async () => {
    // The user has confirmed that a running turn ends with its chat.
    await client.deleteChat(chat.id, { force: true });
    chats.forget(chat.id);
    go('/');
  };
  return (
    <Confirm title="Delete this chat?" action="Delete" onConfirm={remove} onClose={onClose}>
      <p>
        This permanently deletes <bdi>{chat.title ?? 'this chat'}</bdi> and files that no other chat uses.
        {chat.turn ? ' The running response stops.' : ''}
      </p>
    </Confirm>
  );
}

const FORMATS = [
  { format: 'md', name: 'Markdown', about: 'for reading' },
  { format: 'jsonl', name: 'JSON Lines', about: 'all items, for programs' },
] as const;

/** Exports a chat as a file. */
export function Export({ chat, onClose }: OfChat) {
  const { client } = useKernel();
  const { act, busy, failure } = useAction({ isShownHere: true });
  const save = async (format: 'md' | 'jsonl') => {
    await saveAs(await client.exportChat(chat.id, { format }), `${chat.title ?? 'chat'}.${format}`);
    onClose();
  };
  return (
    <Modal title="Export" onClose={onClose}>
      <div className="body stack">
        {FORMATS.map(({ format, name, about }) => (
          <button
            key={format}
            type="button"
            className="wide"
            disabled={busy}
            onClick={() => void act(() => save(format))}
          >
            <strong>{name}</strong> <span className="hint">{about}</span>
          </button>
        ))}
        <Failure text={failure} />
      </div>
    </Modal>
  );
}
