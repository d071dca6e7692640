/**
 * Makes odd results of calls readable: the library would reject the whole result, although the call may have taken
 * effect. A sentence replaces each part that cannot be read (WIRE-10).
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from '../rules/limits.ts';

type Fields = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The fields of a block that are shown, if they are texts. Others, such as annotations, may have any form. */
const texts = (block: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map(name => [name, block[name]]).filter(([, value]) => isText(value)));

/** The known types; each returns the block in the form of the protocol, or undefined if it lacks what it needs. */
const KNOWN = new Map<unknown, (block: Fields) => Fields | undefined>([
  ['text', ({ text }) => asText(text)],
  ['image', asData],
  ['audio', asData],
  [
    'resource_link',
    block => {
      const shown = texts(block, ['uri', 'name', 'title', 'mimeType', 'description']);
      return isText(shown.uri) ? { name: shown.uri, ...shown } : undefined;
    },
  ],
  [
    'resource',
    ({ resource }) => {
      if (!isFields(resource)) return undefined;
      const blob = toBase64(resource.blob);
      const shown = { ...texts(resource, ['uri', 'mimeType', 'text']), ...(blob !== undefined && { blob }) };
      return 'text' in shown || 'blob' in shown ? { resource: { uri: 'unknown', ...shown } } : undefined;
    },
  ],
]);

/** The fields that only results of calls have. */
const OF_CALLS = ['content', 'structuredContent', 'isError'];

/** Receives what a transport cannot pass on. */
export interface WireProblems {
  /** Called when a message is larger than MESSAGE_BYTES. */
  onTooLarge(error: RangeError): void;
  /** Called for each part of a result that was not understood, with its type. */
  onUnread(type: string): void;
}

/** The message with a readable result, if it is one of a call. */
export function withKnownContent<Message extends JSONRPCMessage>(
  message: Message,
  onUnread: WireProblems['onUnread'],
): Message {
  const result = 'result' in message ? message.result : undefined;
  if (!isFields(result) || !OF_CALLS.some(field => field in result)) return message;
  const { content, structuredContent: structured, isError, ...others } = result;
  const blocks = content === undefined || content === null ? [] : [content].flat();
  return {
    ...message,
    result: {
      ...others,
      content: blocks.map(block => readable(block, onUnread)),
      // The protocol requires an object.
      ...(structured !== undefined && {
        structuredContent: isFields(structured) ? structured : { value: structured },
      }),
      ...(isError !== undefined && { isError: [true, 1, 'true'].includes(isError as never) }),
    },
  };
}

function readable(block: unknown, onUnread: WireProblems['onUnread']): object {
  if (isText(block)) return { type: 'text', text: block };
  const fields = isFields(block) ? block : {};
  const known = KNOWN.get(fields.type)?.(fields);
  if (known) return { type: fields.type, ...known };
  const what = isText(fields.type) ? cut(fields.type, SENTENCE_CHARS) : 'no type';
  onUnread(what);
  if (isText(fields.text)) return { type: 'text', text: fields.text };
  return { type: 'text', text: `[a part of the result that this client cannot read: ${what}]` };
}

function asData(block: Fields): Fields | undefined {
  const data = toBase64(block.data);
  return data === undefined ? undefined : { mimeType: 'unknown', ...texts(block, ['mimeType']), data };
}

/** Base64 without what some servers add or replace: a data URL, line breaks, the signs of URLs. */
function toBase64(data: unknown): string | undefined {
  if (!isText(data)) return undefined;
  const bare = data
    .replace(/^data:[^,]{0,200},/, '')
    .replace(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.length % 4 !== 1 ? bare : undefined;
}

/** Some servers send values of other types in place of a text. */
function asText(text: unknown): Fields | undefined {
  if (text === undefined || text === null) return undefined;
  return { text: isText(text) ? text : JSON.stringify(text) };
}
