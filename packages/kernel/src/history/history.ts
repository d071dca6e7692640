/** Builds the history of a chat that a model may see, from the messages in the store. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Summary } from '@chat-kernel/protocol';
import { SLICE, slices } from '../base/slices.ts';
import { addOutside, isOfImport } from '../consent/outside.ts';
import { charsOfBlock } from '../model/token-estimate.ts';
import type { NewMessage, Store, StoredMessage } from '../ports/index.ts';
import { addKnownState, type KnownState } from './known-state.ts';
import { prepareRepair } from './repair.ts';
import { listSqueezed, withStubs } from './squeeze.ts';
import { summaryForModel } from './summary.ts';

/** The size in bytes of a chat without its blocks, and of a block without its text. */
const CHAT_BYTES = 1000;
const BLOCK_BYTES = 400;
/** The size of a character in text with any non-Latin character. */
const CHARACTER_BYTES = 2;

/**
 * The history of a chat that the model may see. Messages are only appended, so values derived from one can be cached.
 */
export interface History {
  /** The messages, oldest first. If older ones were compacted, the first of these contains the summary. */
  readonly messages: readonly NewMessage[];
  /** The summary of older messages; null if none were compacted. */
  readonly summary: string | null;
  readonly callIds: Set<string>;
  /** The state of the chat (plan and notebook) that the model knows from this history. */
  readonly told: KnownState;
  /** Where words in the history came from that the owner did not write (CONSENT-4). */
  readonly outside: Set<string>;
}
export interface GrowingHistory extends History {
  messages: NewMessage[];
  /** The approximate size in memory. */
  bytes: number;
}

export const emptyHistory = (summary: string | null = null): GrowingHistory => ({
  messages: [],
  summary,
  callIds: new Set(),
  told: {},
  outside: new Set(),
  bytes: CHAT_BYTES,
});

/** The messages that people and models wrote, without the one that contains the summary. */
export const withoutSummary = ({
  messages,
  summary,
}: Pick<History, 'messages' | 'summary'>): readonly NewMessage[] =>
  summary === null ? messages : messages.slice(1);

/** The source of the messages of a history, and their form for models. */
interface HistorySource {
  store: Pick<Store, 'chats' | 'messages'>;
  /** Converts a message to the form that models may see. */
  view(message: NewMessage): NewMessage;
  /** Whether another call of the tool would have an external effect again. */
  hasOutsideEffect(tool: string): boolean;
}

export async function readHistory(chatId: string, source: HistorySource): Promise<GrowingHistory> {
  const summary = (await source.store.chats.get(chatId))?.summary ?? null;
  const anchor = summary && (await source.store.messages.get(chatId, summary.upto_message));
  if (!summary || !anchor) return build(await allFrom(source.store, chatId, 1), null, source);
  const { id, chat_id, created_at, status } = anchor;
  const outside = summarySources(summary, anchor);
  const folded: NewMessage = {
    id,
    chat_id,
    role: 'user',
    turn_id: null,
    content: [
      {
        type: 'context',
        text: summaryForModel(summary.text),
        ...(outside.length > 0 && { internal: { outside } }),
      },
    ],
    created_at,
    status,
  };
  const kept = await allFrom(source.store, chatId, (anchor.position as number) + 1);
  return build([folded, ...kept], summary.text, source);
}

/** All messages from a position on, read page by page. */
async function allFrom(
  store: HistorySource['store'],
  chatId: string,
  position: number,
): Promise<NewMessage[]> {
  const messages: StoredMessage[] = [];
  for (let next = position; ; next = (messages.at(-1)?.position as number) + 1) {
    const page = await store.messages.listFrom(chatId, next, SLICE);
    messages.push(...page);
    if (page.length < SLICE) return messages;
    await nextTick();
  }
}

async function build(
  stored: readonly NewMessage[],
  summary: string | null,
  { view, hasOutsideEffect }: HistorySource,
): Promise<GrowingHistory> {
  const history = emptyHistory(summary);
  const squeezed = new Set<string>();
  for await (const slice of slices(stored)) {
    for (const id of listSqueezed(slice)) squeezed.add(id);
    history.messages.push(...slice.map(each => view(each)));
  }
  history.messages = withStubs(history.messages, squeezed, hasOutsideEffect);
  for await (const slice of slices(history.messages)) {
    note(history, slice);
    prepareRepair(slice);
  }
  return history;
}

/** Adds messages that were stored at the end of the chat. @param seen the same in the form that models may see */
export function extendHistory(
  history: GrowingHistory,
  messages: readonly NewMessage[],
  seen: readonly NewMessage[],
): void {
  history.messages.push(...seen);
  note(history, messages);
}

/** Adds what is known from these messages. */
function note(history: GrowingHistory, messages: readonly NewMessage[]): void {
  addCallIds(history.callIds, messages);
  addKnownState(history.told, messages);
  addOutside(history.outside, messages);
  history.bytes += estimateBytes(messages);
}

/** The sources of a summary. An imported summary lists no sources, but its last message names the program. */
const summarySources = (
  { outside = [] }: Pick<Summary, 'outside'>,
  { content }: Pick<NewMessage, 'content'>,
): string[] => [
  ...new Set([...outside, ...content.flatMap(({ internal }) => internal?.outside?.filter(isOfImport) ?? [])]),
];

function addCallIds(callIds: Set<string>, messages: readonly NewMessage[]): void {
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') callIds.add(block.id);
  }
}

function estimateBytes(messages: readonly NewMessage[]): number {
  let bytes = 0;
  for (const { content } of messages) {
    for (const block of content) bytes += BLOCK_BYTES + CHARACTER_BYTES * charsOfBlock(block);
  }
  return bytes;
}
