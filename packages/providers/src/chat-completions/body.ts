/**
 * Builds the body of a request to POST /chat/completions. The text of a message is built only once, because each turn
 * sends it again.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { jsonPieces, slices } from '@chat-kernel/kernel';
import { PrefixCache } from '../prompt/prefix-cache.ts';
import { ANSWER_NAME, isStrict } from '../prompt/response-format.ts';

interface BodyOptions {
  model: string;
  prompt: LanguageModelV4Prompt;
  tools?: readonly LanguageModelV4FunctionTool[];
  /** The effort as the API spells it; absent: the server's default. */
  reasoning_effort?: string;
  max_tokens?: number;
  max_completion_tokens?: number;
  /** The JSON Schema of the response. */
  schema?: object;
}

/** Writes the body as JSON text. A long history is written in slices, so that it does not block the event loop (SAFE-3). */
export async function buildBody(options: BodyOptions): Promise<string> {
  const { model, prompt, tools = [], reasoning_effort, max_tokens, max_completion_tokens, schema } = options;
  const head = JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens,
    max_completion_tokens,
    reasoning_effort,
    ...(schema && { response_format: responseFormat(schema) }),
  });
  const declared = tools.length > 0 ? `,"tools":[${tools.map(declaration).join()}]` : '';
  return `${head.slice(0, -1)}${declared},"messages":[${await messagesText(prompt)}]}`;
}

const responseFormat = (schema: object) => ({
  type: 'json_schema',
  json_schema: { name: ANSWER_NAME, strict: isStrict(schema), schema },
});

/** Texts, each at least twice as long as the next, so that a growing history is rarely copied. */
const cache = new PrefixCache<LanguageModelV4Message, readonly string[]>();

/** The system prompt is rebuilt for each request; the messages after it only grow. */
async function messagesText(prompt: LanguageModelV4Prompt): Promise<string> {
  const start = prompt[0]?.role === 'system' ? 1 : 0;
  const messages = prompt.slice(start);
  const known = cache.find(messages);
  const kept = messages.slice(0, -1);
  const parts = [...(known?.made ?? [])];
  for await (const slice of slices(kept.slice(known?.covers ?? 0))) add(parts, await serialize(slice));
  cache.keep(kept, parts);
  const all = [await serialize(prompt.slice(0, start)), ...parts, await serialize(messages.slice(-1))];
  // Unlike `join`, this copies no text.
  return all.reduce((text, part) => (text === '' || part === '' ? text + part : `${text},${part}`), '');
}

/** Adds a text, joined with the shorter ones before it. */
function add(parts: string[], text: string): void {
  let last = text;
  while (parts.length > 0 && parts.at(-1)!.length < 2 * last.length) last = joined([parts.pop()!, last]);
  if (last !== '') parts.push(last);
}

const joined = (texts: string[]): string => texts.filter(text => text !== '').join(',');

/** The declarations of tools as JSON, by their schemas, which stay the same from request to request. */
const declarations = new WeakMap<object, { name: string; description: string | undefined; text: string }>();

function declaration({ name, description, inputSchema }: LanguageModelV4FunctionTool): string {
  const known = declarations.get(inputSchema);
  if (known?.name === name && known.description === description) return known.text;
  const tool = { type: 'function', function: { name, description, parameters: inputSchema } };
  const text = JSON.stringify(tool);
  declarations.set(inputSchema, { name, description, text });
  return text;
}

/** Characters between two pauses. */
const STEP = 1024 * 1024;

const texts = new WeakMap<LanguageModelV4Message, string>();

async function serialize(messages: readonly LanguageModelV4Message[]): Promise<string> {
  const parts: string[] = [];
  let written = 0;
  for (const message of messages) {
    let text = texts.get(message);
    if (text === undefined) {
      const list = (await Array.fromAsync(jsonPieces(wireMessages(message)))).join('');
      text = list.slice(1, -1);
      texts.set(message, text);
      written += text.length;
    }
    if (written > STEP) {
      written = 0;
      await nextTick();
    }
    parts.push(text);
  }
  return joined(parts);
}

/** Converts a message; the results of several calls become several messages of this API. */
function wireMessages(message: LanguageModelV4Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content.flatMap(toolMessages);
    default:
      return message satisfies never;
  }
}

type Content<Role> = Extract<LanguageModelV4Message, { role: Role }>['content'];

function userContent(parts: Content<'user'>): string | object[] {
  const [first] = parts;
  // The simplest servers accept only a plain string.
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map(part => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'file':
        return {
          type: 'image_url',
          image_url: { url: `data:${part.mediaType};base64,${toBase64(part.data)}` },
        };
      default:
        return part satisfies never;
    }
  });
}

function toBase64(data: Extract<Content<'user'>[number], { type: 'file' }>['data']): string {
  if (data.type !== 'data') throw new Error(`An image came as ${data.type}.`);
  return typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
}

function assistantMessage(parts: Content<'assistant'>): object {
  let text = '';
  let thinking = '';
  const calls: object[] = [];
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        text += part.text;
        break;
      case 'reasoning':
        thinking += part.text;
        break;
      case 'tool-call':
        calls.push(wireCall(part));
        break;
      // The kernel writes these into no prompt.
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'tool-result':
        break;
      default:
        part satisfies never;
    }
  }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function wireCall(part: Extract<Content<'assistant'>[number], { type: 'tool-call' }>): object {
  const signature = part.providerOptions?.compatible?.thoughtSignature;
  return {
    id: part.toolCallId,
    type: 'function',
    function: { name: part.toolName, arguments: JSON.stringify(part.input) },
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  };
}

function toolMessages(part: Content<'tool'>[number]): object[] {
  switch (part.type) {
    case 'tool-result': {
      const { toolCallId, output } = part;
      const plain = output.type === 'text' || output.type === 'error-text';
      return [
        { role: 'tool', tool_call_id: toolCallId, content: plain ? output.value : JSON.stringify(output) },
      ];
    }
    // Approvals are for tools that a provider runs; the kernel declares none.
    case 'tool-approval-response':
      return [];
    default:
      return part satisfies never;
  }
}
