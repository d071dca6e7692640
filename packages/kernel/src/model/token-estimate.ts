/** About how many tokens messages are, where no provider has counted them. */
import type { ModelRequest, NewMessage, StoredBlock } from '../ports/index.ts';

/** A text is about one token for four characters. */
const CHARS_PER_TOKEN = 4;
/** An image costs about this many tokens, whatever its bytes. */
const IMAGE_TOKENS = 1500;
/** What a block costs besides its text. */
const BLOCK_TOKENS = 5;

export const estimateTokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

export function tokensOf(messages: readonly Pick<NewMessage, 'content'>[]): number {
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

/** Characters of the prompt that are there before any message: the opening and the tools. */
export function prefixChars(request: Pick<ModelRequest, 'system' | 'tools'>): number {
  const tools = request.tools.map(({ name, description, input_schema }) => ({
    name,
    description,
    input_schema,
  }));
  return request.system.length + JSON.stringify(tools).length;
}

/** Characters of all messages of a request. */
export function messageChars(request: ModelRequest): number {
  let chars = 0;
  for (const { content } of request.messages) {
    for (const block of content) {
      if ('text' in block) chars += block.text.length;
      else if (block.type === 'tool_result') chars += block.output.length;
      else if (block.type === 'tool_use') chars += JSON.stringify(block.input).length;
    }
  }
  return chars;
}
