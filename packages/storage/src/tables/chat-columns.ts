/** Decodes the columns of a chat. A setting is decoded by its type in the API. */
import type { ChatRecord } from '@chat-kernel/kernel';
import { type ChatSettings, chatSettings } from '@chat-kernel/protocol';
import type { ColumnKind, ColumnKinds } from './decode.ts';

/** Null: the value is stored unchanged. */
const KINDS: Readonly<Record<string, ColumnKind | null>> = {
  string: null,
  number: null,
  enum: null,
  boolean: 'flag',
  object: 'json',
  array: 'json',
};

export const CHAT_COLUMNS = {
  ...settingKinds(),
  summary: 'json',
  plan: 'json',
  notebook: 'json',
} satisfies ColumnKinds<Omit<ChatRecord, keyof ChatSettings>> as ColumnKinds<ChatRecord>;

function settingKinds(): Record<string, ColumnKind> {
  const kinds: Record<string, ColumnKind> = {};
  for (const [name, setting] of Object.entries(chatSettings.shape)) {
    const kind = columnKind(name, setting);
    if (kind !== null) kinds[name] = kind;
  }
  return kinds;
}

interface Schema {
  def: { type: string; innerType?: unknown };
}

/** @throws Error if no kind of column stores a setting of this type */
function columnKind(name: string, { def: { type, innerType } }: Schema): ColumnKind | null {
  // Unwraps defaults and nullable types.
  if (innerType !== undefined) return columnKind(name, innerType as Schema);
  const kind = KINDS[type];
  if (kind === undefined)
    throw new Error(`The setting ${name} of a chat is of the type ${type}, which has no column.`);
  return kind;
}
