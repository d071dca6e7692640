/** Lists the files that a rewind can revert, with a checkbox. */
import { KernelApiError, type KernelClient, type UndoneFile } from '@chat-kernel/client';
import { counted } from '../base/amounts.ts';
import { Exact } from '../parts/exact.tsx';

export type RevertibleFile = UndoneFile;

/** Returns what a rewind would do with each file. Empty on an API error: the rewind itself then reports it. */
export async function previewRevert(
  client: KernelClient,
  chatId: string,
  before: string,
): Promise<RevertibleFile[]> {
  try {
    return (await client.rewindFiles(chatId, before, { files: 'preview' })).files;
  } catch (error) {
    if (error instanceof KernelApiError) return [];
    throw error;
  }
}

interface FilesBackProps {
  files: readonly RevertibleFile[];
  checked: boolean;
  onChange(checked: boolean): void;
}

export function RevertFiles({ files, checked, onChange }: FilesBackProps) {
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

function describeOutcome({ action, changed_since, error }: RevertibleFile): string {
  if (changed_since) return 'Modified since:';
  if (error !== undefined) return error;
  return {
    restore: 'Restore:',
    delete: 'Delete:',
    unchanged: 'Unchanged:',
    not_kept: "Can't revert:",
  }[action];
}
