/** Rewinds a chat to an item after showing what leaves it. */
import type { RewoundMessages } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { counted } from '../base/amounts.ts';
import { findItemLabels } from '../items/item-labels.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Exact } from '../parts/exact.tsx';
import { Modal } from '../parts/modal.tsx';
import { cutAt } from './cut.ts';
import { previewRevert, RevertFiles, type RevertibleFile } from './files-back.tsx';
import type { OfItem } from './types.ts';

export function Rewind({ chat, item, items, view, draft, onClose }: OfItem) {
  const { client } = useKernel();
  const [done, setDone] = useState<Done | null>(null);
  const [files, setFiles] = useState<readonly RevertibleFile[]>([]);
  const [withFiles, setWithFiles] = useState(false);
  const [{ before, gone, words }] = useState(() => cutAt(item, items));
  useEffect(() => {
    // The rewind reports its own errors, so the preview can fail silently.
    if (before !== null) void previewRevert(client, chat.id, before).then(setFiles, () => {});
  }, [client, chat.id, before]);
  const rewind = async () => {
    if (before === null) return 'done';
    const answer = await client.rewindFiles(chat.id, before, withFiles ? { files: 'restore' } : {});
    if (words) draft.restore(words);
    await view.refresh();
    if (answer.not_undone.length === 0) return 'done';
    setDone({ deleted: 0, ...answer });
    return 'stay';
  };
  if (done) return <NotUndone done={done} onClose={onClose} />;
  return (
    <Confirm title="Rewind to here" action="Rewind" onConfirm={rewind} onClose={onClose}>
      {gone.length === 0 ? (
        <p>Nothing after this message.</p>
      ) : (
        <>
          <p>
            {counted(gone.length, 'item')} will leave the chat. Your next message gets arrows that lead back
            to them. Tool side effects are not undone.
          </p>
          <ul className="gone">
            {gone.slice(0, 30).map(each => (
              <li key={each.id}>
                <strong>{findItemLabels(each).name}</strong> <Exact text={findItemLabels(each).gist(each)} />
              </li>
            ))}
          </ul>
          {gone.length > 30 ? <p className="hint">and {counted(gone.length - 30, 'more item')}</p> : null}
          <RevertFiles files={files} checked={withFiles} onChange={setWithFiles} />
        </>
      )}
    </Confirm>
  );
}

type Done = Pick<RewoundMessages, 'not_undone'> & { deleted: number };

function NotUndone({ done, onClose }: { done: Done; onClose(): void }) {
  return (
    <Modal title="Rewind complete" onClose={onClose}>
      <div className="body">
        <p>{counted(done.deleted, 'message')} removed. These side effects remain:</p>
        <ul className="gone">
          {done.not_undone.map(({ tool, summary }) => (
            <li key={`${tool} ${summary}`}>
              <strong>{tool}</strong> <Exact text={summary} />
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  );
}
