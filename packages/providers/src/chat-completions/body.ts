/** The body of a request to POST /chat/completions. The text of a message is made once, because it comes again each turn. */
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { PrefixCache } from '../prompt/prefix-cache.ts';
import { ANSWER_NAME, isStrict } from '../prompt/response-format.ts';

interface BodyOptions {
  model: string;
  prompt: LanguageModelV4Prompt;
  tools?: readonly LanguageModelV4FunctionTool[];
  /** The effort as the wire spells it; absent: the server's default. */
  reasoning_effort?: string;
  max_tokens?: number;
  /** The JSON Schema that the answer has to fit. */
  schema?: object;
}

/** Writes the body as JSON text. */
export function bodyOf(options: BodyOptions): string {
  const { model, prompt, tools = [], reasoning_effort, max_tokens, schema } = options;
  const head = JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens,
    reasoning_effort,
    ...(schema && { response_format: responseFormat(schema) }),
    ...(tools.length > 0 && { tools: tools.map(declaration) }),
  });
  return `${head.slice(0, -1)},"messages":[${messagesText(prompt)}]}`;
}

const responseFormat = (schema: object) => ({
  type: 'json_schema',
  json_schema: { name: ANSWER_NAME, strict: isStrict(schema), schema },
});

const cache = new PrefixCache<LanguageModelV4Message, string>();

/** The system prompt is written anew for each request; the messages behind it only grow. */
function messagesText(prompt: LanguageModelV4Prompt): string {
  const start = prompt[0]?.role === 'system' ? 1 : 0;
  const messages = prompt.slice(start);
  const known = cache.find(messages);
  const kept = messages.slice(0, -1);
  const before = joined([known?.made ?? '', ...kept.slice(known?.covers ?? 0).map(textOf)]);
  cache.keep(kept, before);
  return joined([...prompt.slice(0, start).map(textOf), before, ...messages.slice(-1).map(textOf)]);
}

const joined = (texts: string[]): string => texts.filter(text => text !== '').join(',');

const declaration = ({ name, description, inputSchema }: LanguageModelV4FunctionTool) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
});

const texts = new WeakMap<LanguageModelV4Message, string>();

function textOf(message: LanguageModelV4Message): string {
  let text = texts.get(message);
  if (text === undefined) {
    text = wireMessages(message)
      .map(wire => JSON.stringify(wire))
      .join(',');
    texts.set(message, text);
  }
  return text;
}

/** Converts a message; the results of several calls become several messages of this wire. */
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
  // The simplest servers understand only a plain string.
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map(part => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'file':
        return {
          type: 'image_url',
          image_url: { url: `data:${part.mediaType};base64,${base64Of(part.data)}` },
        };
      default:
        return part satisfies never;
    }
  });
}

function base64Of(data: Extract<Content<'user'>[number], { type: 'file' }>['data']): string {
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
      // The kernel writes none of these into a prompt.
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
