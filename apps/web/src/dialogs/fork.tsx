/** A branch of the chat that begins with what stands before an item. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { chatPath } from '../base/place.ts';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import { Modal } from '../parts/modal.tsx';
import { useAct } from '../parts/use-act.ts';
import { cutAt } from './cut.ts';
import type { OfItem } from './types.ts';

export function Fork({ chat, item, items, onClose }: OfItem) {
  const { client, chats } = useKernel();
  const [, go] = useLocation();
  const { act, busy } = useAct();
  const [title, setTitle] = useState(chat.title ? `${chat.title} (branch)` : '');
  const { before, words } = cutAt(item, items);
  const fork = async () => {
    if (before === null) return;
    const branch = await client.forkChat(chat.id, { before_message: before, ...(title && { title }) });
    chats.take(branch);
    if (words) new Draft(branch.id).restore(words);
    onClose();
    go(chatPath(branch.id));
  };
  return (
    <Modal title="Fork from here" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void act(fork);
        }}
      >
        <div className="body">
          <p>
            {before === null
              ? 'This is the end of the chat: write on in it, or fork at an earlier message.'
              : 'A new chat gets everything up to here. This one stays as it is.'}
          </p>
          <label className="field">
            Title
            <input
              value={title}
              placeholder="A model finds one"
              onChange={event => setTitle(event.target.value)}
            />
          </label>
        </div>
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={busy || before === null}>
            Fork
          </button>
        </footer>
      </form>
    </Modal>
  );
}
