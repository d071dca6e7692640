/** Traverses the settings schema. Environment variables, `--set`, paths and redaction use its leaves. */
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';

/** How the text of a variable or flag is parsed. */
type LeafKind = 'text' | 'number' | 'boolean' | 'list' | 'text_or_list' | 'json';
export interface Leaf {
  path: readonly string[];
  kind: LeafKind;
  /** Whether the text `null` means null. */
  nullable: boolean;
}
interface UnwrappedSchema {
  schema: z.core.$ZodType;
  nullable: boolean;
  /** Whether the value is secret. */
  secret: boolean;
  /** Whether the value is a local path. */
  path: boolean;
}

/** Returns all settings except sections, in schema order. */
export function settingLeaves(schema: z.core.$ZodType = Settings, path: readonly string[] = []): Leaf[] {
  const { schema: bare, nullable } = unwrap(schema);
  if (!(bare instanceof z.core.$ZodObject)) return [{ path, kind: leafKind(bare), nullable }];
  return Object.entries(bare._zod.def.shape).flatMap(([key, child]) => settingLeaves(child, [...path, key]));
}

/**
 * Returns the setting at this path, including inside records (`llm.providers.mine.api_key`), or undefined.
 */
export function settingAt(path: readonly string[]): Leaf | undefined {
  const found = schemaAt(path);
  return found && { path, kind: leafKind(found.schema), nullable: found.nullable };
}

/** Returns the keys of a section; undefined if the path is not a section. */
export function knownKeys(path: readonly string[]): string[] | undefined {
  const bare = schemaAt(path)?.schema;
  return bare instanceof z.core.$ZodObject ? Object.keys(bare._zod.def.shape) : undefined;
}

function schemaAt(path: readonly string[]): UnwrappedSchema | undefined {
  let schema: z.core.$ZodType | undefined = Settings;
  for (const key of path) schema = schema && findChildSchema(schema, key);
  return schema && unwrap(schema);
}

/**
 * Returns the schema of a member of a section, a map, or a list (a number as the key), or undefined.
 */
export function findChildSchema(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const { schema: bare } = unwrap(schema);
  if (bare instanceof z.core.$ZodObject) return bare._zod.def.shape[key];
  if (bare instanceof z.core.$ZodRecord) return bare._zod.def.valueType;
  if (bare instanceof z.core.$ZodArray) return /^\d+$/.test(key) ? bare._zod.def.element : undefined;
  return undefined;
}

/** Unwraps default, optional and nullable, and returns their meaning and the marks of the schema. */
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

function leafKind(bare: z.core.$ZodType): LeafKind {
  if (bare instanceof z.core.$ZodNumber) return 'number';
  if (bare instanceof z.core.$ZodBoolean) return 'boolean';
  if (bare instanceof z.core.$ZodArray && leafKind(unwrap(bare._zod.def.element).schema) === 'text')
    return 'list';
  if (bare instanceof z.core.$ZodUnion) {
    const kinds = bare._zod.def.options.map(option => leafKind(unwrap(option).schema));
    return kinds.includes('text') && kinds.includes('list') ? 'text_or_list' : 'json';
  }
  return bare instanceof z.core.$ZodString || bare instanceof z.core.$ZodEnum ? 'text' : 'json';
}
