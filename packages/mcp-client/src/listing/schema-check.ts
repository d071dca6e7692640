/** Checks what a tool must have to be called. Providers accept any input schema, because it is fitted to their rules. */
import { setImmediate as breathe } from 'node:timers/promises';
import { isTooDeep, type JsonObject } from '@chat-kernel/protocol';
import { SCHEMA_CHARS, SCHEMA_LEVELS } from '../rules/limits.ts';
import { headerMistake } from './header-check.ts';

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
