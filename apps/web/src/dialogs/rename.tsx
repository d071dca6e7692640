/** Another title for a chat. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';
import { Modal } from '../parts/modal.tsx';
import { useAct } from '../parts/use-act.ts';
import type { OfChat } from './types.ts';

export function Rename({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const { act, busy } = useAct();
  const [title, setTitle] = useState(chat.title ?? '');
  const rename = async () => {
    chats.take(await client.patchChat(chat.id, { title: title.trim() || null }));
    onClose();
  };
  return (
    <Modal title="Rename" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void act(rename);
        }}
      >
        <div className="body">
          <label className="field">
            Title
            <input data-first value={title} onChange={event => setTitle(event.target.value)} />
          </label>
        </div>
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={busy}>
            Save
          </button>
        </footer>
      </form>
    </Modal>
  );
}
