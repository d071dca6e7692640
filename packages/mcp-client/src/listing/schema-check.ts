/** Checks what a tool must have to be called. Providers accept any input schema, because it is fitted to their rules. */
import { setImmediate as breathe } from 'node:timers/promises';
import { isTooDeep, type JsonObject } from '@chat-kernel/protocol';
import { SCHEMA_CHARS, SCHEMA_LEVELS } from '../rules/limits.ts';

/**
 * Returns why a schema cannot describe the input of a tool; undefined if it can. Other work runs between two checks.
 * @param mirrorsHeaders whether calls use HTTP, in a revision in which servers may require parameters as headers
 */
export async function schemaMistake(
  { $schema: _, ...schema }: JsonObject,
  mirrorsHeaders: boolean,
): Promise<string | undefined> {
  if (schema.type !== undefined && schema.type !== 'object')
    return 'its input schema does not have the type object';
  await breathe();
  if (isTooDeep(schema, SCHEMA_LEVELS)) return `its input schema has more than ${SCHEMA_LEVELS} levels`;
  if (JSON.stringify(schema).length > SCHEMA_CHARS)
    return `its input schema has more than ${SCHEMA_CHARS} characters`;
  return mirrorsHeaders ? headerMistake(schema) : undefined;
}

const WISH = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** The keywords whose values are data, not schemas. */
const DATA = ['const', 'default', 'enum', 'examples'];

/** Returns why the headers cannot be sent; undefined if they can, or if the schema requires none. */
function headerMistake(schema: JsonObject): string | undefined {
  const taken = new Set<string>();

  /** @param named whether the node is the input itself, or a property that can occur only once in it */
  function visit(node: unknown, named: boolean, isInput = false): string | undefined {
    if (typeof node !== 'object' || node === null) return undefined;
    const { properties, ...others } = node as JsonObject;
    if (WISH in others) {
      const mistake = wishMistake(others, named && !isInput);
      if (mistake) return mistake;
    }
    const children = typeof properties === 'object' && properties !== null ? Object.values(properties) : [];
    const rest = Object.entries(others).filter(([key]) => !DATA.includes(key));
    return first(children, child => visit(child, named)) ?? first(rest, ([, child]) => visit(child, false));
  }

  function wishMistake({ [WISH]: header, type }: JsonObject, named: boolean): string | undefined {
    if (!named) return 'it maps a header to a value that may occur several times';
    if (typeof header !== 'string' || !TOKEN.test(header)) return 'it requires a header with an invalid name';
    if (!TYPES.includes(type))
      return `it maps the header ${header} to a value that is not a string, integer or boolean`;
    if (taken.has(header.toLowerCase())) return `it requires the header ${header} twice`;
    taken.add(header.toLowerCase());
    return undefined;
  }

  return visit(schema, true, true);
}

function first<Each>(all: readonly Each[], mistake: (each: Each) => string | undefined): string | undefined {
  for (const each of all) {
    const found = mistake(each);
    if (found) return found;
  }
  return undefined;
}
