/** /rewind: a step back, with the files that the model has written since or without them. */
import { type Chat, type Item, KernelApiError, type Schema } from '@chat-kernel/client';
import { messageEntries } from '../dialogs/picker-entries.ts';
import type { ChatSession } from '../session/session.ts';
import { count } from '../text/amounts.ts';
import { textOf } from './chats.ts';
import { type ChatCommand, chatOf } from './command.ts';

type Preview = Schema<'RewoundFiles'>;
type UndoneFile = Schema<'UndoneFile'>;

export const rewind: ChatCommand = {
  name: 'rewind',
  description: 'go back: delete one of your messages and all after it, and undo edits of files',
  run(session) {
    const chat = chatOf(session);
    const entries = messageEntries(session.store.get().snapshot.items, Date.now());
    const confirm = () => 'Delete this message and everything after it, for good?';
    session.panels.pick(
      { title: 'Go back to before …', entries, confirm, empty: 'there is no message' },
      async ({ id }) => {
        const { files } = await preview(session, chat, id);
        if (files.some(isWritten)) askAboutFiles(session, chat, id, files);
        else await goBack(session, chat, id, false);
      },
    );
  },
};

/** What becomes of files; nothing where the kernel is an older one. */
async function preview(session: ChatSession, chat: Chat, id: string): Promise<Pick<Preview, 'files'>> {
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

/** Offers to go back with the files, where nothing stands against it, and without; below are the files. */
function askAboutFiles(session: ChatSession, chat: Chat, id: string, files: readonly UndoneFile[]): void {
  const free = files.every(({ changed_since, error, action }) => {
    return !changed_since && (error === undefined || action === 'not_kept');
  });
  const entries = [
    ...(free
      ? [{ id: 'with', label: `Go back, and undo edits of ${count(files.filter(isWritten).length, 'file')}` }]
      : []),
    { id: 'without', label: 'Go back, and leave all files as they are' },
    ...files.map((file, index) => ({ id: `file ${index}`, label: file.path, detail: becomes(file) })),
  ];
  session.panels.pick({ title: free ? 'Files' : 'Files: they cannot be put back', entries }, async entry => {
    if (entry.id === 'with' || entry.id === 'without') await goBack(session, chat, id, entry.id === 'with');
    else askAboutFiles(session, chat, id, files);
  });
}

async function goBack(session: ChatSession, chat: Chat, id: string, withFiles: boolean): Promise<void> {
  const text = textOf(session, id);
  const planned = makesPlan(session.store.get().snapshot.items, id);
  const { not_undone } = withFiles
    ? await restored(session, chat, id)
    : await session.client.rewind(chat.id, id);
  // The plan is no history: it would stand there without the turn that made it.
  if (planned) await session.client.erasePlan(chat.id);
  session.open(chat, 'again');
  session.input.replace(text);
  const left = not_undone.map(({ tool, summary }) => `${tool} ${summary}`).join(', ');
  session.notices.notify(
    left === '' ? 'Gone back.' : `Gone back; ${count(not_undone.length, 'step')} not undone: ${left}`,
  );
}

function restored(session: ChatSession, chat: Chat, id: string): Promise<Preview> {
  const client_id = session.chats.handsFor(chat.id);
  const body = { files: 'restore', ...(client_id && { client_id }) } as const;
  return session.chats.undoing(chat.id, () => session.client.rewindFiles(chat.id, id, body));
}

const isWritten = ({ action }: UndoneFile): boolean => action === 'restore' || action === 'delete';

function becomes({ action, changed_since, error }: UndoneFile): string {
  if (changed_since) return 'changed since';
  if (error !== undefined) return error;
  return { restore: 'as it was before', delete: 'deleted', unchanged: 'unchanged', not_kept: 'stays' }[
    action
  ];
}

/** Whether a plan was written after a message. */
function makesPlan(items: readonly Item[], messageId: string): boolean {
  const from = items.findIndex(item => item.kind === 'user_message' && item.message_id === messageId);
  return from >= 0 && items.slice(from).some(item => item.kind === 'tool_call' && item.name === 'plan');
}
