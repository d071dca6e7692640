/** Rewinds or forks a chat at an item, after showing what leaves it. */
import {
  type Item,
  KernelApiError,
  type KernelClient,
  type RewoundMessages,
  type UndoneFile,
} from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { Draft } from '../composer/draft.ts';
import { findItemLabels } from '../items/item-labels.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Exact } from '../parts/exact.tsx';
import { TextField } from '../parts/field.tsx';
import { FormModal } from '../parts/form-modal.tsx';
import { Modal } from '../parts/modal.tsx';
import { findMessageId } from '../rows/rows.ts';
import type { OfItem } from './types.ts';

export function Rewind({ chat, item, items, view, draft, onClose }: OfItem) {
  const { client } = useKernel();
  const [done, setDone] = useState<Done | null>(null);
  const [files, setFiles] = useState<readonly UndoneFile[]>([]);
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

/** Returns what a rewind would do with each file. Empty on an API error: the rewind itself then reports it. */
async function previewRevert(client: KernelClient, chatId: string, before: string): Promise<UndoneFile[]> {
  try {
    return (await client.rewindFiles(chatId, before, { files: 'preview' })).files;
  } catch (error) {
    if (error instanceof KernelApiError) return [];
    throw error;
  }
}

interface RevertFilesProps {
  files: readonly UndoneFile[];
  checked: boolean;
  onChange(checked: boolean): void;
}

/** Lists the files that a rewind can revert, with a checkbox. */
function RevertFiles({ files, checked, onChange }: RevertFilesProps) {
  const written = files.filter(({ action }) => action === 'restore' || action === 'delete');
  if (files.length === 0) return null;
  const isBlocked = written.some(({ changed_since, error }) => changed_since || error !== undefined);
  return (
    <fieldset className="field">
      <legend>Files changed by tools</legend>
      {written.length > 0 ? (
        <label className="option">
          <input
            type="checkbox"
            checked={checked}
            disabled={isBlocked}
            onChange={event => onChange(event.target.checked)}
          />
          <span>
            Revert {counted(written.length, 'file')}
            {isBlocked ? <small>Can't revert. See below.</small> : null}
          </span>
        </label>
      ) : null}
      <ul className="gone">
        {files.map(file => (
          <li key={`${file.machine} ${file.hands} ${file.path}`}>
            <strong>{describeOutcome(file)}</strong> <Exact text={file.path} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function describeOutcome({ action, changed_since, error }: UndoneFile): string {
  if (changed_since) return 'Modified since:';
  if (error !== undefined) return error;
  return {
    restore: 'Restore:',
    delete: 'Delete:',
    unchanged: 'Unchanged:',
    not_kept: "Can't revert:",
  }[action];
}

interface Cut {
  /** The first message that is deleted, or not copied to the fork. Null: no message follows the item. */
  before: string | null;
  /** The items that are removed, as far as this page has loaded them. */
  gone: readonly Item[];
  /** The text of a removed user message, to edit and send again. */
  words: string;
}

/** The cut is before a user message, and after the message of any other item. */
function cutAt(item: Item, items: readonly Item[]): Cut {
  const at = items.findIndex(({ id }) => id === item.id);
  const own = findMessageId(item);
  const isOwn = item.kind === 'user_message';
  const from = isOwn ? at : items.findIndex((other, index) => index > at && findMessageId(other) !== own);
  const first = from < 0 ? undefined : items[from];
  return {
    before: first ? findMessageId(first) : null,
    gone: from < 0 ? [] : items.slice(from),
    words: isOwn ? item.text : '',
  };
}

/** Forks a chat at an item. */
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
