/** A request as the demo model understands it: the user's last words and the results that came back since. */
import type { ModelRequest, StoredBlock } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { rememberedIn } from './remembered.ts';

/** A call with its result. */
export interface ReturnedCall {
  name: string;
  input: JsonObject;
  output: string;
  is_error: boolean;
}

export interface DemoRequest {
  /** The user's words, without notes, markers and context. */
  text: string;
  images: number;
  files: string[];
  file_ids: string[];
  /** True where the model has not answered in this chat yet. */
  first: boolean;
  /** Trips made since those words. */
  step: number;
  /** Calls that came back since those words, in their order. */
  returned: ReturnedCall[];
  /** What it was told of the memory. */
  remembered: string[];
  /** In milliseconds. */
  now: number;
  /** True where a conversation is to be summed up: its words are material, and ask for nothing. */
  summary: boolean;
  /** Says whether the user wrote this word, in any case; a part of a path is no word. */
  says(word: string): boolean;
}

/** The beginning of the kernel's requests for a summary. */
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

/** Tells a user's message from a message that only brings results or notes of the kernel. */
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
