/** What was submitted, as a turn has it; and back into the input where it was not taken. */
import type { KernelClient, TurnRequest } from '@chat-kernel/client';
import { attach, replaceRange } from '../editor/change.ts';
import type { EditorState, Submission } from '../editor/state.ts';
import { upload } from '../machine/upload.ts';

type Image = NonNullable<TurnRequest['images']>[number];

/** Brings its files to the kernel. @throws where one can't be read, KernelApiError, BrokenLine */
export async function turnOf(client: KernelClient, { text, attachments }: Submission): Promise<TurnRequest> {
  const images = attachments
    .filter(each => each.kind === 'image')
    // The kernel looks at the bytes itself.
    .map(({ media_type, data }) => ({ media_type: media_type as Image['media_type'], data }));
  const files: { id: string }[] = [];
  for (const each of attachments) {
    if (each.kind === 'file') files.push(await upload(client, each.path));
  }
  return {
    ...(text !== '' && { text }),
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
  };
}

/** Before what was typed since. */
export function restored(state: EditorState, { text, attachments }: Submission): EditorState {
  const between = state.text === '' ? '' : '\n';
  const placed = replaceRange(state, 0, 0, text + between);
  const back = attachments.reduce(attach, { ...placed, cursor: text.length });
  return { ...back, cursor: state.text === '' ? back.text.length : back.cursor };
}
