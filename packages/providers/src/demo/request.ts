/** Reads a request for the demo model: the user's last message and the results returned since. */
import type { ModelRequest, StoredBlock } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';

/** A call with its result. */
export interface ReturnedCall {
  name: string;
  input: JsonObject;
  output: string;
  is_error: boolean;
}

export interface DemoRequest {
  /** The user's text, without notes, markers and context. */
  text: string;
  images: number;
  files: string[];
  file_ids: string[];
  /** True if the model has not answered in this chat yet. */
  first: boolean;
  /** Provider requests since that message. */
  step: number;
  /** Calls that returned since that message, in their order. */
  returned: ReturnedCall[];
  /** Memory entries in the prompt. */
  remembered: string[];
  /** In milliseconds. */
  now: number;
  /** True if the request is for a summary of a conversation: its text is material and triggers nothing. */
  summary: boolean;
  /** True if the user wrote this word, in any case; a part of a path does not count. */
  says(word: string): boolean;
}

/** The prefix of the kernel's requests for a summary. */
const SUMMARY = /^<(?:summary_so_far|conversation)>/;

type RequestMessage = ModelRequest['messages'][number];

/** @param now in milliseconds */
export function readRequest({ messages, tools }: ModelRequest, now: number): DemoRequest {
  const at = messages.findLastIndex(isFromPerson);
  const content = messages[at]?.content ?? [];
  const since = messages.slice(at + 1);
  const text = content
    .filter(isWords)
    .map(block => block.text)
    .join('\n')
    .trim();
  return {
    text,
    images: content.filter(block => block.type === 'image').length,
    files: content.flatMap(block => block.internal?.file?.name ?? []),
    file_ids: content.flatMap(block => block.internal?.file?.id ?? []),
    first: !messages.some(message => message.role === 'assistant'),
    step: since.filter(message => message.role === 'assistant').length,
    returned: returnedIn(since),
    remembered: rememberedIn(messages),
    now,
    summary: tools.length === 0 && SUMMARY.test(text),
    says: word => new RegExp(`(?<![\\w./-])${word}(?![\\w/-]|\\.\\w)`, 'i').test(text),
  };
}

/** True for a user's message, false for one that only contains results or notes of the kernel. */
const isFromPerson = (message: RequestMessage): boolean =>
  message.role === 'user' &&
  message.content.some(block => isWords(block) || block.type === 'image' || block.internal?.file);

const isWords = (block: StoredBlock): block is StoredBlock & { type: 'text' } =>
  block.type === 'text' && !block.internal?.note && !block.internal?.compaction && !block.internal?.file;

function returnedIn(messages: readonly RequestMessage[]): ReturnedCall[] {
  const blocks = messages.flatMap(message => message.content);
  const results = new Map(
    blocks.flatMap(block => (block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [])),
  );
  return blocks.flatMap(block => {
    const result = block.type === 'tool_use' ? results.get(block.id) : undefined;
    if (block.type !== 'tool_use' || !result) return [];
    return [{ name: block.name, input: block.input, output: result.output, is_error: result.is_error }];
  });
}

/** Returns the memory entries without their ids. */
function rememberedIn(messages: ModelRequest['messages']): string[] {
  let entries: string[] = [];
  const refused = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_result' && block.is_error) refused.add(block.tool_use_id);
    }
  }
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'context' && block.text.startsWith('[memory]\n')) entries = entriesIn(block.text);
    if (block.type !== 'tool_use' || block.name !== 'memory' || refused.has(block.id)) continue;
    const { add } = block.input;
    // The kernel replaces deleted entries by a text in brackets.
    if (typeof add === 'string' && !add.startsWith('(') && !entries.includes(add))
      entries = [...entries, add];
  }
  return entries;
}

/** Lines such as `- [0a1b2c3d] Has a cat.` */
const entriesIn = (told: string): string[] =>
  told.split('\n').flatMap(line => (line.startsWith('- [') ? line.slice(line.indexOf('] ') + 2) : []));
