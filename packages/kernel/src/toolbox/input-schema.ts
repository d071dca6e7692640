/** JSON Schemas that come from outside: read leniently, compiled once, and used to check the inputs of calls. */
import { createContext, Script } from 'node:vm';
import type { JsonObject } from '@chat-kernel/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** The most compiled schemas that are kept: clients send the same ones turn after turn. */
const KEPT = 500;
/** The longest schema, in characters. To compile a larger one would keep all chats waiting. */
const MAX_CHARS = 100_000;
/** The most mistakes in one error: more would not help a model. */
const MOST_MISTAKES = 20;
/** The longest time in which a pattern of a schema may match a text. */
const PATTERN_MS = 100;

/** The check of each schema, by the schema as JSON, the one used longest ago first. */
const compiled = new Map<string, ValidateFunction>();

/** The reason why a schema cannot describe the input of a tool; undefined where it can. */
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

/**
 * The mistakes of an input, a sentence each; empty where it fits.
 * @throws Error where the schema is none, or takes too long
 */
export function inputMistakes(schema: JsonObject, input: JsonObject): string[] {
  const validate = compile(schema);
  return validate(input) ? [] : (validate.errors ?? []).slice(0, MOST_MISTAKES).map(sentence);
}

/** The check of a schema. `$async` is left out: it would make the check a promise, which nothing here waits for. */
function compile({ $schema: _, $async: __, ...schema }: JsonObject): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? compileAlone(schema);
  compiled.delete(key);
  compiled.set(key, validate);
  if (compiled.size > KEPT) compiled.delete(compiled.keys().next().value as string);
  return validate;
}

/**
 * Compiles with a new compiler: one compiler remembers the names in its schemas, and the next schema might mean
 * another thing by them.
 */
function compileAlone(schema: JsonObject): ValidateFunction {
  judge.validateSchema(schema, true);
  return compiler({ meta: false, validateSchema: false }).compile(schema);
}

// The compiler is lenient: keywords that the draft of JSON Schema does not have are left alone.
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
/** The compiler that checks whether a schema is one. */
const judge = compiler();

function sentence({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'input';
  const named = params.additionalProperty ?? params.allowedValues;
  return `${place}: ${message}${named === undefined ? '' : ` (${[named].flat().join(', ')})`}`;
}

/**
 * A pattern that runs with a limit of time: some patterns take years with a short text. Above the limit the call
 * fails.
 */
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
