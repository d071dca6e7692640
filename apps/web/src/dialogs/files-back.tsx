/** The files that a rewind could put back, with the box that says so. */
import { KernelApiError, type KernelClient, type Schema } from '@chat-kernel/client';
import { counted } from '../base/amounts.ts';
import { Exact } from '../parts/exact.tsx';

export type FileBack = Schema<'UndoneFile'>;

/** What becomes of files; none where the kernel is an older one, or has something to say that the rewind says itself. */
export async function filesBack(client: KernelClient, chatId: string, before: string): Promise<FileBack[]> {
  try {
    return (await client.rewindFiles(chatId, before, { files: 'preview' })).files;
  } catch (error) {
    if (error instanceof KernelApiError) return [];
    throw error;
  }
}

interface FilesBackProps {
  files: readonly FileBack[];
  checked: boolean;
  onChange(checked: boolean): void;
}

export function FilesBack({ files, checked, onChange }: FilesBackProps) {
  const written = files.filter(({ action }) => action === 'restore' || action === 'delete');
  if (files.length === 0) return null;
  const stuck = written.some(({ changed_since, error }) => changed_since || error !== undefined);
  return (
    <fieldset className="field">
      <legend>Files that tools have written</legend>
      {written.length > 0 ? (
        <label className="option">
          <input
            type="checkbox"
            checked={checked}
            disabled={stuck}
            onChange={event => onChange(event.target.checked)}
          />
          <span>
            Undo the edits of {counted(written.length, 'file')}
            {stuck ? <small>Not possible: see below.</small> : null}
          </span>
        </label>
      ) : null}
      <ul className="gone">
        {files.map(file => (
          <li key={`${file.machine} ${file.hands} ${file.path}`}>
            <strong>{becomes(file)}</strong> <Exact text={file.path} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function becomes({ action, changed_since, error }: FileBack): string {
  if (changed_since) return 'Changed since:';
  if (error !== undefined) return error;
  return {
    restore: 'As it was before:',
    delete: 'Deleted:',
    unchanged: 'Unchanged:',
    not_kept: 'Stays:',
  }[action];
}
