/** An import as the records of its chat, its messages and its forks. */
import type { ImportBranch, ImportChat, ImportMessage } from '@chat-kernel/protocol';
import { idAt } from '../base/ids.ts';
import { forkMarker } from '../chats/fork.ts';
import { newChat } from '../chats/new-chat.ts';
import type { ChatFork, ChatRecord, NewImport, NewMessage } from '../ports/index.ts';
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
      ? {
          text: summary.text,
          upto_message: (messages[summary.upto] as NewMessage).id,
          created_at: summary.created_at,
        }
      : null,
  };
}

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

function messagesOf(
  chat_id: string,
  messages: readonly ImportMessage[],
  blocks: ImportedBlocks,
): NewMessage[] {
  const ids = messages.map(({ created_at }, n) => idAt(Date.parse(created_at), n));
  return messages.map(({ role, created_at, sender, status, content }, n) => ({
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
  }));
}
