/**
 * Makes messages that any provider accepts out of any history (HIST-3). They are made for a request; the stored
 * history stays as it is. Everything derived from a message is remembered with it, so that a turn with a long history
 * behind it costs little, and the same history gives the same prompt.
 */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { quotedName } from '../base/one-line.ts';
import type { ToolResult } from '../items/to-items.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

/** A message as a model gets it: senders are part of the text. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: StoredBlock[];
}

const OPENING: PromptMessage = text('user', '(The beginning of this conversation is not shown.)');
const GO_ON: PromptMessage = text('user', '(Go on.)');
/** What the model of a later turn reads where an earlier one was cut (WAIT-5). */
const CANCELLED: PromptMessage = text('user', '(The owner cancelled this turn here.)');

/**
 * The repaired history: every call has its result right behind it, no result lacks its call, nothing is empty, roles
 * alternate. Where a history has grown since its last repair, only its tail is worked on.
 */
export function repair(history: readonly NewMessage[]): PromptMessage[] {
  const known = finished.get(history) ?? { upto: 0, merged: [] };
  finished.set(history, known);
  const parts: PromptMessage[] = [];
  // The messages before a user who speaks after the model are finished: nothing that follows can change them.
  let [done, upto] = [0, known.upto];
  for (let index = known.upto; index < history.length; index++) {
    const message = history[index] as NewMessage;
    const spoken = spokenPart(message);
    if (spoken?.role === 'user' && parts.at(-1)?.role === 'assistant') [done, upto] = [parts.length, index];
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

/** How much of each history is finished, and the messages that were made of it. */
const finished = new WeakMap<readonly NewMessage[], { upto: number; merged: PromptMessage[] }>();

const spokenParts = new WeakMap<NewMessage, PromptMessage | null>();

/** The part of a message that the model may see, without results; null where nothing is left. */
function spokenPart(message: NewMessage): PromptMessage | null {
  let part = spokenParts.get(message);
  if (part === undefined) {
    part = speak(message);
    spokenParts.set(message, part);
  }
  return part;
}

function speak(message: NewMessage): PromptMessage | null {
  const content = message.content.filter(isForModel);
  if (!content.some(saysSomething)) return null;
  if (message.role === 'assistant') return { role: 'assistant', content: withoutDoubleCalls(content) };
  return { role: 'user', content: message.sender === undefined ? content : signed(content, message.sender) };
}

/** Whether a message may go out for this block alone. */
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
        // An empty text may carry data that its provider wants to see again.
        (block.text.trim() !== '' || block.internal?.origin !== undefined)
      );
    case 'context':
    case 'quote':
      return block.text.trim() !== '';
    case 'thinking':
      // Thinking that was cut short has no signature, and no provider takes it back.
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
 * The content with the name of its sender before each text and each marker of a file, by which the model tells the
 * people of a group chat apart, and their words from those of the kernel (WHO-4).
 */
function signed(content: StoredBlock[], sender: string): StoredBlock[] {
  const name = quotedName(sender);
  const isWords = (block: StoredBlock) => block.type === 'text' && block.internal?.file === undefined;
  const named = content.map(block =>
    block.type === 'text' ? { ...block, text: `${name}: ${block.text}` } : block,
  );
  return content.some(isWords) ? named : [{ type: 'text', text: `${name}:` }, ...named];
}

/** A message with the results of all calls of this one; missing results are made up. Null where it has no calls. */
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

/**
 * The first result of each call, searched up to the next message with calls: results behind that answer its calls.
 */
function resultsFrom(history: readonly NewMessage[], from: number): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (let index = from; index < history.length; index++) {
    const { role, content } = history[index] as NewMessage;
    if (role === 'assistant' && content.some(isCallOfModel)) break;
    for (const block of content) {
      if (block.type === 'tool_result' && !results.has(block.tool_use_id))
        results.set(block.tool_use_id, block);
    }
    // A history that was never cut has the results right behind the calls; only a cut one makes this look further.
    if (results.size > 0) break;
  }
  return results;
}

const isCallOfModel = ({ type, internal }: StoredBlock): boolean => type === 'tool_use' && !internal?.kernel;

/** The made-up result of a call that never returned. */
export const unfinished = (callId: string): ToolResult => ({
  type: 'tool_result',
  tool_use_id: callId,
  output: UNFINISHED_RESULT,
  is_error: true,
  internal: { synthetic: true },
});

/** The parts with neighbours of one role made into one message. */
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

/** The message that was made of these parts last time, or a new one. The same parts give the same object. */
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
