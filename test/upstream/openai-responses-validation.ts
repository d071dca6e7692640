/**
 * Finds requests that Responses rejects: unpaired calls, reasoning without the item it led to, content that it never
 * encrypted.
 */
import { repeated } from './wire.ts';

/** Ids and encrypted contents that this server handed out. */
export interface ResponsesMemory {
  encrypted: Set<string>;
  /** Item id → id of the reasoning item that led to it. */
  items: Map<string, string | undefined>;
}

interface InputItem {
  type?: string;
  id?: string;
  role?: string;
  content?: string | { type?: string; text?: string }[];
  call_id?: string;
  name?: string;
  encrypted_content?: string | null;
}
interface ResponsesRequest {
  stream?: boolean;
  store?: boolean | null;
  input?: string | InputItem[];
  tools?: { type?: string; name?: string; parameters?: { type?: string } }[];
}

const ROLES = ['system', 'developer', 'user', 'assistant'];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns the rejection of this body; undefined if it is valid. */
export function refuseResponses(body: ResponsesRequest, memory: ResponsesMemory): string | undefined {
  if (body.stream !== true) return 'This server only streams: send "stream": true.';
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input;
  if (!input?.length) return "Missing required parameter: 'input'.";
  for (const [index, item] of input.entries()) {
    const refusal = refuseItem(item, `input[${index}]`, body.store !== false, memory);
    if (refusal) return refusal;
  }
  return refusePairs(input) ?? refuseTornReasoning(input, memory) ?? refuseTools(body.tools);
}

function refuseItem(
  item: InputItem,
  place: string,
  stored: boolean,
  memory: ResponsesMemory,
): string | undefined {
  switch (item.type ?? 'message') {
    case 'message':
      if (!ROLES.includes(item.role ?? '')) return `Invalid value: '${item.role}' for '${place}.role'.`;
      if (!item.content?.length) return `Invalid '${place}.content': empty.`;
      return undefined;
    case 'function_call':
      return NAME.test(item.name ?? '')
        ? undefined
        : `Invalid '${place}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`;
    case 'reasoning':
      if (item.encrypted_content == null) {
        return stored && memory.items.has(item.id ?? '')
          ? undefined
          : `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`;
      }
      return memory.encrypted.has(item.encrypted_content)
        ? undefined
        : `The encrypted content for item ${item.id} could not be verified.`;
    case 'item_reference':
      return stored && memory.items.has(item.id ?? '') ? undefined : `Item with id '${item.id}' not found.`;
    case 'function_call_output':
    case 'image_generation_call':
      return undefined;
    default:
      return `Invalid value: '${item.type}' for '${place}.type'.`;
  }
}

function refusePairs(input: InputItem[]): string | undefined {
  const idsOf = (type: string) => input.filter(item => item.type === type).map(item => item.call_id ?? '');
  const calls = idsOf('function_call');
  const outputs = idsOf('function_call_output');
  const twice = repeated(calls) ?? repeated(outputs);
  if (twice !== undefined) return `Duplicate call_id '${twice}' in input.`;
  const open = new Set<string>();
  for (const item of input) {
    const id = item.call_id ?? '';
    if (item.type === 'function_call') open.add(id);
    else if (item.type === 'function_call_output') {
      if (!open.delete(id)) return `No tool call found for function call output with call_id ${id}.`;
    } else if (item.role === 'user' && open.size > 0) break;
  }
  return open.size > 0 ? `No tool output found for function call ${[...open][0]}.` : undefined;
}

/**
 * Checks that a reasoning item precedes the item it led to, and that this item (known by its id) follows its reasoning.
 */
function refuseTornReasoning(input: InputItem[], memory: ResponsesMemory): string | undefined {
  for (const [index, item] of input.entries()) {
    const next = input[index + 1];
    if (item.type === 'reasoning' && !isOutput(next)) {
      return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    }
    const reasoning = item.id === undefined ? undefined : memory.items.get(item.id);
    if (reasoning !== undefined && input[index - 1]?.id !== reasoning) {
      return `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${reasoning}'.`;
    }
  }
  return undefined;
}

const isOutput = (item: InputItem | undefined): boolean =>
  item !== undefined &&
  (item.role === 'assistant' ||
    ['reasoning', 'function_call', 'item_reference', 'image_generation_call'].includes(item.type ?? ''));

function refuseTools(tools: ResponsesRequest['tools']): string | undefined {
  const functions = (tools ?? []).filter(tool => tool.type === 'function');
  for (const [index, tool] of functions.entries()) {
    if (!NAME.test(tool.name ?? '')) {
      return `Invalid 'tools[${index}].name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`;
    }
    if (tool.parameters && tool.parameters.type !== 'object') {
      return `Invalid schema for function '${tool.name}': schema must be a JSON Schema of 'type: "object"'.`;
    }
  }
  const twice = repeated(functions.map(tool => tool.name ?? ''));
  return twice === undefined ? undefined : `Invalid 'tools': the name '${twice}' is used twice.`;
}
