/** All conversations of an export, one at a time, whoever made it. */
import { basename } from 'node:path';
import { type ImportChat, isTextTooDeep, MOST_LEVELS } from '@chat-kernel/protocol';
import {
  BrokenConversation,
  type Incoming,
  type LeftOut,
  NothingToImport,
  type Pictures,
} from './base/incoming.ts';
import { fieldsOf, titleOf } from './base/values.ts';
import { chatOfChatGpt, isChatGpt } from './formats/chatgpt.ts';
import { chatOfClaude, isClaude } from './formats/claude.ts';
import { chatOfOwn } from './formats/own.ts';
import { elementsOf } from './reading/elements.ts';
import { type ExportFile, openExport } from './reading/export-files.ts';
import { linesOf } from './reading/own-lines.ts';
import { picturesIn } from './reading/pictures.ts';

/** Bytes of one conversation: what a request of the kernel may have. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads a folder, a ZIP archive, a conversations.json or our own export.
 * @throws NothingToImport where none of them is there
 */
export async function* conversationsIn(path: string): AsyncGenerator<Incoming> {
  const files = await openExport(path);
  try {
    const found = wanted(files.list);
    const pictures = picturesIn(files.list);
    let index = 0;
    for (const file of found) {
      const incoming = file.name.endsWith('.jsonl') ? ownChat(file) : foreignChats(file, pictures);
      for await (const each of incoming) yield { ...each, index: index++ };
    }
  } finally {
    files.close();
  }
}

type Read = Omit<Incoming, 'index'> & Incoming;
type Unnumbered = Read extends infer Each ? (Each extends Incoming ? Omit<Each, 'index'> : never) : never;

/** The files with conversations, in their order. A single file is taken by whatever name it has. */
function wanted(files: readonly ExportFile[]): ExportFile[] {
  const [only] = files;
  if (files.length === 1 && only) return [only];
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const named = sorted.filter(({ name }) => /^conversations(-\d+)?\.json$/.test(basename(name)));
  const own = sorted.filter(({ name }) => name.endsWith('.jsonl'));
  if (named.length + own.length > 0) return [...named, ...own];
  throw new NothingToImport(
    'no conversations.json (of ChatGPT or Claude) and no .jsonl (an export of this program) is in it',
  );
}

async function* ownChat(file: ExportFile): AsyncGenerator<Unnumbered> {
  let title: string | null = basename(file.name);
  yield await settled(
    () => title,
    file.size,
    async leftOut => {
      const lines = await linesOf(file, MOST_BYTES);
      title = titleOf(fieldsOf(lines[0]).title) ?? title;
      return chatOfOwn(lines, leftOut);
    },
  );
}

async function* foreignChats(file: ExportFile, pictures: () => Pictures): AsyncGenerator<Unnumbered> {
  for await (const element of elementsOf(await file.bytes(), MOST_BYTES)) {
    let title: string | null = null;
    yield await settled(
      () => title,
      element?.length ?? 0,
      async leftOut => {
        if (element === undefined) throw new BrokenConversation(`it has more than ${MOST_BYTES} bytes`);
        const value = parsed(element);
        title = titleOf(fieldsOf(value).title ?? fieldsOf(value).name);
        if (isChatGpt(value)) return await chatOfChatGpt(value, leftOut, pictures());
        if (isClaude(value)) return chatOfClaude(value, leftOut);
        throw new BrokenConversation(
          'it has neither a mapping, as ChatGPT writes, nor chat_messages, as Claude does',
        );
      },
    );
  }
}

/** What became of a conversation; only one that is broken may fail. @param size its bytes without pictures */
async function settled(
  title: () => string | null,
  size: number,
  read: (leftOut: LeftOut) => Promise<ImportChat>,
): Promise<Unnumbered> {
  const leftOut: LeftOut = new Map();
  try {
    const chat = await read(leftOut);
    if (chat.messages.length === 0 && chat.source !== 'chat-kernel') return { kind: 'empty', title: title() };
    return { kind: 'chat', title: title(), chat, leftOut, size: size + sizeOfImages(chat) };
  } catch (error) {
    if (!(error instanceof BrokenConversation)) throw error;
    return { kind: 'broken', title: title(), reason: error.message };
  }
}

/** Characters of its pictures. */
const sizeOfImages = ({ messages, branches = [] }: ImportChat): number =>
  [messages, ...branches.map(branch => branch.messages)]
    .flat()
    .flatMap(({ content }) => content)
    .reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);

function parsed(bytes: Buffer): unknown {
  if (isTextTooDeep(bytes, MOST_LEVELS))
    throw new BrokenConversation(`it is nested more than ${MOST_LEVELS} levels deep`);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new BrokenConversation('it is no JSON');
  }
}
