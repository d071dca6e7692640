/** JSON Schemas that come from outside: read leniently, compiled once, and held against the inputs of calls. */
import { createContext, Script } from 'node:vm';
import type { JsonObject } from '@chat-kernel/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** Clients send the same schemas turn after turn. */
const KEPT = 500;
/** Characters of one schema. To compile a larger one would keep all chats waiting. */
const MAX_CHARS = 100_000;
/** More mistakes than this help no model. */
const MOST_MISTAKES = 20;
/** A pattern that a text takes longer with than this fits no text. */
const PATTERN_MS = 100;

/** Schema as JSON → its check, the one used longest ago first. */
const compiled = new Map<string, ValidateFunction>();

/** Why the schema cannot describe the input of a tool; undefined where it can. */
export function schemaMistake(schema: JsonObject): string | undefined {
  if (schema.type !== undefined && schema.type !== 'object') {
    return 'The input of a tool is an object: its schema must have the type object.';
  }
  const { length } = JSON.stringify(schema);
  if (length > MAX_CHARS) return `The schema has ${length} characters, and may have ${MAX_CHARS}.`;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return `This is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What does not fit, a sentence each; empty where all does. @throws Error where the schema is none, or takes too long */
export function inputMistakes(schema: JsonObject, input: JsonObject): string[] {
  const validate = compile(schema);
  return validate(input) ? [] : (validate.errors ?? []).slice(0, MOST_MISTAKES).map(sentence);
}

/** `$async` would make a promise of the check, which nobody waits for. */
function compile({ $schema: _, $async: __, ...schema }: JsonObject): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? compileAlone(schema);
  compiled.delete(key);
  compiled.set(key, validate);
  if (compiled.size > KEPT) compiled.delete(compiled.keys().next().value as string);
  return validate;
}

/** With a compiler of its own: one remembers the names in its schemas, and the next might mean another thing by them. */
function compileAlone(schema: JsonObject): ValidateFunction {
  judge.validateSchema(schema, true);
  return compiler({ meta: false, validateSchema: false }).compile(schema);
}

// What a schema says beyond its draft is not ours to judge.
function compiler(options: { meta?: false; validateSchema?: false } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    unicodeRegExp: false,
    logger: false,
    code: { regExp: Object.assign(patternOf, { code: 'patternOf' }) },
    ...options,
  });
  ajvFormats.default(ajv);
  return ajv;
}
/** Knows what a schema is. */
const judge = compiler();

function sentence({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'input';
  const named = params.additionalProperty ?? params.allowedValues;
  return `${place}: ${message}${named === undefined ? '' : ` (${[named].flat().join(', ')})`}`;
}

/** A pattern can be made to take years with a short text: it is stopped, and with it the call. */
function patternOf(pattern: string, flags: string): { test(text: string): boolean } {
  const regex = new RegExp(pattern, flags);
  return {
    test(text) {
      Object.assign(world, { regex, text });
      try {
        return MATCH.runInContext(world, { timeout: PATTERN_MS });
      } catch (cause) {
        throw new Error(`the pattern ${pattern.slice(0, 200)} takes too long`, { cause });
      }
    },
  };
}
const world = createContext({});
const MATCH = new Script('regex.test(text)');
