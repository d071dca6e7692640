/** Estimates tokens for messages that no provider has counted. */
import type { ModelRequest, NewMessage, StoredBlock, TripUsage } from '../ports/index.ts';

/** The typical length of a token, in characters. */
const CHARS_PER_TOKEN = 4;
/** The typical cost of an image, which hardly depends on its bytes. */
const IMAGE_TOKENS = 1500;
/** The cost of a block besides its text. */
const BLOCK_TOKENS = 5;

export const estimateTokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

export function estimateMessageTokens(messages: readonly Pick<NewMessage, 'content'>[]): number {
  let tokens = 0;
  for (const { content } of messages) for (const block of content) tokens += tokensOfBlock(block);
  return tokens;
}

function tokensOfBlock(block: StoredBlock): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'context':
    case 'quote':
      return BLOCK_TOKENS + estimateTokens(block.text.length);
    case 'tool_use':
      return BLOCK_TOKENS + estimateTokens(block.name.length + JSON.stringify(block.input).length);
    case 'tool_result':
      return BLOCK_TOKENS + estimateTokens(block.output.length);
    case 'image':
      return BLOCK_TOKENS + IMAGE_TOKENS;
    default:
      return block satisfies never;
  }
}

/** The characters of the prompt before any message: the system text and the tools. */
export function prefixChars(request: Pick<ModelRequest, 'system' | 'tools'>): number {
  return request.tools.reduce((sum, tool) => sum + toolChars(tool), request.system.length);
}

/** The sizes of tools, which are the same objects in every request. */
const sizes = new WeakMap<object, number>();

function toolChars(tool: ModelRequest['tools'][number]): number {
  let size = sizes.get(tool);
  if (size === undefined) {
    const { name, description, input_schema } = tool;
    size = JSON.stringify({ name, description, input_schema }).length + 1;
    sizes.set(tool, size);
  }
  return size;
}

function messageChars(request: Pick<ModelRequest, 'messages'>): number {
  let chars = 0;
  for (const { content } of request.messages) for (const block of content) chars += charsOfBlock(block);
  return chars;
}

export const promptTokens = (request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>): number =>
  estimateTokens(prefixChars(request) + messageChars(request));

/** The estimated usage of a request whose provider has not counted. @param received characters of the answer */
export const estimatedUsage = (
  request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>,
  received: number,
): TripUsage => ({
  prompt_tokens: promptTokens(request),
  completion_tokens: estimateTokens(received),
  reasoning_tokens: 0,
  cached_tokens: 0,
});

/** The size of the text of a block; the bytes of an image do not count. */
export function charsOfBlock(block: StoredBlock): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'context':
    case 'quote':
      return block.text.length;
    case 'tool_use':
      return JSON.stringify(block.input).length;
    case 'tool_result':
      return block.output.length;
    case 'image':
      return 0;
    default:
      return block satisfies never;
  }
}
