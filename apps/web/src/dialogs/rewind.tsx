/** Going back to an item for good, after a look at what goes. */
import type { Schema } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { counted } from '../base/amounts.ts';
import { wordsOf } from '../items/item-words.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Exact } from '../parts/exact.tsx';
import { Modal } from '../parts/modal.tsx';
import { cutAt } from './cut.ts';
import { type FileBack, FilesBack, filesBack } from './files-back.tsx';
import type { OfItem } from './types.ts';

export function Rewind({ chat, item, items, view, draft, onClose }: OfItem) {
  const { client } = useKernel();
  const [done, setDone] = useState<Done | null>(null);
  const [files, setFiles] = useState<readonly FileBack[]>([]);
  const [withFiles, setWithFiles] = useState(false);
  const [{ before, gone, words }] = useState(() => cutAt(item, items));
  useEffect(() => {
    // What goes wrong with the look, such as no network, the rewind itself says.
    if (before !== null) void filesBack(client, chat.id, before).then(setFiles, () => {});
  }, [client, chat.id, before]);
  const rewind = async () => {
    if (before === null) return;
    const answer = withFiles
      ? await client.rewindFiles(chat.id, before, { files: 'restore' })
      : await client.rewind(chat.id, before);
    if (words) draft.restore(words);
    await view.refresh();
    if (answer.not_undone.length > 0) setDone({ deleted: 0, ...answer });
    else onClose();
  };
  if (done) return <NotUndone done={done} onClose={onClose} />;
  return (
    <Confirm
      title="Rewind to here"
      action="Rewind"
      onConfirm={rewind}
      onClose={() => done === null && onClose()}
    >
      {gone.length === 0 ? (
        <p>Nothing stands behind this.</p>
      ) : (
        <>
          <p>
            {counted(gone.length, 'item')} {gone.length === 1 ? 'goes' : 'go'} for good. What tools did
            outside of the chat is not undone.
          </p>
          <ul className="gone">
            {gone.slice(0, 30).map(each => (
              <li key={each.id}>
                <strong>{wordsOf(each).name}</strong> <Exact text={wordsOf(each).gist(each)} />
              </li>
            ))}
          </ul>
          {gone.length > 30 ? <p className="hint">and {counted(gone.length - 30, 'more')}</p> : null}
          <FilesBack files={files} checked={withFiles} onChange={setWithFiles} />
        </>
      )}
    </Confirm>
  );
}

type Done = Pick<Schema<'RewoundMessages'>, 'deleted' | 'not_undone'>;

function NotUndone({ done, onClose }: { done: Done; onClose(): void }) {
  return (
    <Modal title="Rewound" onClose={onClose}>
      <div className="body">
        <p>{counted(done.deleted, 'message')} went. What these tools did is still done:</p>
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
