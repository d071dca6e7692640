/**
 * Finds requests that chat completions rejects: calls and results that do not pair, invalid roles, empty contents,
 * invalid tools.
 */
import { repeated } from './wire.ts';

interface ToolCall {
  id?: string;
  type?: string;
  function?: { name?: string; arguments?: unknown };
}
interface ChatMessage {
  role?: string;
  content?: string | { type?: string; text?: string }[] | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}
interface ChatRequest {
  stream?: boolean;
  messages?: ChatMessage[];
  tools?: { type?: string; function?: { name?: string; parameters?: { type?: string } } }[];
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns the rejection of this body; undefined if it is valid. */
export function refuseChat(body: ChatRequest): string | undefined {
  if (body.stream !== true) return 'This server only streams: send "stream": true.';
  if (!body.messages?.length) {
    return "Invalid 'messages': empty array. Expected an array with minimum length 1.";
  }
  for (const [index, message] of body.messages.entries()) {
    const refusal = refuseMessage(message, index);
    if (refusal) return refusal;
  }
  return refusePairs(body.messages) ?? refuseTools(body.tools);
}

function refuseMessage(message: ChatMessage, index: number): string | undefined {
  const place = `messages[${index}]`;
  if (!ROLES.includes(message.role ?? '')) return `Invalid value: '${message.role}' for '${place}.role'.`;
  if (Array.isArray(message.content)) {
    if (message.content.length === 0) return `Invalid '${place}.content': empty array.`;
    if (message.content.some(part => part.type === 'text' && !part.text)) {
      return `Invalid '${place}.content': empty text part.`;
    }
  } else if (message.content == null && !message.tool_calls?.length) {
    return `Invalid value for '${place}.content': expected a string, got null.`;
  }
  if (message.tool_calls && message.tool_calls.length === 0) {
    return `Invalid '${place}.tool_calls': empty array. Expected an array with minimum length 1.`;
  }
  for (const call of message.tool_calls ?? []) {
    if (!NAME.test(call.function?.name ?? '')) {
      return `Invalid '${place}.tool_calls[].function.name': '${call.function?.name}' does not match '^[a-zA-Z0-9_-]{1,64}$'.`;
    }
    if (!isJsonObject(call.function?.arguments)) {
      return `Invalid '${place}.tool_calls[].function.arguments': not the text of a JSON object.`;
    }
  }
  return undefined;
}

function refusePairs(messages: ChatMessage[]): string | undefined {
  const calls = messages.flatMap(message => message.tool_calls ?? []).map(call => call.id ?? '');
  const twice = repeated(calls);
  if (twice !== undefined) return `Duplicate value for 'tool_call_id' of '${twice}' in messages.`;
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) {
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      }
      continue;
    }
    if (open.size > 0) return missing(open);
    open = new Set((message.tool_calls ?? []).map(call => call.id ?? ''));
  }
  return open.size > 0 ? missing(open) : undefined;
}

const missing = (ids: Set<string>): string =>
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
  `The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`;

function refuseTools(tools: ChatRequest['tools']): string | undefined {
  if (!tools) return undefined;
  if (tools.length === 0) return "Invalid 'tools': empty array. Expected an array with minimum length 1.";
  for (const [index, tool] of tools.entries()) {
    const name = tool.function?.name ?? '';
    if (!NAME.test(name)) {
      return `Invalid 'tools[${index}].function.name': '${name}' does not match '^[a-zA-Z0-9_-]{1,64}$'.`;
    }
    if (tool.function?.parameters && tool.function.parameters.type !== 'object') {
      return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'.`;
    }
  }
  const twice = repeated(tools.map(tool => tool.function?.name ?? ''));
  return twice === undefined ? undefined : `Invalid 'tools': the name '${twice}' is used twice.`;
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
