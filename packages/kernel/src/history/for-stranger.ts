/**
 * Filters a history for a turn whose speaker is not trusted (WHO-3): keeps what people wrote and the tool results of
 * earlier such turns. Removes results of other turns, the paths of others' files, the plan and the notebook. The stored
 * history does not change.
 */
import { fileLine } from '@chat-kernel/protocol';
import { fileAddress, safeFileName } from '../base/file-name.ts';
import type { BlockInternal, NewMessage, StoredBlock } from '../ports/index.ts';
import type { History } from './history.ts';
import { withoutPlaces } from './summary.ts';

/** The messages that this turn may see. @param turnId the turn; its messages keep their calls and context */
export function forStranger(
  { messages, summary }: Pick<History, 'messages' | 'summary'>,
  turnId: string,
): NewMessage[] {
  const calls = new Set<string>();
  return messages.map((message, index) => {
    if (summary !== null && index === 0) return remembered(SUMMARIES, message, redactFolded);
    if (message.turn_id === turnId) return remembered(OWN, message, redactTurnMessage);
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.internal?.stranger) calls.add(block.id);
    }
    return remembered(OTHERS, message, other => redactOtherMessage(other, calls));
  });
}

/** Whether such a turn may read a file: one of its message, or of another untrusted message in the same history. */
export const mayStrangerRead = (id: string, messages: readonly NewMessage[], turnId: string): boolean =>
  messages.some(({ turn_id, content }) =>
    content.some(
      ({ internal }) => internal?.file?.id === id && (turn_id === turnId || internal.stranger === true),
    ),
  );

/** The same message gives the same object, so that values derived from it can be cached. */
function remembered(
  memory: WeakMap<NewMessage, NewMessage>,
  message: NewMessage,
  make: (message: NewMessage) => NewMessage,
): NewMessage {
  const known = memory.get(message) ?? make(message);
  memory.set(message, known);
  return known;
}
const SUMMARIES = new WeakMap<NewMessage, NewMessage>();
const OWN = new WeakMap<NewMessage, NewMessage>();
const OTHERS = new WeakMap<NewMessage, NewMessage>();

const redactFolded = (message: NewMessage): NewMessage => ({
  ...message,
  content: message.content.map(block =>
    block.type === 'context' ? { ...block, text: withoutPlaces(block.text) } : block,
  ),
});

const redactTurnMessage = (message: NewMessage): NewMessage => ({
  ...message,
  content: message.content
    // The turn may have begun, before a restart, while its speaker was trusted.
    .filter(({ type, internal }) => type !== 'context' || internal?.told === undefined)
    .map(block =>
      isFile(block) ? fileMarker(block, `readable at ${fileAddress(block.internal.file.id)}`) : block,
    ),
});

/** @param calls ids of the calls, up to this message, whose results such turns may see */
function redactOtherMessage(message: NewMessage, calls: ReadonlySet<string>): NewMessage {
  const content = message.content.flatMap((block): StoredBlock[] => {
    if (block.internal?.stranger) return [block];
    switch (block.type) {
      case 'thinking':
      case 'tool_use':
      case 'context':
        return [];
      case 'tool_result':
        return calls.has(block.tool_use_id) ? [block] : [];
      case 'image':
        return block.internal?.of_call === undefined || calls.has(block.internal.of_call) ? [block] : [];
      case 'text':
        return [isFile(block) ? fileMarker(block, 'not readable in this turn') : withoutOrigin(block)];
      case 'quote':
        return [block];
      default:
        return block satisfies never;
    }
  });
  return { ...message, content };
}

type FileBlock = Extract<StoredBlock, { type: 'text' }> & {
  internal: BlockInternal & { file: NonNullable<BlockInternal['file']> };
};

const isFile = (block: StoredBlock): block is FileBlock =>
  block.type === 'text' && block.internal?.file !== undefined;

/** The block without the data of its provider, which is valid only together with the removed thinking. */
function withoutOrigin(block: StoredBlock): StoredBlock {
  if (block.internal?.origin === undefined) return block;
  const { origin: _, ...internal } = block.internal;
  return { ...block, internal };
}

/** The marker of a file with this text instead of its path. */
function fileMarker(block: FileBlock, place: string): StoredBlock {
  const { id, name, size, media_type } = block.internal.file;
  return { ...block, text: fileLine(id, safeFileName(name, media_type), size, place) };
}
