/** The summary that older messages were folded into: to read, to correct, or to do without. */
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Failure } from '../parts/failure.tsx';
import { Modal } from '../parts/modal.tsx';
import { useAct } from '../parts/use-act.ts';
import type { OfChat } from './types.ts';

export function Summary({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const { act, busy, failure } = useAct({ isShownHere: true });
  const [text, setText] = useState(chat.summary?.text ?? '');
  const save = async (summary: { text: string } | null) => {
    chats.take(await client.patchChat(chat.id, { summary }));
    onClose();
  };
  const { summary } = chat;
  if (!summary) {
    return (
      <Modal title="Summary" onClose={onClose}>
        <div className="body">
          <p>Nothing is folded yet: the model reads the whole chat. “Compact” folds its older part now.</p>
        </div>
      </Modal>
    );
  }
  return (
    <Modal title="Summary" onClose={onClose} wide>
      <div className="body">
        <p className="hint">
          Made {wholeTime(summary.created_at)}. The model reads this in place of the messages before; you
          still have them all.
        </p>
        <textarea
          className="page"
          aria-label="Summary text"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <Failure text={failure} />
      <footer>
        <button type="button" className="danger" disabled={busy} onClick={() => void act(() => save(null))}>
          Tell the whole history again
        </button>
        <button
          type="button"
          className="primary"
          disabled={busy || !text.trim()}
          onClick={() => void act(() => save({ text }))}
        >
          Save
        </button>
      </footer>
    </Modal>
  );
}
