/**
 * Converts any history to messages that any provider accepts (HIST-3). They are created for a request; the stored
 * history does not change. Everything derived from a message is cached with it, so that a turn after a long history
 * costs little, and the same history gives the same prompt.
 */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { quotedName } from '../base/text.ts';
import type { ToolResult } from '../items/to-items.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

/** A message in the form that a model gets: senders are part of the text. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: StoredBlock[];
}

const OPENING: PromptMessage = text('user', '(The start of this conversation is not shown.)');
const GO_ON: PromptMessage = text('user', '(Continue.)');
/** The text that the model of a later turn reads after a canceled turn (WAIT-5). */
const CANCELLED: PromptMessage = text('user', '(The owner canceled this turn here.)');

/**
 * The repaired history: every call is directly followed by its result, every result has a call, no message is empty,
 * and roles alternate. If a history has grown since its last repair, only its end is processed.
 */
export function repair(history: readonly NewMessage[]): PromptMessage[] {
  const known = finished.get(history) ?? { upto: 0, merged: [] };
  finished.set(history, known);
  const parts: PromptMessage[] = [];
  // Everything before a user message that follows an answer, or before the next calls of the model, is final: results
  // are not searched after these. So a step of a long turn repairs only that step.
  let [done, upto] = [0, known.upto];
  for (let index = known.upto; index < history.length; index++) {
    const message = history[index] as NewMessage;
    const spoken = spokenPart(message);
    const last = parts.at(-1)?.role;
    if (
      spoken?.role === 'user' ? last === 'assistant' : last === 'user' && message.content.some(isCallOfModel)
    )
      [done, upto] = [parts.length, index];
    if (spoken !== null) parts.push(spoken);
    const answers = spoken && answersTo(spoken, history, index + 1);
    if (answers !== null) parts.push(answers);
    // The note of a cancel is the last block of its turn.
    if (message.content.at(-1)?.internal?.note === 'turn_cancelled') parts.push(CANCELLED);
  }
  known.upto = upto;
  known.merged.push(...mergeRuns(parts.slice(0, done)));
  const merged = [...known.merged, ...mergeRuns(parts.slice(done))];
  if (merged.length === 0) return [];
  if (merged[0]?.role === 'assistant') merged.unshift(OPENING);
  if (merged.at(-1)?.role === 'assistant') merged.push(GO_ON);
  return merged;
}

/** The finished part of each history, and the messages built from it. */
const finished = new WeakMap<readonly NewMessage[], { upto: number; merged: PromptMessage[] }>();

/**
 * Runs the part of a repair that concerns single messages, so that the repair of a long history takes little time at
 * once.
 */
export function prepareRepair(messages: readonly NewMessage[]): void {
  for (const message of messages) spokenPart(message);
}

const spokenParts = new WeakMap<NewMessage, PromptMessage | null>();

/** The part of a message that the model may see, without results; null if nothing is left. */
function spokenPart(message: NewMessage): PromptMessage | null {
  let part = spokenParts.get(message);
  if (part === undefined) {
    part = speak(message);
    spokenParts.set(message, part);
  }
  return part;
}

function speak(message: NewMessage): PromptMessage | null {
  const content = message.content.filter(isForModel).map(asWritten);
  if (!content.some(saysSomething)) return null;
  if (message.role === 'assistant') return { role: 'assistant', content: withoutDoubleCalls(content) };
  return { role: 'user', content: message.sender === undefined ? content : signed(content, message.sender) };
}

/** A call with the input that the model wrote, without what the kernel added to it for clients. */
function asWritten(block: StoredBlock): StoredBlock {
  const written = block.internal?.written;
  return block.type === 'tool_use' && written !== undefined ? { ...block, input: written } : block;
}

/** Whether a message may be sent if it has only this block. */
function saysSomething(block: StoredBlock): boolean {
  switch (block.type) {
    case 'text':
    case 'context':
    case 'quote':
      return block.text.trim() !== '';
    case 'thinking':
      return false;
    case 'tool_use':
    case 'tool_result':
    case 'image':
      return true;
    default:
      return block satisfies never;
  }
}

function isForModel(block: StoredBlock): boolean {
  switch (block.type) {
    case 'text':
      return (
        block.internal?.compaction === undefined &&
        block.internal?.note === undefined &&
        // An empty text may contain data that its provider needs to receive again.
        (block.text.trim() !== '' || block.internal?.origin !== undefined)
      );
    case 'context':
    case 'quote':
      return block.text.trim() !== '';
    case 'thinking':
      // Truncated thinking has no signature, and providers reject it.
      return (
        block.internal?.status === undefined && (block.text !== '' || block.internal?.origin !== undefined)
      );
    case 'tool_use':
      return block.internal?.kernel === undefined;
    case 'image':
      return true;
    case 'tool_result':
      return false;
    default:
      return block satisfies never;
  }
}

function withoutDoubleCalls(content: StoredBlock[]): StoredBlock[] {
  const ids = new Set<string>();
  return content.filter(block => block.type !== 'tool_use' || (!ids.has(block.id) && ids.add(block.id)));
}

/**
 * The content with the name of its sender before each text and each marker of a file. With it, the model distinguishes
 * the people of a group chat, and their text from that of the kernel (WHO-4).
 */
function signed(content: StoredBlock[], sender: string): StoredBlock[] {
  const name = quotedName(sender);
  const isWords = (block: StoredBlock) => block.type === 'text' && block.internal?.file === undefined;
  const named = content.map(block =>
    block.type === 'text' ? { ...block, text: `${name}: ${block.text}` } : block,
  );
  return content.some(isWords) ? named : [{ type: 'text', text: `${name}:` }, ...named];
}

/**
 * A message with the results of all calls of this one; missing results are replaced by synthetic ones. Null if it has
 * no calls.
 */
function answersTo(
  spoken: PromptMessage,
  history: readonly NewMessage[],
  from: number,
): PromptMessage | null {
  if (spoken.role === 'user') return null;
  const calls = spoken.content.filter(block => block.type === 'tool_use');
  if (calls.length === 0) return null;
  const results = resultsFrom(history, from);
  const content = calls.map(call => results.get(call.id) ?? unfinished(call.id));
  return remembered(content[0] as StoredBlock, content, () => ({ role: 'user', content }));
}

/** The first result of each call, searched up to the next message with calls: later results belong to those calls. */
function resultsFrom(history: readonly NewMessage[], from: number): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (let index = from; index < history.length; index++) {
    const { role, content } = history[index] as NewMessage;
    if (role === 'assistant' && content.some(isCallOfModel)) break;
    for (const block of content) {
      if (block.type === 'tool_result' && !results.has(block.tool_use_id))
        results.set(block.tool_use_id, block);
    }
    // In a history that was never cut, the results come directly after the calls; only a cut history needs a longer
    // search.
    if (results.size > 0) break;
  }
  return results;
}

const isCallOfModel = ({ type, internal }: StoredBlock): boolean => type === 'tool_use' && !internal?.kernel;

/** The synthetic result of a call that never returned. */
export const unfinished = (callId: string): ToolResult => ({
  type: 'tool_result',
  tool_use_id: callId,
  output: UNFINISHED_RESULT,
  is_error: true,
  internal: { synthetic: true },
});

/** The parts, with adjacent ones of the same role merged. */
function mergeRuns(parts: PromptMessage[]): PromptMessage[] {
  const merged: PromptMessage[] = [];
  for (let start = 0; start < parts.length; ) {
    const first = parts[start] as PromptMessage;
    let end = start + 1;
    while (parts[end]?.role === first.role) end++;
    const run = parts.slice(start, end);
    merged.push(
      run.length === 1
        ? first
        : remembered(first, run, () => ({ role: first.role, content: run.flatMap(part => part.content) })),
    );
    start = end;
  }
  return merged;
}

const memory = new WeakMap<object, { made_of: readonly object[]; message: PromptMessage }>();

/** The message built from these parts last time, or a new one. The same parts give the same object. */
function remembered(key: object, parts: readonly object[], make: () => PromptMessage): PromptMessage {
  const known = memory.get(key);
  if (known?.made_of.length === parts.length && known.made_of.every((part, index) => part === parts[index])) {
    return known.message;
  }
  const message = make();
  memory.set(key, { made_of: parts, message });
  return message;
}

function text(role: PromptMessage['role'], words: string): PromptMessage {
  return { role, content: [{ type: 'text', text: words }] };
}
