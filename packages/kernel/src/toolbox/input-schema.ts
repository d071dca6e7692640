/** JSON Schemas that come from outside: read leniently, compiled once, and held against the inputs of calls. */
import type { JsonObject } from '@chat-kernel/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** Clients send the same schemas turn after turn. */
const KEPT = 500;
/** More mistakes than this help no model. */
const MOST_MISTAKES = 20;

// What a schema says beyond its draft is not ours to judge.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  unicodeRegExp: false,
  addUsedSchema: false,
  logger: false,
});
ajvFormats.default(ajv);

/** Schema as JSON → its check, the one used longest ago first. */
const compiled = new Map<string, ValidateFunction>();

/** Why the schema cannot describe the input of a tool; undefined where it can. */
export function schemaMistake(schema: JsonObject): string | undefined {
  if (schema.type !== undefined && schema.type !== 'object') {
    return 'The input of a tool is an object: its schema must have the type object.';
  }
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return `This is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What does not fit, a sentence each; empty where all does. @throws Error where the schema is none */
export function inputMistakes(schema: JsonObject, input: JsonObject): string[] {
  const validate = compile(schema);
  return validate(input) ? [] : (validate.errors ?? []).slice(0, MOST_MISTAKES).map(sentence);
}

function compile({ $schema: _, ...schema }: JsonObject): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  const validate = known ?? ajv.compile(schema);
  // What stays is kept here, and not a second time by the compiler.
  if (known === undefined) ajv.removeSchema(schema);
  compiled.delete(key);
  compiled.set(key, validate);
  if (compiled.size > KEPT) compiled.delete(compiled.keys().next().value as string);
  return validate;
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'input';
  const named = params.additionalProperty ?? params.allowedValues;
  return `${place}: ${message}${named === undefined ? '' : ` (${[named].flat().join(', ')})`}`;
}
