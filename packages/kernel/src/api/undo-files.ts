/** Restores files to their state before the edits after a message, or previews that (UNDO-2). */
import type { RewoundFiles } from '@chat-kernel/protocol';
import { listOutsideEffects } from '../chats/rewind.ts';
import type { ChatRecord, StoredMessage } from '../ports/index.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { editsAfter, previewFiles, restoreFiles } from '../undo/file-undo.ts';

/**
 * @param client_id the calling client, which is asked about edits on clients
 * @param gone aborted when the caller has disconnected
 * @throws KernelError files_changed, files_stuck
 */
export async function undoFiles(
  mode: 'preview' | 'restore',
  {
    chat,
    from,
    client_id,
    gone,
  }: {
    chat: ChatRecord;
    from: StoredMessage;
    client_id: string | undefined;
    gone: AbortSignal | undefined;
  },
  { store, requests, machines, toolbox }: Pick<TurnServices, 'machines' | 'requests' | 'store' | 'toolbox'>,
): Promise<Pick<RewoundFiles, 'files' | 'not_undone'>> {
  const { standby, grants, undo } = machines;
  const { messages, edits } = await editsAfter(from, { store, undo });
  const work = mode === 'preview' ? previewFiles : restoreFiles;
  const { files, calls } = await work(
    { chat, edits, client_id, gone },
    { requests, machines: standby, grants, undo },
  );
  return { files, not_undone: listOutsideEffects(messages, toolbox, calls) };
}
