/** Parses external JSON Schemas leniently, compiles them once, and checks the inputs of calls. */
import { createContext, Script } from 'node:vm';
import { BoundedMap } from '@chat-kernel/base';
import type { JsonObject } from '@chat-kernel/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Tool, ToolOutput } from '../ports/index.ts';

/** The maximum number of compiled schemas that are cached: clients send the same ones in every turn. */
const MAX_CACHED_SCHEMAS = 500;
/** The maximum length of a schema in characters. Compiling a larger one would block all chats. */
const MAX_CHARS = 100_000;
/** The maximum number of mistakes in one error: more would not help a model. */
const MAX_MISTAKES = 20;
/**
 * The maximum time of the check of an input. Some patterns take years with a short text; some schemas compare all elements
 * of a list pairwise, or look at each level of an input twice as often as at the one above.
 */
const CHECK_MS = 250;
/** The maximum number of attempts of what was stopped before it got half of its time on a processor. */
const MAX_ATTEMPTS = 5;

/** The compiler of each schema, by the schema as JSON, the least recently used one first. */
const compiled = new BoundedMap<string, Ajv2020>(MAX_CACHED_SCHEMAS);
/** The name of its schema in a compiler. */
const ROOT = 'input';

/** The reason why a schema cannot describe the input of a tool; undefined if it can. */
export function schemaMistake(schema: JsonObject): string | undefined {
  if (schema.type !== undefined && schema.type !== 'object') {
    return 'The input of a tool must be an object: set the type of its schema to object.';
  }
  const { length } = JSON.stringify(schema);
  if (length > MAX_CHARS) return `The schema has ${length} characters; the limit is ${MAX_CHARS}.`;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return `This is not a valid JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * The mistakes of an input, a sentence each. Empty if it matches, and if the schema cannot be compiled: that of an MCP
 * server may use another draft, and the server checks its input itself.
 * @throws Error if the check or a pattern takes too long
 */
export function inputMistakes(schema: JsonObject, input: JsonObject): string[] {
  if (schemaMistake(schema) !== undefined) return [];
  const validate = validatorOf(compile(schema));
  const isValid = runLimited(() => validate(input));
  return isValid ? [] : (validate.errors ?? []).slice(0, MAX_MISTAKES).map(sentence);
}

/** Whether a value matches a part of a schema. @param pointer the JSON pointer of the part; empty: the whole schema */
export type PartCheck = (pointer: string, value: unknown) => boolean;

/**
 * Does some work with the checks of all parts of a schema, in the time that the check of one input has.
 * @throws Error if the work takes too long, or the schema cannot be compiled
 */
export function withPartChecks<Result>(schema: JsonObject, work: (matches: PartCheck) => Result): Result {
  const compiler = compile(schema);
  const checks = new Map<string, ValidateFunction>();
  const matches: PartCheck = (pointer, value) => {
    const check = checks.get(pointer) ?? validatorOf(compiler, pointer);
    checks.set(pointer, check);
    return check(value);
  };
  try {
    return runLimited(() => work(matches));
  } catch (error) {
    // The work may have been stopped while a part was being compiled.
    forget(compiler);
    throw error;
  }
}

/** A compiler that has the schema. `$async` is left out: it would make the check a promise, which no caller awaits. */
function compile({ $schema: _, $async: __, ...schema }: JsonObject): Ajv2020 {
  const key = JSON.stringify(schema);
  const compiler = compiled.get(key) ?? compileAlone(schema);
  compiled.set(key, compiler);
  return compiler;
}

function forget(compiler: Ajv2020): void {
  for (const [key, each] of compiled) if (each === compiler) compiled.delete(key);
}

/** The check of a part, which is compiled when it is first needed. */
function validatorOf(compiler: Ajv2020, pointer = ''): ValidateFunction {
  const validate = compiler.getSchema(pointer === '' ? ROOT : `${ROOT}#${pointer}`);
  if (validate === undefined) throw new Error(`The schema has no part ${pointer}.`);
  return validate;
}

/**
 * Compiles with a new compiler: a compiler remembers the names in its schemas, and the next schema might use them
 * differently.
 */
function compileAlone(schema: JsonObject): Ajv2020 {
  judge.validateSchema(schema, true);
  const alone = compiler({ meta: false, validateSchema: false }).addSchema(schema, ROOT);
  validatorOf(alone);
  return alone;
}

// The compiler is lenient: it ignores keywords that the draft of JSON Schema does not have.
function compiler(options: { meta?: false; validateSchema?: false } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    unicodeRegExp: false,
    logger: false,
    code: { regExp: Object.assign(compilePattern, { code: 'patternOf' }) },
    ...options,
  });
  ajvFormats.default(ajv);
  return ajv;
}
/** The compiler that validates schemas. */
const judge = compiler();

function sentence({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'input';
  const named = params.additionalProperty ?? params.allowedValues;
  return `${place}: ${message}${named === undefined ? '' : ` (${[named].flat().join(', ')})`}`;
}

/** The name of the running work, for the error about a check that takes too long. */
let running = '';

function compilePattern(pattern: string, flags: string): { test(text: string): boolean } {
  const regex = new RegExp(pattern, flags);
  return {
    test(text) {
      const before = running;
      running = `the pattern ${pattern.slice(0, 200)}`;
      const matches = regex.test(text);
      running = before;
      return matches;
    },
  };
}

/** Runs a check with a time limit. @throws Error that names what takes too long */
function runLimited<Result>(work: () => Result): Result {
  for (let attempt = 1; ; attempt++) {
    const before = process.threadCpuUsage();
    try {
      running = 'the check of this input';
      world.work = work;
      return RUN.runInContext(world, { timeout: CHECK_MS });
    } catch (cause) {
      if (!isTimeout(cause)) throw cause;
      // The limit is wall time: if the machine was suspended, the work has hardly run.
      const { user, system } = process.threadCpuUsage(before);
      if (user + system < (CHECK_MS * 1000) / 2 && attempt < MAX_ATTEMPTS) continue;
      throw new Error(`${running} takes too long`, { cause });
    }
  }
}

/** The error comes from another context, so its class is a different one. */
const isTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const world: { work?: () => unknown } = createContext({});
const RUN = new Script('work()');

/**
 * The rejection of an input that does not match the schema of its tool; undefined if it matches. Built-in tools check
 * their input themselves.
 * @throws Error if a pattern of the schema takes too long
 */
export function inputRefusal(
  { name, source, input_schema }: Pick<Tool, 'name' | 'source' | 'input_schema'>,
  input: JsonObject,
): ToolOutput | undefined {
  if (source === 'builtin') return undefined;
  const mistakes = inputMistakes(input_schema, input);
  if (mistakes.length === 0) return undefined;
  const list = mistakes.map(mistake => `- ${mistake}`).join('\n');
  return {
    output: `The input does not match the schema of ${name}:\n${list}`,
    is_error: true,
    refused: true,
  };
}
