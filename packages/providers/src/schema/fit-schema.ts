/**
 * Fits the input schema of a tool to the rules of a provider (WIRE-7). The result allows every input that the schema allows:
 * what the provider cannot express is left out and described in text. The kernel, the module or the server of the tool still
 * checks each input against the schema itself.
 */
import type { JsonObject } from '@chat-kernel/protocol';
import { cutWithEllipsis } from '@chat-kernel/text';
import { describeLost } from './describe-lost.ts';
import { isOpen, takeTexts, withoutNullValue, withText } from './fitted-parts.ts';
import { isJsonObject, type JoinedSchema, SchemaReader } from './join-schema.ts';
import { mergeForms } from './merge-forms.ts';
import { PropertyNames } from './property-names.ts';
import type { SchemaRules } from './rules.ts';
import { isOfTypes, judgeKeyword, readTypes, readValues, type Scalar, typesOfValues } from './value-rules.ts';

export interface FittedSchema {
  schema: JsonObject;
  /** The rest of what the schema says about the whole input, for the description of the tool. `''`: nothing. */
  text: string;
  /** Translates the names of properties in inputs; absent: all names are those of the tool. */
  names?: PropertyNames;
}

/** The maximum length of a fitted schema, in characters. */
const MAX_CHARS = 120_000;
/** The maximum number of schemas and names that are read and written, because references can multiply them. */
const MAX_WORK = 20_000;
/** The maximum lengths of the text about a property, about a tool, and in all, in characters. */
const MAX_PROPERTY_TEXT = 400;
const MAX_TOOL_TEXT = 2000;
const MAX_TEXT = 8000;
/** Limits of enumerations, those of OpenAI: values in all, values of one, and the characters of one that has more. */
const MAX_VALUES = 1000;
const MAX_SMALL_ENUM = 250;
const MAX_LARGE_ENUM_CHARS = 15_000;

/** The values of an enumeration that cost as much as a schema. */
const VALUES_PER_WORK = 10;

class TooLarge extends Error {}

/** The lowest number of levels with which properties are declared. */
const MIN_DEPTH = 2;

export function fitSchema(schema: JsonObject, rules: SchemaRules): FittedSchema {
  // Few attempts, because each may take milliseconds.
  for (let depth = rules.depth; depth >= MIN_DEPTH; depth = depth === MIN_DEPTH ? 0 : Math.ceil(depth / 2)) {
    try {
      const fitted = new Fitting(schema, rules, depth).fit();
      if (JSON.stringify(fitted.schema).length <= MAX_CHARS) return fitted;
    } catch (error) {
      // A schema with thousands of levels overflows the stack.
      if (!(error instanceof TooLarge || error instanceof RangeError)) throw error;
    }
  }
  return {
    schema: { type: 'object', properties: {} },
    text: describeLost(Object.entries(schema), MAX_TOOL_TEXT),
  };
}

/** One attempt with a number of levels. */
class Fitting {
  readonly #schema: JsonObject;
  readonly #rules: SchemaRules;
  readonly #depth: number;
  readonly #reader: SchemaReader;
  #work = 0;
  #values = 0;
  #text = 0;

  constructor(schema: JsonObject, rules: SchemaRules, depth: number) {
    this.#schema = schema;
    this.#rules = rules;
    this.#depth = depth;
    this.#reader = new SchemaReader(schema, work => this.#count(work));
  }

  /** @throws TooLarge */
  fit(): FittedSchema {
    const names = new PropertyNames(this.#rules.propertyName);
    const joined = this.#reader.join(this.#schema, new Set([this.#schema]));
    mergeForms(joined, this.#reader, () => this.#count());
    const { keywords } = joined;
    const lost = new Map<string, unknown>();
    for (const key of ['anyOf', 'oneOf', 'not', 'enum', 'const']) {
      if (keywords.has(key)) lost.set(key, keywords.get(key));
      keywords.delete(key);
    }
    keywords.set('type', 'object');
    keywords.delete('nullable');
    joined.repeats = false;
    const written = this.#write(joined, 1, names);
    const rest = [...lost, ...written.lost];
    return {
      schema: { ...written.schema, properties: written.schema.properties ?? {} },
      text: this.#describe(rest, MAX_TOOL_TEXT),
      ...(names.differ && { names }),
    };
  }

  #count(work = 1): void {
    this.#work += work;
    if (this.#work > MAX_WORK) throw new TooLarge();
  }

  #describe(lost: Iterable<readonly [string, unknown]>, chars: number): string {
    const left = Math.min(chars, MAX_TEXT - this.#text);
    // A shorter text would say nothing.
    if (left < 40) return '';
    const text = describeLost(lost, left);
    this.#text += text.length;
    return text;
  }

  /** Fits the schema of a value below the top. */
  #fit(schema: unknown, depth: number, containers: ReadonlySet<object>, names: PropertyNames): JsonObject {
    this.#count();
    if (schema === false) return { description: 'No value is allowed here.' };
    if (!isJsonObject(schema)) return {};
    const joined = this.#reader.join(schema, containers);
    if (joined.repeats) return this.#repeated(joined);
    const written = this.#write(joined, depth, names);
    return withText(written.schema, this.#describe(written.lost, MAX_PROPERTY_TEXT));
  }

  #repeated({ keywords }: JoinedSchema): JsonObject {
    const types = readTypes(keywords) ?? [];
    const described = {
      ...(types.length === 1 && { type: types[0] }),
      ...(types.includes('array') && types.length === 1 && { items: {} }),
      ...takeTexts(keywords),
    };
    return withText(described, 'It has the form of a value that contains it.');
  }

  /** Writes a joined schema, and returns what could not be written. */
  #write(
    joined: JoinedSchema,
    depth: number,
    names: PropertyNames,
  ): { schema: JsonObject; lost: [string, unknown][] } {
    const left = new Map(joined.keywords);
    const lost: [string, unknown][] = joined.lost.length > 0 ? [['allOf', joined.lost]] : [];
    const texts = takeTexts(left);
    const values = readValues(left);
    this.#count((values?.length ?? 0) / VALUES_PER_WORK);
    const types = readTypes(left) ?? (values && typesOfValues(values));
    const isLeaf = depth >= this.#depth;
    if (types && this.#rules.simple && types.filter(type => type !== 'null').length > 1) {
      if (isLeaf) return { schema: texts, lost: [...left, ['type', types], ...lost] };
      return { schema: { ...texts, anyOf: this.#split(joined, types, depth, names) }, lost };
    }
    const schema: JsonObject = {};
    if (types) {
      schema.type = types.length === 1 ? types[0] : types;
      left.delete('type');
      left.delete('nullable');
    }
    Object.assign(schema, texts);
    if (values) {
      left.delete('const');
      left.delete('enum');
      const fitting = types ? values.filter(value => isOfTypes(value, types)) : values;
      if (this.#takesValues(fitting)) schema.enum = fitting;
      else if (fitting.some(value => value !== null)) lost.push(['enum', fitting]);
    }
    for (const [key, value] of left) {
      const judgment = judgeKeyword(key, value, types, this.#rules);
      if (judgment === 'describe') continue;
      left.delete(key);
      if (judgment === 'send') schema[key] = value;
    }
    if (!types || types.includes('array')) this.#writeItems(schema, left, types, joined, depth, names);
    if (!types || types.includes('object'))
      lost.push(...this.#writeObject(schema, left, joined, depth, names));
    this.#writeUnion(schema, left, joined, depth, names);
    return { schema: this.#rules.simple ? withoutNullValue(schema) : schema, lost: [...left, ...lost] };
  }

  /** Writes several types as a union, each with the constraints that apply to it. */
  #split(joined: JoinedSchema, types: string[], depth: number, names: PropertyNames): JsonObject[] {
    return types.map(type => {
      this.#count();
      const keywords = new Map(joined.keywords).set('type', type);
      for (const key of ['nullable', 'title', 'description', 'default']) keywords.delete(key);
      const written = this.#write({ ...joined, keywords, lost: [] }, depth + 1, names);
      return withText(written.schema, this.#describe(written.lost, MAX_PROPERTY_TEXT));
    });
  }

  #takesValues(values: Scalar[]): boolean {
    const texts = values.filter(value => typeof value === 'string');
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    if (values.length === 0 || this.#values + values.length > MAX_VALUES) return false;
    if (values.length > MAX_SMALL_ENUM && chars > MAX_LARGE_ENUM_CHARS) return false;
    if (this.#rules.simple) {
      const some = values.filter(value => value !== null);
      const isPlain = texts.length === some.length ? !texts.includes('') : some.every(Number.isFinite);
      if (some.length === 0 || !isPlain) return false;
    }
    this.#values += values.length;
    return true;
  }

  #writeItems(
    schema: JsonObject,
    left: Map<string, unknown>,
    types: string[] | undefined,
    { containers }: JoinedSchema,
    depth: number,
    names: PropertyNames,
  ): void {
    const first = [left.get('prefixItems'), left.get('items')].find(Array.isArray) as unknown[] | undefined;
    const rest = left.get(first !== undefined && first === left.get('items') ? 'additionalItems' : 'items');
    if (!types && first === undefined && rest === undefined) return;
    schema.items = {};
    if (first === undefined) {
      if (isJsonObject(rest) && depth >= this.#depth && Object.keys(rest).length > 0) return;
      if (rest !== false) left.delete('items');
      if (isJsonObject(rest) && depth < this.#depth)
        schema.items = this.#fit(rest, depth + 1, containers, names.elements);
      return;
    }
    const max = schema.maxItems;
    const isClosed = rest === false || (typeof max === 'number' && max <= first.length);
    if (depth >= this.#depth || !(isClosed || isJsonObject(rest))) return;
    const all = isClosed ? first : [...first, rest];
    schema.items = this.#fit({ anyOf: all }, depth + 1, containers, names.elements);
  }

  /** Writes the keywords of an object; returns those of its properties that are lost. */
  #writeObject(
    schema: JsonObject,
    left: Map<string, unknown>,
    { properties, required, containers }: JoinedSchema,
    depth: number,
    names: PropertyNames,
  ): [string, unknown][] {
    const isFlat = depth >= this.#depth && properties.size + required.size > 0;
    const others = left.get('additionalProperties');
    if (isFlat) {
      const lost: [string, unknown][] = [['properties', Object.fromEntries(properties)]];
      if (required.size > 0) lost.push(['required', [...required]]);
      return lost;
    }
    const written: [string, JsonObject][] = [];
    const allowed = [...properties].filter(([, value]) => value !== false);
    const free = [...required].filter(name => !properties.has(name));
    names.declare([...allowed.map(([name]) => name), ...free]);
    for (const [name, value] of [...allowed, ...free.map(one => [one, true] as const)]) {
      const fitted = this.#fit(value, depth + 1, containers, names.property(name));
      const wire = names.onWire(name);
      const original = `The tool calls it ${JSON.stringify(cutWithEllipsis(name, 100))}.`;
      written.push([wire, wire === name ? fitted : withText(fitted, original)]);
    }
    if (written.length > 0) schema.properties = Object.fromEntries(written);
    const needed = [...required]
      .filter(name => properties.get(name) !== false)
      .map(name => names.onWire(name));
    if (needed.length > 0) schema.required = needed;
    if (typeof others === 'boolean' && (others || !left.has('patternProperties'))) {
      schema.additionalProperties = others;
      left.delete('additionalProperties');
    } else if (isJsonObject(others) && !left.has('patternProperties') && depth < this.#depth) {
      const fitted = this.#fit(others, depth + 1, containers, names.others);
      schema.additionalProperties = isOpen(fitted) && fitted.description === undefined ? true : fitted;
      left.delete('additionalProperties');
    }
    return [];
  }

  /** Writes `anyOf`, and `oneOf` as such. A union with a form that allows everything allows everything. */
  #writeUnion(
    schema: JsonObject,
    left: Map<string, unknown>,
    { containers }: JoinedSchema,
    depth: number,
    names: PropertyNames,
  ): void {
    const key = left.has('anyOf') ? 'anyOf' : 'oneOf';
    const list = left.get(key);
    if (!Array.isArray(list) || depth >= this.#depth) return;
    if (this.#rules.simple && !isOpen(schema)) return;
    const forms = new Map<string, JsonObject>();
    const isNullable = left.get('nullable') === true;
    for (const form of [...list, ...(isNullable ? [{ type: 'null' }] : [])]) {
      if (form === false) continue;
      const fitted = this.#fit(form, depth + 1, containers, names);
      if (isOpen(fitted)) return;
      forms.set(JSON.stringify(fitted), fitted);
    }
    if (forms.size === 0) return;
    schema.anyOf = [...forms.values()];
    left.delete(key);
    left.delete('nullable');
  }
}
