/** The conversation of a chat, as its history has it. */
import type { KernelClient, Message } from '@chat-kernel/client';
import { COMPACTION_MARKER } from '@chat-kernel/protocol';
import { type Entry, entriesOf } from '../conversation/entries.ts';
import { NOTHING_TOLD, RESULTS_TEXT, type Told, toldIn } from '../conversation/told.ts';

interface StoredChat {
  told: Told;
  entries: Entry[];
}

/** Messages that are read to see how a chat ends. */
const TAIL = 20;
const PAGE = 500;
/** Pages of the longest chat that is read whole. */
const MOST_PAGES = 40;

/** The end of a chat, the words of its last messages alone. */
export async function readTail(kernel: KernelClient, chatId: string): Promise<StoredChat> {
  return storedChat((await kernel.listMessages(chatId, { limit: TAIL })).messages);
}

/** The whole of a chat; undefined where that is too long to be read. */
export async function readWhole(kernel: KernelClient, chatId: string): Promise<StoredChat | undefined> {
  const pages: Message[][] = [];
  let before: string | undefined;
  while (pages.length < MOST_PAGES) {
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
  return { told, entries: entriesOf(saidBy(messages)) };
}

function* saidBy(messages: readonly Message[]): Generator<Entry> {
  for (const { role, content, master } of messages) {
    if (!master || content.some(({ type }) => type === 'tool_result')) continue;
    for (const block of content) {
      if (block.type === 'text' && !isMarker(role, block.text)) yield { role, text: block.text };
    }
  }
}

/** Texts that nobody has said. */
const isMarker = (role: Message['role'], text: string): boolean =>
  role === 'user' && (text === COMPACTION_MARKER || text === RESULTS_TEXT || text.startsWith('[forked]'));
