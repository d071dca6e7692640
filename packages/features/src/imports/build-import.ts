/** Builds the records of an import: its chat, messages and forks, or the new messages of a grown conversation. */
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type ChatFork,
  type ChatRecord,
  forkMarker,
  idAt,
  type NewMessage,
  newChat,
  type StoredBlock,
  slices,
  withWriter,
} from '@chat-kernel/kernel';
import type { ImportBranch, ImportChat, ImportMessage } from '@chat-kernel/protocol';
import { ImportedBlocks } from './imported-blocks.ts';
import type { ImportGrowth, NewImport } from './records.ts';

/** A new chat with all its messages, except the marker of a fork. */
interface BuiltChat {
  chat: ChatRecord;
  messages: readonly NewMessage[];
}

export async function buildImport(body: ImportChat, fingerprint: string): Promise<NewImport> {
  const blocks = new ImportedBlocks();
  const id = idAt(Date.parse(body.created_at), 0);
  const messages = await buildMessages(id, body, blocks);
  const chat = buildChat(id, body, messages);
  const made: BuiltChat[] = [{ chat, messages }];
  const forks: ChatFork[] = [];
  for (const branch of body.branches ?? []) {
    const { fork, chat, messages } = await buildFork(
      { ...branch, source: body.source },
      made[branch.of] as BuiltChat,
      blocks,
    );
    forks.push(fork);
    made.push({ chat, messages });
  }
  const { source, key, usage = [] } = body;
  const record = { source, key, fingerprint, chat_id: id };
  return { record, chat, messages, spend: usage, images: blocks.images, forks };
}

/** Characters of base64 from which other work can run before an image. */
const LARGE_IMAGE = 1_000_000;

/** @param known the ids of the messages that the chat has */
export async function buildAppend(
  body: ImportChat,
  chat: ChatRecord,
  known: readonly string[],
): Promise<Pick<ImportGrowth, 'changes' | 'messages' | 'images'>> {
  const blocks = new ImportedBlocks();
  const messages = await buildMessages(chat.id, body, blocks, known);
  const ids = [...known, ...messages.map(({ id }) => id)];
  const last = messages.at(-1)?.created_at ?? chat.last_message_at;
  const { updated_at, last_message_at = last, summary } = body;
  const changes = {
    updated_at: updated_at ?? last ?? chat.updated_at,
    last_message_at,
    ...(summary && { summary: buildSummary(summary, ids) }),
  };
  return { changes, messages, images: blocks.images };
}

function buildChat(id: string, body: ImportChat, messages: readonly NewMessage[]): ChatRecord {
  const { created_at, summary } = body;
  const last = messages.at(-1)?.created_at ?? null;
  return {
    ...newChat(body, { now: created_at, home: null }),
    id,
    updated_at: body.updated_at ?? last ?? created_at,
    last_message_at: body.last_message_at === undefined ? last : body.last_message_at,
    summary: summary
      ? buildSummary(
          summary,
          messages.map(({ id }) => id),
        )
      : null,
  };
}

const buildSummary = (
  { text, upto, created_at }: NonNullable<ImportChat['summary']>,
  ids: readonly string[],
) => ({ text, upto_message: ids[upto] as string, created_at });

async function buildFork(
  { source, before, messages: own }: ImportBranch & Pick<ImportChat, 'source'>,
  parent: BuiltChat,
  blocks: ImportedBlocks,
): Promise<BuiltChat & { fork: ChatFork }> {
  const [first] = own as [ImportMessage];
  const cut = (parent.messages[before] as NewMessage).id;
  const id = idAt(Date.parse(first.created_at), 0);
  const messages = await buildMessages(id, { source, messages: own }, blocks);
  const chat: ChatRecord = {
    ...parent.chat,
    id,
    created_at: first.created_at,
    updated_at: own.at(-1)?.created_at as string,
    last_message_at: own.at(-1)?.created_at as string,
    forked_from: parent.chat.id,
    forked_at_message: cut,
    // The branch does not contain what was compacted after the cut; the model reads its messages instead.
    summary: null,
  };
  // The marker of a fork precedes its messages.
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

/** Creates the ids of copies, with the times of the originals. */
function newIds(copied: readonly NewMessage[]): () => string {
  let n = 0;
  return () => idAt(Date.parse(copied[n]?.created_at as string), n++);
}

/** @param known the ids of the existing messages, from the first on */
async function buildMessages(
  chat_id: string,
  { source, messages }: Pick<ImportChat, 'messages' | 'source'>,
  blocks: ImportedBlocks,
  known: readonly string[] = [],
): Promise<NewMessage[]> {
  const ids = [...known];
  for await (const slice of slices(messages.slice(known.length)))
    for (const { created_at } of slice) ids.push(idAt(Date.parse(created_at), ids.length));
  const made: NewMessage[] = [];
  for await (const slice of slices(messages.slice(known.length))) {
    for (const { role, created_at, sender, status, content, model, usage } of slice) {
      const n = known.length + made.length;
      const stored: StoredBlock[] = [];
      for (const [at, block] of content.entries()) {
        // A large image takes some milliseconds.
        if (block.type === 'image' && block.data.length > LARGE_IMAGE) await nextTick();
        const pointer = `/messages/${n}/content/${at}`;
        stored.push(blocks.stored(block, { chat_id, created_at, role, ids, pointer, source }));
      }
      made.push({
        id: ids[n] as string,
        chat_id,
        role,
        turn_id: null,
        ...(sender !== undefined && { sender }),
        content: role === 'assistant' ? withWriter(stored, { model, usage }) : stored,
        created_at,
        status,
      });
    }
  }
  return made;
}
