/** Reads the conversation of a chat from its history. */
import type { KernelClient, Message } from '@chat-kernel/client';
import { COMPACTION_MARKER, NOTE_FACTS } from '@chat-kernel/protocol';
import {
  type CallerContext,
  GO_ON_TEXT,
  NOTHING_TOLD,
  RESULTS_TEXT,
  toldIn,
} from '../conversation/caller-context.ts';
import { type ChatEnd, type Entry, toEntries } from '../conversation/entries.ts';

interface StoredChat extends ChatEnd {
  told: CallerContext;
}

/** Messages that are read to find the end of a chat. */
const TAIL = 20;
const PAGE = 500;
/** Maximum number of pages of a chat that is read completely. */
const MAX_PAGES = 40;

/** Reads the end of a chat: only the texts of its last messages. */
export async function readTail(kernel: KernelClient, chatId: string): Promise<StoredChat> {
  return storedChat((await kernel.listMessages(chatId, { limit: TAIL })).messages);
}

/** Reads a whole chat; undefined if it is too long. */
export async function readWhole(kernel: KernelClient, chatId: string): Promise<StoredChat | undefined> {
  const pages: Message[][] = [];
  let before: string | undefined;
  while (pages.length < MAX_PAGES) {
    const page = await kernel.listMessages(chatId, { limit: PAGE, ...(before !== undefined && { before }) });
    pages.unshift(page.messages);
    if (page.next_before === null) return storedChat(pages.flat());
    before = page.next_before;
  }
  return undefined;
}

function storedChat(messages: readonly Message[]): StoredChat {
  let before: string | undefined;
  let instructions = '';
  for (const { content } of messages) {
    for (const block of content) {
      const told = block.type === 'context' ? toldIn(block.text) : undefined;
      if (told === undefined) continue;
      before ??= told.before;
      instructions = told.instructions;
    }
  }
  const told = { ...NOTHING_TOLD, ...(before !== undefined && { before }), instructions };
  const isCut = messages.findLast(({ role }) => role === 'assistant')?.status !== 'completed';
  return { told, entries: toEntries(saidBy(messages)), isCut };
}

function* saidBy(messages: readonly Message[]): Generator<Entry> {
  for (const { role, content, master } of messages) {
    if (!master || content.some(({ type }) => type === 'tool_result')) continue;
    for (const block of content) {
      if (block.type === 'text' && !isMarker(role, block.text)) yield { role, text: block.text };
    }
  }
}

/** Texts that neither the user nor the model wrote. */
const isMarker = (role: Message['role'], text: string): boolean =>
  NOTE_TEXTS.some(note => text.startsWith(note)) ||
  (role === 'user' && (STAND_INS.includes(text) || FILE.test(text)));

const STAND_INS: readonly string[] = [COMPACTION_MARKER, RESULTS_TEXT, GO_ON_TEXT];
/** The marker of an attached file. */
const FILE = /^\[file [0-9a-f-]{36}\] /;
const NOTE_TEXTS = Object.values(NOTE_FACTS).map(({ text }) => text);
