/** Whether what a server calls an input schema is one: a provider that is sent another refuses the whole request. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { JsonObject } from '@chat-kernel/protocol';
import { Ajv } from '@modelcontextprotocol/client/validators/ajv';
import { headerMistake } from './header-check.ts';
import { cut, SCHEMA_CHARS } from '../rules/limits.ts';

/** Each value of an enumeration is held against each other one: looking at more of them would take seconds. */
const VALUES_CHECKED = 200;

// Schemas are held against the schema of schemas, and not compiled: that would take a second for a large one.
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

/**
 * Why it cannot describe the input of a tool; undefined where it can. Others get their turn before it is looked at.
 * @param mirrorsHeaders calls go over HTTP in a revision where servers may want parameters as headers
 */
export async function schemaMistake(
  { $schema: _, ...schema }: JsonObject,
  mirrorsHeaders: boolean,
): Promise<string | undefined> {
  if (schema.type !== undefined && schema.type !== 'object') return 'its input is no object';
  await breathe();
  try {
    const references: string[] = [];
    const text = JSON.stringify(schema, (key, value) => {
      if (key === '$ref' && typeof value === 'string') references.push(value);
      return value;
    });
    if (text.length > SCHEMA_CHARS) return `its input schema has more than ${SCHEMA_CHARS} characters`;
    const checked = JSON.parse(text, (key, value) =>
      key === 'enum' && Array.isArray(value) ? value.slice(0, VALUES_CHECKED) : value,
    );
    if (!ajv.validateSchema(checked)) return none(ajv.errorsText(ajv.errors, { dataVar: 'schema' }));
    const astray = references.find(reference => !leadsSomewhere(reference, schema));
    if (astray !== undefined) return none(`it has nothing at ${astray}`);
    return mirrorsHeaders ? headerMistake(schema) : undefined;
  } catch (error) {
    // Such as schemas in schemas in schemas, until the stack is full.
    return none(error instanceof Error ? error.message : String(error));
  }
}

/** References to other documents lead nowhere: nobody fetches them. */
function leadsSomewhere(reference: string, schema: JsonObject): boolean {
  if (!reference.startsWith('#')) return false;
  // The name of an anchor, or the schema itself.
  if (!reference.startsWith('#/')) return true;
  let place: unknown = schema;
  for (const step of decodeURIComponent(reference.slice(2)).split('/')) {
    if (typeof place !== 'object' || place === null) return false;
    place = (place as JsonObject)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return place !== undefined;
}

const none = (reason: string): string => `its input schema is none: ${cut(reason, 200)}`;
