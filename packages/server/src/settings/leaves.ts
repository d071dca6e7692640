/** The settings schema as a list of leaves: what environment variables, `--set` and redaction go by. */
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';

/** How the text of a variable or a flag becomes a value. */
export type LeafKind = 'text' | 'number' | 'boolean' | 'list' | 'json';
export interface Leaf {
  path: readonly string[];
  kind: LeafKind;
  /** The text `null` means null. */
  nullable: boolean;
}
interface Bare {
  schema: z.core.$ZodType;
  nullable: boolean;
  secret: boolean;
}

/** Every setting that is no section, in the order of the schema. */
export function settingLeaves(schema: z.core.$ZodType = Settings, path: readonly string[] = []): Leaf[] {
  const { schema: bare, nullable } = unwrap(schema);
  if (!(bare instanceof z.core.$ZodObject)) return [{ path, kind: kindOf(bare), nullable }];
  return Object.entries(bare._zod.def.shape).flatMap(([key, child]) => settingLeaves(child, [...path, key]));
}

/** The setting at this path, inside records too (`llm.providers.mine.api_key`); undefined where there is none. */
export function settingAt(path: readonly string[]): Leaf | undefined {
  let schema: z.core.$ZodType | undefined = Settings;
  for (const key of path) schema = schema && childOf(schema, key);
  if (!schema) return undefined;
  const { schema: bare, nullable } = unwrap(schema);
  return { path, kind: kindOf(bare), nullable };
}

/** Keys that a section knows; undefined for what is no section. */
export function knownKeys(path: readonly string[]): string[] | undefined {
  let schema: z.core.$ZodType | undefined = Settings;
  for (const key of path) schema = schema && childOf(schema, key);
  const bare = schema && unwrap(schema).schema;
  return bare instanceof z.core.$ZodObject ? Object.keys(bare._zod.def.shape) : undefined;
}

/** The schema of a member, or undefined; numbers go into lists. */
export function childOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const { schema: bare } = unwrap(schema);
  if (bare instanceof z.core.$ZodObject) return bare._zod.def.shape[key];
  if (bare instanceof z.core.$ZodRecord) return bare._zod.def.valueType;
  if (bare instanceof z.core.$ZodArray) return /^\d+$/.test(key) ? bare._zod.def.element : undefined;
  return undefined;
}

/** Takes defaults, optional and nullable off a schema and remembers what they said. */
export function unwrap(schema: z.core.$ZodType): Bare {
  let nullable = false;
  let secret = false;
  let bare = schema;
  for (;;) {
    secret ||= z.globalRegistry.get(bare)?.secret === true;
    nullable ||= bare instanceof z.core.$ZodNullable;
    if (
      bare instanceof z.core.$ZodOptional ||
      bare instanceof z.core.$ZodNullable ||
      bare instanceof z.core.$ZodDefault ||
      bare instanceof z.core.$ZodPrefault
    ) {
      bare = bare._zod.def.innerType;
    } else {
      return { schema: bare, nullable, secret };
    }
  }
}

function kindOf(bare: z.core.$ZodType): LeafKind {
  if (bare instanceof z.core.$ZodNumber) return 'number';
  if (bare instanceof z.core.$ZodBoolean) return 'boolean';
  if (bare instanceof z.core.$ZodArray && kindOf(unwrap(bare._zod.def.element).schema) === 'text')
    return 'list';
  return bare instanceof z.core.$ZodString || bare instanceof z.core.$ZodEnum ? 'text' : 'json';
}
