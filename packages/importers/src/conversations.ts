/** Reads all conversations of an export, one at a time, in any supported format. */
import { basename } from 'node:path';
import { type ImportChat, MAX_LEVELS, NestingMeter } from '@chat-kernel/protocol';
import {
  BrokenConversation,
  type Incoming,
  type LeftOut,
  NothingToImport,
  type Pictures,
} from './base/incoming.ts';
import { IMPORT_LIMITS, type ImportLimits } from './base/limits.ts';
import { toFields, toTitle } from './base/values.ts';
import { chatOfOwn } from './formats/chat-kernel.ts';
import { chatOfChatGpt, isChatGpt } from './formats/chatgpt.ts';
import { chatOfClaude, isClaude } from './formats/claude.ts';
import { readElements } from './reading/elements.ts';
import { type ExportFile, openExport } from './reading/export-files.ts';
import { parseBounded } from './reading/parse-bounded.ts';
import { picturesIn } from './reading/pictures.ts';
import { readJsonLines } from './reading/read-json-lines.ts';

/**
 * Reads a folder, a ZIP archive, a conversations.json or an export of Chat Kernel.
 * @throws NothingToImport if the path is not one of these, or exceeds a limit
 */
export async function* conversationsIn(
  path: string,
  limits: ImportLimits = IMPORT_LIMITS,
): AsyncGenerator<Incoming> {
  const files = await openExport(path, limits);
  try {
    const found = wanted(files.list);
    const pictures = picturesIn(files.list);
    let index = 0;
    for (const file of found) {
      const incoming = file.name.endsWith('.jsonl')
        ? ownChat(file, limits)
        : foreignChats(file, pictures, limits);
      for await (const each of incoming) {
        if (index >= limits.conversations)
          throw new NothingToImport(`it holds more than ${limits.conversations} conversations`);
        yield { ...each, index: index++ };
      }
    }
  } finally {
    files.close();
  }
}

type Read = Omit<Incoming, 'index'> & Incoming;
type Unnumbered = Read extends infer Each ? (Each extends Incoming ? Omit<Each, 'index'> : never) : never;

/** The files with conversations, in their order. A single file may have any name. */
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

async function* ownChat(file: ExportFile, limits: ImportLimits): AsyncGenerator<Unnumbered> {
  let title: string | null = basename(file.name);
  yield await settled(
    () => title,
    file.size,
    async leftOut => {
      const lines = await readJsonLines(file, limits);
      title = toTitle(toFields(lines[0]).title) ?? title;
      return chatOfOwn(lines, leftOut);
    },
  );
}

async function* foreignChats(
  file: ExportFile,
  pictures: () => Pictures,
  limits: ImportLimits,
): AsyncGenerator<Unnumbered> {
  const most = limits.conversation_bytes;
  for await (const element of readElements(await file.bytes(), most)) {
    let title: string | null = null;
    yield await settled(
      () => title,
      element?.length ?? 0,
      async leftOut => {
        if (element === undefined) throw new BrokenConversation(`it has more than ${most} bytes`);
        const value = parsed(element, limits);
        title = toTitle(toFields(value).title ?? toFields(value).name);
        if (isChatGpt(value)) return await chatOfChatGpt(value, leftOut, pictures());
        if (isClaude(value)) return chatOfClaude(value, leftOut);
        throw new BrokenConversation(
          'it has neither a mapping, as ChatGPT writes, nor chat_messages, as Claude does',
        );
      },
    );
  }
}

/** Converts a conversation; only a broken conversation may fail. @param size its bytes without pictures */
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

function parsed(bytes: Buffer, { values }: ImportLimits): unknown {
  return parseBounded(bytes, { meter: new NestingMeter(MAX_LEVELS), values, name: 'it' });
}
