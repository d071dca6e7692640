/** Decodes the content of messages, and recognizes damage. */
import type { StoredBlock } from '@chat-kernel/kernel';
import { reportUnreadable } from './unreadable.ts';

/** The fields that are required to show a block of a type. */
const TEXT_FIELDS: Readonly<Record<StoredBlock['type'], readonly string[]>> = {
  text: ['text'],
  thinking: ['text'],
  tool_use: ['id', 'name'],
  tool_result: ['tool_use_id', 'output'],
  image: ['media_type', 'data'],
  context: ['text'],
  quote: ['text'],
};

/** Returns the blocks of a message. If its content is damaged, reports this and returns undefined. */
export function readBlocks(
  { id, content }: { id: string; content: string },
  parse: (text: string) => unknown = JSON.parse,
): StoredBlock[] | undefined {
  const blocks = blocksIn(content, parse);
  if (blocks === undefined) reportUnreadable('messages', id);
  return blocks;
}

/** Returns undefined if the text is not a list of blocks. */
export function blocksIn(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): StoredBlock[] | undefined {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // The caller reports damaged text with its row.
    return undefined;
  }
  return Array.isArray(value) && value.every(isBlock) ? value : undefined;
}

function isBlock(value: unknown): value is StoredBlock {
  if (!isObject(value) || typeof value.type !== 'string' || !Object.hasOwn(TEXT_FIELDS, value.type))
    return false;
  const { type, internal } = value;
  return (
    TEXT_FIELDS[type as StoredBlock['type']].every(field => typeof value[field] === 'string') &&
    (type !== 'tool_use' || isObject(value.input)) &&
    (type !== 'tool_result' || typeof value.is_error === 'boolean') &&
    (internal === undefined || isObject(internal))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
