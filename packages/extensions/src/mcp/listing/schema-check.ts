/** Checks the input schemas of a server: a provider that gets an invalid one refuses the whole request. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { JsonObject } from '@chat-kernel/protocol';
import { Ajv } from '@modelcontextprotocol/client/validators/ajv';
import { cut, SCHEMA_CHARS } from '../rules/limits.ts';
import { headerMistake } from './header-check.ts';

/** The values of an enumeration are compared with each other. To check more of them would take seconds. */
const VALUES_CHECKED = 200;

// Schemas are checked against the schema of schemas, and not compiled: to compile a large one would take a second.
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

/**
 * Returns why a schema cannot describe the input of a tool; undefined where it can. Other work runs between two checks.
 * @param mirrorsHeaders calls go over HTTP, in a revision in which servers may want parameters as headers
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
    if (!ajv.validateSchema(checked)) return invalid(ajv.errorsText(ajv.errors, { dataVar: 'schema' }));
    const astray = references.find(reference => !leadsSomewhere(reference, schema));
    if (astray !== undefined) return invalid(`it has nothing at ${astray}`);
    return mirrorsHeaders ? headerMistake(schema) : undefined;
  } catch (error) {
    // A schema may be nested so deeply that the stack is full.
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a reference has a target. References to other documents have none: the kernel does not fetch them. */
function leadsSomewhere(reference: string, schema: JsonObject): boolean {
  if (!reference.startsWith('#')) return false;
  // Anchors, and the schema itself, are not looked up.
  if (!reference.startsWith('#/')) return true;
  let target: unknown = schema;
  for (const step of decodeURIComponent(reference.slice(2)).split('/')) {
    if (typeof target !== 'object' || target === null) return false;
    target = (target as JsonObject)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return target !== undefined;
}

const invalid = (reason: string): string => `its input schema is none: ${cut(reason, 200)}`;
