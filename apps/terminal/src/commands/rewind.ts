/** /rewind: deletes messages, and optionally reverts the files that the model has written since. */
import {
  type Chat,
  type Item,
  KernelApiError,
  type RewoundFiles,
  type UndoneFile,
} from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import type { ChatSession } from '../session/session.ts';
import { findMessageText, readMessages } from './chats.ts';
import { type ChatCommand, requireChat } from './command.ts';

export const rewind: ChatCommand = {
  name: 'rewind',
  description: 'rewind to an earlier message; optionally revert files',
  async run(session) {
    const chat = requireChat(session);
    const entries = await readMessages(session);
    const confirm = () => 'Permanently delete this message and everything after it?';
    session.panels.pick(
      { title: 'Rewind to before …', entries, confirm, empty: 'no messages yet' },
      async ({ id }) => {
        const { files } = await preview(session, chat, id);
        if (files.some(isWritten)) askAboutFiles(session, chat, id, files);
        else await goBack(session, chat, id, false);
      },
    );
  },
};

/** Previews what happens to the files. Empty if the kernel is too old to revert files. */
async function preview(session: ChatSession, chat: Chat, id: string): Promise<Pick<RewoundFiles, 'files'>> {
  const client_id = session.chats.handsFor(chat.id);
  try {
    return await session.client.rewindFiles(chat.id, id, {
      files: 'preview',
      ...(client_id && { client_id }),
    });
  } catch (error) {
    if (error instanceof KernelApiError && error.status === 404) return { files: [] };
    throw error;
  }
}

/** Offers to rewind with or without the files, and lists them. Reverting needs files that are unchanged since. */
function askAboutFiles(session: ChatSession, chat: Chat, id: string, files: readonly UndoneFile[]): void {
  const free = files.every(({ changed_since, error, action }) => {
    return !changed_since && (error === undefined || action === 'not_kept');
  });
  const entries = [
    ...(free
      ? [{ id: 'with', label: `Rewind and revert ${counted(files.filter(isWritten).length, 'file')}` }]
      : []),
    { id: 'without', label: 'Rewind and keep all files' },
    ...files.map((file, index) => ({ id: `file ${index}`, label: file.path, detail: becomes(file) })),
  ];
  session.panels.pick({ title: free ? 'Files' : "Files: can't revert", entries }, async entry => {
    if (entry.id === 'with' || entry.id === 'without') await goBack(session, chat, id, entry.id === 'with');
    else askAboutFiles(session, chat, id, files);
  });
}

async function goBack(session: ChatSession, chat: Chat, id: string, withFiles: boolean): Promise<void> {
  const text = findMessageText(session, id);
  const planned = makesPlan(session.store.get().snapshot.items, id);
  const { not_undone } = withFiles
    ? await restored(session, chat, id)
    : await session.client.rewindFiles(chat.id, id);
  // The plan is not part of the history, so the rewind does not delete it.
  if (planned) await session.client.erasePlan(chat.id);
  session.open(chat, 'again');
  session.input.replace(text);
  const left = not_undone.map(({ tool, summary }) => `${tool} ${summary}`).join(', ');
  session.notices.notify(
    left === '' ? 'Rewound.' : `Rewound; ${counted(not_undone.length, 'step')} not undone: ${left}`,
  );
}

function restored(session: ChatSession, chat: Chat, id: string): Promise<RewoundFiles> {
  const client_id = session.chats.handsFor(chat.id);
  const body = { files: 'restore', ...(client_id && { client_id }) } as const;
  return session.chats.undoing(chat.id, () => session.client.rewindFiles(chat.id, id, body));
}

const isWritten = ({ action }: UndoneFile): boolean => action === 'restore' || action === 'delete';

function becomes({ action, changed_since, error }: UndoneFile): string {
  if (changed_since) return 'changed since then';
  if (error !== undefined) return error;
  return { restore: 'restored', delete: 'deleted', unchanged: 'unchanged', not_kept: 'no earlier version' }[
    action
  ];
}

/** Whether a plan was written after a message. */
function makesPlan(items: readonly Item[], messageId: string): boolean {
  const from = items.findIndex(item => item.kind === 'user_message' && item.message_id === messageId);
  return from >= 0 && items.slice(from).some(item => item.kind === 'tool_call' && item.name === 'plan');
}
