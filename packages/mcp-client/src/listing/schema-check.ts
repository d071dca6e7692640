/** Checks the input schemas of a server: a provider that receives an invalid one rejects the whole request. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { JsonObject } from '@chat-kernel/protocol';
import { Ajv } from '@modelcontextprotocol/client/validators/ajv';
import { cut, SCHEMA_CHARS } from '../rules/limits.ts';
import { headerMistake } from './header-check.ts';

/** The values of an enumeration are compared pairwise; more of them would take seconds. */
const VALUES_CHECKED = 200;

// Schemas are validated against the meta-schema, not compiled: compiling a large one would take a second.
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

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
    if (astray !== undefined) return invalid(`${astray} does not exist`);
    return mirrorsHeaders ? headerMistake(schema) : undefined;
  } catch (error) {
    // A deeply nested schema can overflow the stack.
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Whether a reference has a target. References to other documents have none, because the kernel does not fetch them.
 */
function leadsSomewhere(reference: string, schema: JsonObject): boolean {
  if (!reference.startsWith('#')) return false;
  // Anchors and the schema itself are not looked up.
  if (!reference.startsWith('#/')) return true;
  let target: unknown = schema;
  for (const step of decodeURIComponent(reference.slice(2)).split('/')) {
    if (typeof target !== 'object' || target === null) return false;
    target = (target as JsonObject)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return target !== undefined;
}

const invalid = (reason: string): string => `its input schema is invalid: ${cut(reason, 200)}`;
