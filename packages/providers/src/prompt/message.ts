/**
 * One message of ours in the provider packages' words. Images are filled in later.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { BlockInternal, ModelRequest, StoredBlock } from '@chat-kernel/kernel';
import type { AssistantPart, Wire } from '../wire/wire.ts';

export type Message = ModelRequest['messages'][number];
export type ImageBlock = Extract<StoredBlock, { type: 'image' }>;
export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** Who reads the messages. */
export interface Reader {
  provider: string;
  family: string;
  wire: Pick<Wire, 'tidy' | 'callId'>;
  /** False: neither thinking nor any other metadata goes back. */
  recalls: boolean;
}

export interface ConvertedMessage {
  messages: LanguageModelV4Message[];
  /** Places in the last of the messages where an image is still to be put. */
  images: { at: number; block: ImageBlock }[];
}

/** `before`: the message before this one, whose calls its results answer. */
export function convertMessage(
  message: Message,
  before: Message | undefined,
  reader: Reader,
): ConvertedMessage {
  return message.role === 'assistant'
    ? convertAssistant(message, reader)
    : convertUser(message, before, reader);
}

function convertAssistant(message: Message, reader: Reader): ConvertedMessage {
  const parts: AssistantPart[] = [];
  for (const block of message.content) {
    const part = isHidden(block) ? undefined : assistantPart(block, reader);
    if (part) parts.push(part);
  }
  const content = reader.wire.tidy?.(parts) ?? parts;
  return { messages: content.length > 0 ? [{ role: 'assistant', content }] : [], images: [] };
}

function assistantPart(block: StoredBlock, reader: Reader): AssistantPart | undefined {
  const metadata = recalled(block.internal, reader);
  const providerOptions = metadata as AssistantPart['providerOptions'];
  switch (block.type) {
    case 'text':
      // Google signs an answer with an empty text; empty without a signature is refused everywhere.
      if (block.text.trim() === '' && providerOptions?.google?.thoughtSignature == null) return undefined;
      return { type: 'text', text: block.text, providerOptions };
    case 'thinking':
      return metadata && { type: 'reasoning', text: block.text, providerOptions };
    case 'tool_use':
      return {
        type: 'tool-call',
        toolCallId: reader.wire.callId(block.id),
        toolName: block.name,
        input: block.input,
        providerOptions,
      };
    case 'tool_result':
    case 'image':
    case 'context':
    case 'quote':
      return undefined;
    default:
      return block satisfies never;
  }
}

/** The block's metadata, where this provider and model family gave it; {} where they gave none. */
function recalled(internal: BlockInternal | undefined, reader: Reader): object | undefined {
  const origin = internal?.origin;
  if (!origin || !reader.recalls) return undefined;
  if (origin.provider !== reader.provider || origin.family !== reader.family) return undefined;
  return (origin.metadata as object | null) ?? {};
}

function convertUser(message: Message, before: Message | undefined, reader: Reader): ConvertedMessage {
  const results: LanguageModelV4ToolResultPart[] = [];
  const parts: UserPart[] = [];
  const images: ConvertedMessage['images'] = [];
  for (const block of message.content) {
    if (isHidden(block)) continue;
    if (block.type === 'tool_result') results.push(toolResult(block, before, reader));
    else if (block.type === 'image') {
      images.push({ at: parts.length, block });
      parts.push(text(''));
    } else {
      const words = wordsOf(block);
      if (words.trim() === '') continue;
      parts.push(text(words));
    }
  }
  const messages: LanguageModelV4Message[] = [];
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  if (parts.length > 0) messages.push({ role: 'user', content: parts });
  return { messages, images };
}

function toolResult(
  block: Extract<StoredBlock, { type: 'tool_result' }>,
  before: Message | undefined,
  reader: Reader,
): LanguageModelV4ToolResultPart {
  const call = before?.content.find(made => made.type === 'tool_use' && made.id === block.tool_use_id);
  return {
    type: 'tool-result',
    toolCallId: reader.wire.callId(block.tool_use_id),
    toolName: call?.type === 'tool_use' ? call.name : 'unknown',
    output: { type: block.is_error ? 'error-text' : 'text', value: block.output },
  };
}

function wordsOf(block: StoredBlock): string {
  if (block.type === 'quote') return block.text.replaceAll(/^/gm, '> ');
  return block.type === 'text' || block.type === 'context' ? block.text : '';
}

/** Markers of the kernel to people; the kernel's repair leaves them out already. */
const isHidden = (block: StoredBlock): boolean =>
  block.internal?.compaction !== undefined || block.internal?.note !== undefined;

export const text = (words: string): LanguageModelV4TextPart => ({ type: 'text', text: words });
