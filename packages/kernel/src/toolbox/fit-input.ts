/**
 * Converts inputs of a near type, such as "1" for an integer or a list as JSON text: models send them often, and would
 * repeat them after an error. A value is converted only if it does not match its schema and exactly one reading of it
 * does, so the schema leaves no doubt about its meaning.
 */
import type { JsonObject } from '@chat-kernel/protocol';
import { wellFormed } from '@chat-kernel/text';
import { type PartCheck, schemaMistake, withPartChecks } from './input-schema.ts';

/** The levels of a schema or of JSON text up to which values are converted. */
const MAX_DEPTH = 64;

/**
 * Returns the input itself if it matches, or if it cannot be converted; else a converted copy, which matches.
 * @param schema of the tool, with properties, items, unions and references to its own parts
 */
export function fitInput(schema: JsonObject, input: JsonObject): { input: JsonObject; matches: boolean } {
  // Such a schema of an MCP server is left to the server.
  if (schemaMistake(schema) !== undefined) return { input, matches: false };
  try {
    return withPartChecks(schema, matches => {
      if (matches('', input)) return { input, matches: true };
      const fitted = new Fitting(schema, matches).fit(input, { schema, pointer: '', depth: 0 });
      return matches('', fitted) ? { input: fitted as JsonObject, matches: true } : { input, matches: false };
    });
  } catch {
    // The check before the call runs reports an input that takes too long or is nested too deeply.
    return { input, matches: false };
  }
}

/** The input that a model sent as a text within JSON; undefined if the text contains no such input. */
export function inputInText(json: string): JsonObject | undefined {
  try {
    const [input] = toObject(JSON.parse(json));
    return input as JsonObject | undefined;
  } catch {
    // Text that is not JSON is returned to the model with an error.
    return undefined;
  }
}

/** A part of the schema that a value must match. */
interface Part {
  schema: unknown;
  pointer: string;
  depth: number;
}

class Fitting {
  readonly #root: JsonObject;
  readonly #matches: PartCheck;

  constructor(root: JsonObject, matches: PartCheck) {
    this.#root = root;
    this.#matches = matches;
  }

  /** Returns the value itself if it matches, or if it has no or several readings; else its only reading. */
  fit(value: unknown, part: Part): unknown {
    if (!isObject(part.schema) || part.depth > MAX_DEPTH || this.#matches(part.pointer, value)) return value;
    const { allOf = [], anyOf = [], oneOf = [], $ref } = part.schema;
    const all = [
      ...(typeof $ref === 'string' ? this.#target($ref, part) : []),
      ...branches(allOf, 'allOf', part),
    ];
    const joined = all.reduce((fitted, each) => this.fit(fitted, each), value);
    // The branches convert what the other keywords leave.
    const inner = this.#inner(joined, part);
    const direct = this.#only([inner, ...this.#readings(joined, part)], part);
    if (direct !== undefined) return direct.value;
    const unions = [...branches(anyOf, 'anyOf', part), ...branches(oneOf, 'oneOf', part)];
    const only = this.#only(
      unions.map(branch => this.fit(inner, branch)),
      part,
    );
    return only === undefined ? inner : only.value;
  }

  /** The reading that matches the part, if there is exactly one. */
  #only(readings: readonly unknown[], { pointer }: Part): { value: unknown } | undefined {
    const [first, ...others] = readings.filter(reading => this.#matches(pointer, reading));
    if (first === undefined) return undefined;
    const json = JSON.stringify(first);
    return others.every(other => JSON.stringify(other) === json) ? { value: first } : undefined;
  }

  /** The value as each other type that the part allows. */
  #readings(value: unknown, part: Part): unknown[] {
    const schema = part.schema as JsonObject;
    const listed = [schema.enum ?? [], 'const' in schema ? schema.const : []].flat();
    const types = schema.type === undefined ? listed.map(typeName) : [schema.type].flat();
    return [...new Set(types)]
      .flatMap(type => convert(value, String(type), listed))
      .map(reading => this.#inner(reading, part));
  }

  /** The value with properties and items that fit their schemas. */
  #inner(value: unknown, part: Part): unknown {
    const { properties, additionalProperties, required, patternProperties, prefixItems, items } =
      part.schema as JsonObject;
    if (Array.isArray(value)) {
      const leading = Array.isArray(prefixItems) ? prefixItems : [];
      return value.map((item, index) =>
        index < leading.length
          ? this.fit(item, inside(part, leading[index], 'prefixItems', index))
          : this.fit(item, inside(part, items, 'items')),
      );
    }
    if (!isObject(value)) return value;
    const declared = isObject(properties) ? properties : {};
    const needed = Array.isArray(required) ? required : [];
    const entries = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
      if (!Object.hasOwn(declared, name)) {
        if (patternProperties !== undefined) return [[name, child]];
        return [[name, this.fit(child, inside(part, additionalProperties, 'additionalProperties'))]];
      }
      const property = inside(part, declared[name], 'properties', name);
      // Many models send all properties, and null for those that they mean to leave out.
      if (child === null && !needed.includes(name) && !this.#matches(property.pointer, null)) return [];
      return [[name, this.fit(child, property)]];
    });
    return Object.fromEntries(entries);
  }

  /** The part that a reference leads to; empty if it leads elsewhere. */
  #target($ref: string, { depth }: Part): Part[] {
    if ($ref !== '#' && !$ref.startsWith('#/')) return [];
    let schema: unknown = this.#root;
    let pointer = '';
    for (const encoded of $ref.split('/').slice(1)) {
      const name = decodeURIComponent(encoded).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, name)) return [];
      schema = (schema as JsonObject)[name];
      pointer += step(name);
    }
    return [{ schema, pointer, depth: depth + 1 }];
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const step = (name: string | number): string =>
  `/${encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1'))}`;

const inside = ({ pointer, depth }: Part, schema: unknown, ...names: (string | number)[]): Part => ({
  schema,
  pointer: pointer + names.map(step).join(''),
  depth: depth + 1,
});

const branches = (schemas: unknown, keyword: string, part: Part): Part[] =>
  Array.isArray(schemas) ? schemas.map((schema, index) => inside(part, schema, keyword, index)) : [];

/** The name of the type of a JSON value in schemas. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The reading of a value as a type, in a list; empty if there is none, and if the value is of this type. */
function convert(value: unknown, type: string, listed: readonly unknown[]): unknown[] {
  switch (type) {
    case 'number':
    case 'integer':
      return typeof value === 'string' ? parseNumber(value) : [];
    case 'boolean':
      return WORDS.filter(word => typeof value === 'string' && value.toLowerCase() === String(word));
    case 'null':
      return value === 'null' ? [null] : [];
    case 'object':
      return toObject(value);
    case 'array':
      return toList(value);
    case 'string':
      // Any other text could differ from what the model wrote: JSON has the same number for 1.1 and 1.10.
      return listed.filter(each => typeof each === 'string' && isPlain(value) && each === String(value));
    default:
      return [];
  }
}

const WORDS = [true, false];
const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** The list that a text contains as JSON, or the list of a single value. */
function toList(value: unknown): unknown[] {
  if (value === null || Array.isArray(value)) return [];
  if (typeof value !== 'string') return [[value]];
  const parsed = parseJson(value);
  if (Array.isArray(parsed?.value)) return parsed.isExact ? [parsed.value] : [];
  // Such a text may mean an empty list, no list, or a list that is not valid JSON.
  return ['', 'null'].includes(value.trim()) || value.trimStart().startsWith('[') ? [] : [[value]];
}

/** The object that a text contains as JSON. */
function toObject(value: unknown): unknown[] {
  const parsed = parseJson(value);
  return parsed?.isExact && isObject(parsed.value) ? [parsed.value] : [];
}

/**
 * The list or object that a text contains as JSON; undefined if it contains none. Not `isExact`: it would lose digits, or
 * is nested too deeply.
 */
function parseJson(value: unknown): { value: unknown; isExact: boolean } | undefined {
  if (typeof value !== 'string' || !['[', '{'].includes(value.trimStart().charAt(0))) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    const isExact = isShallow(parsed, MAX_DEPTH) && keepsNumbers(value);
    // The text may contain escaped halves of characters.
    return { value: isExact ? wellFormed(parsed) : parsed, isExact };
  } catch {
    // Text that is not JSON is a value like any other.
    return undefined;
  }
}

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every(child => isShallow(child, levels - 1)));

/** Whether all numbers in JSON text keep their digits. */
function keepsNumbers(json: string): boolean {
  // bounded: the text is valid JSON, so each quotation mark has its end.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*/g)) {
    if (!token.startsWith('"') && !keepsDigits(token)) return false;
  }
  return true;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const parseNumber = (text: string): number[] =>
  NUMBER.test(text) && keepsDigits(text) ? [Number(text)] : [];

/** Whether the number has the digits of its text: large integers and long fractions lose some. */
const keepsDigits = (text: string): boolean =>
  significantDigits(String(Number(text))) === significantDigits(text);

function significantDigits(number: string): string {
  const digits = number.toLowerCase().split('e', 1)[0]!.replaceAll(/[-.]/g, '');
  let [from, to] = [0, digits.length];
  while (from < to && digits[from] === '0') from++;
  while (from < to && digits[to - 1] === '0') to--;
  return digits.slice(from, to);
}
