/** The schema of the settings as a tree: environment variables, `--set`, paths and redaction go by its leaves. */
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';

/** Form in which the text of a variable or a flag holds the value. */
type LeafKind = 'text' | 'number' | 'boolean' | 'list' | 'text_or_list' | 'json';
export interface Leaf {
  path: readonly string[];
  kind: LeafKind;
  /** The text `null` means null. */
  nullable: boolean;
}
interface UnwrappedSchema {
  schema: z.core.$ZodType;
  nullable: boolean;
  /** The value may never be shown. */
  secret: boolean;
  /** The value is a path of this machine. */
  path: boolean;
}

/** Returns every setting that is no section, in the order of the schema. */
export function settingLeaves(schema: z.core.$ZodType = Settings, path: readonly string[] = []): Leaf[] {
  const { schema: bare, nullable } = unwrap(schema);
  if (!(bare instanceof z.core.$ZodObject)) return [{ path, kind: kindOf(bare), nullable }];
  return Object.entries(bare._zod.def.shape).flatMap(([key, child]) => settingLeaves(child, [...path, key]));
}

/**
 * Returns the setting at this path, inside records too (`llm.providers.mine.api_key`); undefined where there is none.
 */
export function settingAt(path: readonly string[]): Leaf | undefined {
  let schema: z.core.$ZodType | undefined = Settings;
  for (const key of path) schema = schema && childOf(schema, key);
  if (!schema) return undefined;
  const { schema: bare, nullable } = unwrap(schema);
  return { path, kind: kindOf(bare), nullable };
}

/** Returns the keys that a section knows; undefined where the path leads to no section. */
export function knownKeys(path: readonly string[]): string[] | undefined {
  let schema: z.core.$ZodType | undefined = Settings;
  for (const key of path) schema = schema && childOf(schema, key);
  const bare = schema && unwrap(schema).schema;
  return bare instanceof z.core.$ZodObject ? Object.keys(bare._zod.def.shape) : undefined;
}

/**
 * Returns the schema of a member of a section, a map, or a list (a number as the key); undefined where there is none.
 */
export function childOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const { schema: bare } = unwrap(schema);
  if (bare instanceof z.core.$ZodObject) return bare._zod.def.shape[key];
  if (bare instanceof z.core.$ZodRecord) return bare._zod.def.valueType;
  if (bare instanceof z.core.$ZodArray) return /^\d+$/.test(key) ? bare._zod.def.element : undefined;
  return undefined;
}

/** Takes default, optional and nullable off a schema, and tells what they and its marks say. */
export function unwrap(schema: z.core.$ZodType): UnwrappedSchema {
  let nullable = false;
  let secret = false;
  let path = false;
  let bare = schema;
  for (;;) {
    const marks = z.globalRegistry.get(bare);
    secret ||= marks?.secret === true;
    path ||= marks?.path === true;
    nullable ||= bare instanceof z.core.$ZodNullable;
    if (
      bare instanceof z.core.$ZodOptional ||
      bare instanceof z.core.$ZodNullable ||
      bare instanceof z.core.$ZodDefault ||
      bare instanceof z.core.$ZodPrefault
    ) {
      bare = bare._zod.def.innerType;
    } else {
      return { schema: bare, nullable, secret, path };
    }
  }
}

function kindOf(bare: z.core.$ZodType): LeafKind {
  if (bare instanceof z.core.$ZodNumber) return 'number';
  if (bare instanceof z.core.$ZodBoolean) return 'boolean';
  if (bare instanceof z.core.$ZodArray && kindOf(unwrap(bare._zod.def.element).schema) === 'text')
    return 'list';
  if (bare instanceof z.core.$ZodUnion) {
    const kinds = bare._zod.def.options.map(option => kindOf(unwrap(option).schema));
    return kinds.includes('text') && kinds.includes('list') ? 'text_or_list' : 'json';
  }
  return bare instanceof z.core.$ZodString || bare instanceof z.core.$ZodEnum ? 'text' : 'json';
}
