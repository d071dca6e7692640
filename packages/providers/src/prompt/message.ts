/** Converts a kernel message to the provider packages' types. Images are filled in later. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { BlockInternal, ModelRequest, StoredBlock } from '@chat-kernel/kernel';
import type { AssistantPart, ProviderWire } from '../wire/wire.ts';

export type RequestMessage = ModelRequest['messages'][number];
export type ImageBlock = Extract<StoredBlock, { type: 'image' }>;
export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** The model for which messages are converted. */
export interface PromptTarget {
  provider: string;
  family: string;
  wire: Pick<ProviderWire, 'callId' | 'tidy' | 'toolName'>;
  /** False: neither thinking nor any other metadata is sent back. */
  recalls: boolean;
}

export interface ConvertedMessage {
  messages: LanguageModelV4Message[];
  /** Positions in the last message at which images are still missing. */
  images: { at: number; block: ImageBlock }[];
}

/** Converts a message. `before`: the previous message, whose calls the results in this one answer. */
export function convertMessage(
  message: RequestMessage,
  before: RequestMessage | undefined,
  target: PromptTarget,
): ConvertedMessage {
  return message.role === 'assistant'
    ? convertAssistant(message, target)
    : convertUser(message, before, target);
}

function convertAssistant(message: RequestMessage, target: PromptTarget): ConvertedMessage {
  const parts: AssistantPart[] = [];
  for (const block of message.content) {
    const part = isHidden(block) ? undefined : assistantPart(block, target);
    if (part) parts.push(part);
  }
  const content = target.wire.tidy?.(parts) ?? parts;
  return { messages: content.length > 0 ? [{ role: 'assistant', content }] : [], images: [] };
}

function assistantPart(block: StoredBlock, target: PromptTarget): AssistantPart | undefined {
  const metadata = recalled(block.internal, target);
  const providerOptions = metadata as AssistantPart['providerOptions'];
  switch (block.type) {
    case 'text':
      // Google signs an answer with an empty text; every API refuses an empty text without a signature.
      if (block.text.trim() === '' && providerOptions?.google?.thoughtSignature == null) return undefined;
      return { type: 'text', text: block.text, providerOptions };
    case 'thinking':
      return metadata && { type: 'reasoning', text: block.text, providerOptions };
    case 'tool_use':
      return {
        type: 'tool-call',
        toolCallId: target.wire.callId(block.id),
        toolName: target.wire.toolName(block.name),
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

/**
 * Returns the block's metadata if it came from this provider and model family, {} if they sent none; otherwise
 * undefined.
 */
function recalled(internal: BlockInternal | undefined, target: PromptTarget): object | undefined {
  const origin = internal?.origin;
  if (!origin || !target.recalls) return undefined;
  if (origin.provider !== target.provider || origin.family !== target.family) return undefined;
  return (origin.metadata as object | null) ?? {};
}

function convertUser(
  message: RequestMessage,
  before: RequestMessage | undefined,
  target: PromptTarget,
): ConvertedMessage {
  const results: LanguageModelV4ToolResultPart[] = [];
  const parts: UserPart[] = [];
  const images: ConvertedMessage['images'] = [];
  const addText = (words: string) => {
    if (words.trim() !== '') parts.push(text(words));
  };
  for (const block of message.content) {
    if (isHidden(block)) continue;
    switch (block.type) {
      case 'tool_result':
        results.push(toolResult(block, before, target));
        break;
      case 'image':
        images.push({ at: parts.length, block });
        parts.push(text(''));
        break;
      case 'text':
      case 'context':
        addText(block.text);
        break;
      case 'quote':
        addText(quoted(block.text));
        break;
      case 'thinking':
      case 'tool_use':
        break;
      default:
        block satisfies never;
    }
  }
  const messages: LanguageModelV4Message[] = [];
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  if (parts.length > 0) messages.push({ role: 'user', content: parts });
  return { messages, images };
}

/** Puts `> ` in front of each line. A pattern that matches positions takes seconds for millions of lines. */
function quoted(text: string): string {
  const lines = `> ${text.replaceAll('\n', '\n> ')}`;
  return /[\r\u2028\u2029]/.test(text) ? lines.replaceAll(/\r(?!\n)|[\u2028\u2029]/g, '$&> ') : lines;
}

function toolResult(
  block: Extract<StoredBlock, { type: 'tool_result' }>,
  before: RequestMessage | undefined,
  target: PromptTarget,
): LanguageModelV4ToolResultPart {
  const call = before?.content.find(made => made.type === 'tool_use' && made.id === block.tool_use_id);
  return {
    type: 'tool-result',
    toolCallId: target.wire.callId(block.tool_use_id),
    toolName: call?.type === 'tool_use' ? target.wire.toolName(call.name) : 'unknown',
    output: {
      type: block.is_error ? 'error-text' : 'text',
      value: block.output.trim() === '' ? NO_OUTPUT : block.output,
    },
  };
}

/** Markers and notes are the kernel's texts for users; its repair already removes them. */
const isHidden = (block: StoredBlock): boolean =>
  block.internal?.compaction !== undefined || block.internal?.note !== undefined;

/** Anthropic refuses a blank text in a result. */
const NO_OUTPUT = '(no output)';

export const text = (words: string): LanguageModelV4TextPart => ({ type: 'text', text: words });
