/** Converts a submission to a turn request, and restores it to the input if the kernel rejects it. */
import type { KernelClient, OwnUploads, TurnRequest } from '@chat-kernel/client';
import { attach, replaceRange } from '../editor/change.ts';
import type { EditorState, Submission } from '../editor/state.ts';
import { upload } from '../machine/upload.ts';

type Image = NonNullable<TurnRequest['images']>[number];

/**
 * Uploads the files first.
 * @param uploads records what was uploaded @param onFile called with the name of each file before its upload
 * @throws Error if a file can't be read, KernelApiError, ConnectionError
 */
export async function buildTurnRequest(
  client: KernelClient,
  { text, attachments }: Submission,
  uploads: OwnUploads,
  onFile: (name: string) => void,
): Promise<TurnRequest> {
  const images = attachments
    .filter(each => each.kind === 'image')
    // The kernel detects the type from the bytes.
    .map(({ media_type, data }) => ({ media_type: media_type as Image['media_type'], data }));
  const files: { id: string }[] = [];
  for (const each of attachments) {
    if (each.kind !== 'file') continue;
    onFile(each.name);
    files.push(await upload(client, each.path, uploads));
  }
  return {
    ...(text !== '' && { text }),
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
  };
}

/** Inserts the submission before the text typed since. */
export function restored(state: EditorState, { text, attachments }: Submission): EditorState {
  const between = state.text === '' ? '' : '\n';
  const prepended = replaceRange(state, 0, 0, text + between);
  const back = attachments.reduce(attach, { ...prepended, cursor: text.length });
  return { ...back, cursor: state.text === '' ? back.text.length : back.cursor };
}
