/**
 * Replaces the blocks of a result that the library does not know: it would reject the whole result, although the call may
 * have taken effect.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from '../rules/limits.ts';

type Fields = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string';
const hasData = ({ data, mimeType }: Fields) => isText(data) && isText(mimeType);
/** The known types, each with the check of the fields that it needs. */
const KNOWN = new Map<unknown, (block: Fields) => boolean>([
  ['text', ({ text }) => isText(text)],
  ['image', hasData],
  ['audio', hasData],
  ['resource_link', ({ uri, name }) => isText(uri) && isText(name)],
  ['resource', ({ resource }) => isText((resource as Fields | null | undefined)?.uri)],
]);

/** Receives what a transport cannot pass on. */
export interface WireProblems {
  /** Called when a message is larger than MESSAGE_BYTES. */
  onTooLarge(error: RangeError): void;
  /** Called for each block of a result that was not understood, with its type. */
  onUnread(type: string): void;
}

/** The message with a sentence in place of each such block; the same message if there is none. */
export function withKnownContent<Message extends JSONRPCMessage>(
  message: Message,
  onUnread: WireProblems['onUnread'],
): Message {
  const result = 'result' in message ? (message.result as Fields) : undefined;
  const content = result?.content;
  if (!Array.isArray(content) || content.every(isKnown)) return message;
  return {
    ...message,
    result: { ...result, content: content.map(each => (isKnown(each) ? each : named(each, onUnread))) },
  };
}

function isKnown(block: unknown): boolean {
  const fields = (block ?? {}) as Fields;
  return KNOWN.get(fields.type)?.(fields) ?? false;
}

function named(block: unknown, onUnread: WireProblems['onUnread']): object {
  const { type } = (block ?? {}) as Fields;
  const what = isText(type) ? cut(type, SENTENCE_CHARS) : 'no type';
  onUnread(what);
  return { type: 'text', text: `[a part of the result that this client cannot read: ${what}]` };
}
