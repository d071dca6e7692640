/** An import as the records of its chat, its messages and its forks; and of one that has grown, what came. */
import type { ImportBranch, ImportChat, ImportMessage } from '@chat-kernel/protocol';
import { idAt } from '../base/ids.ts';
import { forkMarker } from '../chats/fork.ts';
import { newChat } from '../chats/new-chat.ts';
import type { ChatFork, ChatRecord, ImportGrowth, NewImport, NewMessage } from '../ports/index.ts';
import { ImportedBlocks } from './imported-blocks.ts';

/** A chat that is made, and all of its messages but the marker of a fork. */
interface Made {
  chat: ChatRecord;
  messages: readonly NewMessage[];
}

export function importOf(body: ImportChat, fingerprint: string): NewImport {
  const blocks = new ImportedBlocks();
  const id = idAt(Date.parse(body.created_at), 0);
  const messages = messagesOf(id, body.messages, blocks);
  const chat = chatOf(id, body, messages);
  const made: Made[] = [{ chat, messages }];
  const forks: ChatFork[] = [];
  for (const branch of body.branches ?? []) {
    const { fork, chat, messages } = forkOf(branch, made[branch.of] as Made, blocks);
    forks.push(fork);
    made.push({ chat, messages });
  }
  const { source, key, usage = [] } = body;
  const record = { source, key, fingerprint, chat_id: id };
  return { record, chat, messages, spend: usage, images: blocks.images, forks };
}

/** @param known the ids of the messages that the chat has */
export function growthOf(
  body: ImportChat,
  chat: ChatRecord,
  known: readonly string[],
): Pick<ImportGrowth, 'changes' | 'messages' | 'images'> {
  const blocks = new ImportedBlocks();
  const messages = messagesOf(chat.id, body.messages, blocks, known);
  const ids = [...known, ...messages.map(({ id }) => id)];
  const last = messages.at(-1)?.created_at ?? chat.last_message_at;
  const { updated_at, last_message_at = last, summary } = body;
  const changes = {
    updated_at: updated_at ?? last ?? chat.updated_at,
    last_message_at,
    ...(summary && { summary: summaryOf(summary, ids) }),
  };
  return { changes, messages, images: blocks.images };
}

function chatOf(id: string, body: ImportChat, messages: readonly NewMessage[]): ChatRecord {
  const { title, created_at, shelf, project, effort, consent, compaction, toolset, summary } = body;
  const last = messages.at(-1)?.created_at ?? null;
  const set = { title, shelf, project, effort, consent, compaction, toolset };
  return {
    ...newChat(set, { now: created_at, home: null }),
    id,
    updated_at: body.updated_at ?? last ?? created_at,
    last_message_at: body.last_message_at === undefined ? last : body.last_message_at,
    summary: summary
      ? summaryOf(
          summary,
          messages.map(({ id }) => id),
        )
      : null,
  };
}

const summaryOf = (
  { text, upto, created_at }: NonNullable<ImportChat['summary']>,
  ids: readonly string[],
) => ({ text, upto_message: ids[upto] as string, created_at });

function forkOf(
  { before, messages: own }: ImportBranch,
  parent: Made,
  blocks: ImportedBlocks,
): Made & { fork: ChatFork } {
  const [first] = own as [ImportMessage];
  const cut = (parent.messages[before] as NewMessage).id;
  const id = idAt(Date.parse(first.created_at), 0);
  const messages = messagesOf(id, own, blocks);
  const chat: ChatRecord = {
    ...parent.chat,
    id,
    created_at: first.created_at,
    updated_at: own.at(-1)?.created_at as string,
    last_message_at: own.at(-1)?.created_at as string,
    forked_from: parent.chat.id,
    forked_at_message: cut,
    // What was folded behind the cut is not in the branch; the model reads its messages instead.
    summary: null,
  };
  // Before the messages of a fork stands its marker.
  const from = parent.chat.forked_from === null ? 1 : 2;
  const copied = parent.messages.slice(0, before);
  return {
    chat,
    messages: [...copied, ...messages],
    fork: {
      branch: chat,
      parent_id: parent.chat.id,
      from,
      before: from + before,
      marker: forkMarker(chat, parent.chat.id, cut),
      closing: messages,
      newId: newIds(copied),
    },
  };
}

/** Makes the ids of copies: of the times of what they are copied from. */
function newIds(copied: readonly NewMessage[]): () => string {
  let n = 0;
  return () => idAt(Date.parse(copied[n]?.created_at as string), n++);
}

/** @param known the ids of those that are there already, from the first on */
function messagesOf(
  chat_id: string,
  messages: readonly ImportMessage[],
  blocks: ImportedBlocks,
  known: readonly string[] = [],
): NewMessage[] {
  const ids = messages.map(({ created_at }, n) => known[n] ?? idAt(Date.parse(created_at), n));
  return messages.slice(known.length).map(({ role, created_at, sender, status, content }, index) => {
    const n = known.length + index;
    return {
      id: ids[n] as string,
      chat_id,
      role,
      turn_id: null,
      ...(sender !== undefined && { sender }),
      content: content.map((block, at) =>
        blocks.stored(block, { chat_id, created_at, role, ids, pointer: `/messages/${n}/content/${at}` }),
      ),
      created_at,
      status,
    };
  });
}
