/**
 * Finds requests that the messages API rejects: unpaired tool_use, empty text, thinking it did not sign, too many cache
 * breakpoints.
 */
import { repeated } from './wire.ts';

/** Thinking and calls that this server handed out. */
export interface AnthropicMemory {
  /** Signature → the thinking it signs. */
  signatures: Map<string, string>;
  redacted: Set<string>;
  /** tool_use id → whether thinking was on, and whether the message began with it. */
  calls: Map<string, { thinkingOn: boolean; thought: boolean }>;
}

interface ContentBlock {
  type?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  tool_use_id?: string;
  content?: string | ContentBlock[];
  cache_control?: object;
}
interface AnthropicMessage {
  role?: string;
  content?: string | ContentBlock[];
}
interface MessagesRequest {
  stream?: boolean;
  max_tokens?: number;
  system?: string | ContentBlock[];
  messages?: AnthropicMessage[];
  thinking?: { type?: string; budget_tokens?: number };
  tools?: { name?: string; input_schema?: { type?: string }; cache_control?: object }[];
}
interface MessageTurn {
  role: string;
  blocks: ContentBlock[];
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Returns the rejection of this body; undefined if it is valid. */
export function refuseMessages(
  body: MessagesRequest,
  headers: Record<string, string>,
  memory: AnthropicMemory,
): string | undefined {
  if (!headers['anthropic-version']) return 'anthropic-version: header is required';
  if (body.stream !== true) return 'This server only streams: send "stream": true.';
  if (!body.max_tokens) return 'max_tokens: Field required';
  const turns = (body.messages ?? []).map(message => ({
    role: message.role ?? '',
    blocks: blocksOf(message.content),
  }));
  return (
    refuseRoles(turns) ??
    refuseBlocks(turns, memory) ??
    refusePairs(turns) ??
    refuseThinking(body, turns, memory) ??
    refuseTools(body) ??
    refuseCacheMarks(body, turns)
  );
}

const blocksOf = (content: string | ContentBlock[] | undefined): ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

function refuseRoles(turns: MessageTurn[]): string | undefined {
  if (turns.length === 0) return 'messages: at least one message is required';
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'user' && turn.role !== 'assistant') {
      return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    }
    if (turn.role === turns[index - 1]?.role) {
      return `messages: roles must alternate between "user" and "assistant", but found multiple "${turn.role}" roles in a row`;
    }
    if (turn.blocks.length === 0) return `messages.${index}: all messages must have non-empty content`;
  }
  if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (turns.at(-1)?.role !== 'user') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  return undefined;
}

function refuseBlocks(turns: MessageTurn[], memory: AnthropicMemory): string | undefined {
  for (const [index, turn] of turns.entries()) {
    for (const [at, block] of turn.blocks.entries()) {
      const place = `messages.${index}.content.${at}`;
      const inner = block.type === 'tool_result' ? blocksOf(block.content ?? []) : [block];
      for (const one of inner.filter(part => part.type === 'text')) {
        if (!one.text) return 'messages: text content blocks must be non-empty';
        if (one.text.trim() === '') return 'messages: text content blocks must contain non-whitespace text';
      }
      if (block.type === 'thinking' && memory.signatures.get(block.signature ?? '') !== block.thinking) {
        return `${place}: Invalid \`signature\` in \`thinking\` block`;
      }
      if (block.type === 'redacted_thinking' && !memory.redacted.has(block.data ?? '')) {
        return `${place}: Invalid \`data\` in \`redacted_thinking\` block`;
      }
      if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(block.id ?? '')) {
        return `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      }
      if (block.type === 'tool_use' && !TOOL_NAME.test(block.name ?? '')) {
        return `${place}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
      }
    }
  }
  return undefined;
}

function refusePairs(turns: MessageTurn[]): string | undefined {
  const twice = repeated(turns.flatMap(turn => idsOf(turn, 'tool_use')));
  if (twice !== undefined) return `messages: \`tool_use\` ids must be unique, found ${twice} twice`;
  for (const [index, turn] of turns.entries()) {
    const calls = turn.role === 'assistant' ? idsOf(turn, 'tool_use') : [];
    const next = turns[index + 1];
    const leading = next ? idsOf({ ...next, blocks: leadingResults(next) }, 'tool_result') : [];
    const missing = calls.filter(id => !leading.includes(id));
    if (missing.length > 0) {
      return (
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
      );
    }
    const before = turns[index - 1];
    const asked = before?.role === 'assistant' ? idsOf(before, 'tool_use') : [];
    const results = idsOf(turn, 'tool_result');
    const orphan = results.find(id => !asked.includes(id)) ?? repeated(results);
    if (orphan !== undefined) {
      return (
        `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      );
    }
  }
  return undefined;
}

const idsOf = (turn: MessageTurn, type: 'tool_use' | 'tool_result'): string[] =>
  turn.blocks
    .filter(block => block.type === type)
    .map(block => (type === 'tool_use' ? block.id : block.tool_use_id) ?? '');

/** Returns the results before any other block of the message; later ones do not count. */
function leadingResults(turn: MessageTurn): ContentBlock[] {
  const end = turn.blocks.findIndex(block => block.type !== 'tool_result');
  return end === -1 ? turn.blocks : turn.blocks.slice(0, end);
}

/**
 * Checks that a tool loop with thinking enabled began with thinking. A turn that this server generated with thinking
 * enabled but without any thinking passes: the script, not the client, omitted it.
 */
function refuseThinking(
  body: MessagesRequest,
  turns: MessageTurn[],
  memory: AnthropicMemory,
): string | undefined {
  const { type, budget_tokens = 0 } = body.thinking ?? {};
  if (type !== 'enabled') return undefined;
  if (budget_tokens < 1024) {
    return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  }
  if (budget_tokens >= (body.max_tokens ?? 0))
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  if (!turns.at(-1)?.blocks.some(block => block.type === 'tool_result')) return undefined;
  const index = turns.length - 2;
  const loop = turns[index];
  const first = loop?.blocks[0];
  if (!loop || first?.type === 'thinking' || first?.type === 'redacted_thinking') return undefined;
  const spoken = memory.calls.get(idsOf(loop, 'tool_use')[0] ?? '');
  if (spoken?.thinkingOn && !spoken.thought) return undefined;
  return (
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. ` +
    'When `thinking` is enabled, a final `assistant` message must start with a thinking block.'
  );
}

function refuseTools({ tools = [] }: MessagesRequest): string | undefined {
  for (const [index, tool] of tools.entries()) {
    if (!TOOL_NAME.test(tool.name ?? '')) {
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (tool.input_schema?.type !== 'object')
      return `tools.${index}.custom.input_schema.type: Field required`;
  }
  const twice = repeated(tools.map(tool => tool.name ?? ''));
  return twice === undefined ? undefined : `tools: Tool names must be unique, found ${twice} twice.`;
}

function refuseCacheMarks(body: MessagesRequest, turns: MessageTurn[]): string | undefined {
  const places = [...(body.tools ?? []), ...blocksOf(body.system), ...turns.flatMap(turn => turn.blocks)];
  const marks = places.filter(place => place.cache_control).length;
  return marks > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.` : undefined;
}
