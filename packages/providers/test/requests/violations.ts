/**
 * Finds what a provider would refuse in the body of a request, by the makers' documents and their known refusals. It shares
 * nothing with the code that it checks.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { WireKind } from '../wires.ts';

type Json = Record<string, unknown>;
interface Tool {
  name: unknown;
  description: unknown;
  schema: unknown;
}
interface Call {
  id: unknown;
  name: unknown;
  input: unknown;
}

const NAMES: Record<WireKind, RegExp> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  'openai-compatible': /^[a-zA-Z0-9_-]{1,64}$/,
  google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};
const PROPERTY_NAMES: Record<WireKind, RegExp> = {
  anthropic: /^[a-zA-Z0-9_.-]{1,64}$/,
  openai: /^[a-zA-Z0-9_.-]{1,64}$/,
  'openai-compatible': /^[a-zA-Z0-9_.-]{1,64}$/,
  google: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
};
const IDS: Record<WireKind, RegExp> = {
  anthropic: /^[a-zA-Z0-9_-]+$/,
  openai: /^.{1,64}$/su,
  'openai-compatible': /^.{1,64}$/su,
  google: /^.+$/su,
};
const MAX_TOOLS: Partial<Record<WireKind, number>> = { openai: 128, google: 512 };
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const GOOGLE_KEYWORDS = [
  ...['$id', '$defs', '$anchor', 'type', 'format', 'title', 'description', 'enum', 'items', 'prefixItems'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'anyOf', 'oneOf', 'properties', 'additionalProperties'],
  ...['required', 'propertyOrdering'],
];
const OPENAI_FORMATS = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
];
const GOOGLE_FORMATS = ['date-time', 'date', 'time', 'float', 'double', 'int32', 'int64', 'enum'];
const NOT_AT_THE_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', '$ref'];

const ajv = new Ajv2020({ strict: false, logger: false });
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a sentence for each violation; an empty list if the maker accepts the body. */
export function violations(kind: WireKind, body: Json): string[] {
  const found: string[] = [];
  checkTexts(body, '', found);
  const tools = toolsOf(kind, body);
  const max = MAX_TOOLS[kind];
  if (max !== undefined && tools.length > max) found.push(`more than ${max} tools`);
  if (new Set(tools.map(({ name }) => name)).size < tools.length) found.push('a tool name occurs twice');
  for (const [index, { name, description, schema }] of tools.entries()) {
    const place = `tools.${index}`;
    if (!matches(name, NAMES[kind])) found.push(`${place}.name: ${JSON.stringify(name)}`);
    if (typeof description !== 'string' || description.trim() === '') found.push(`${place}.description`);
    checkTop(kind, schema, `${place}.schema`, found);
  }
  for (const { id, name, input } of callsOf(kind, body)) {
    if (!matches(name, NAMES[kind])) found.push(`a call of ${JSON.stringify(name)}`);
    // Google identifies results by their order.
    if ((kind !== 'google' || id !== undefined) && !matches(id, IDS[kind]))
      found.push(`the id ${JSON.stringify(id)}`);
    if (!isJson(input)) found.push(`the input of a call of ${JSON.stringify(name)}`);
  }
  found.push(...emptyTexts(kind, body));
  return found;
}

const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value);

/** Checks that all keys and texts are well-formed Unicode. */
function checkTexts(value: unknown, place: string, found: string[]): void {
  if (typeof value === 'string' && !value.isWellFormed()) found.push(`${place}: half a character`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!key.isWellFormed()) found.push(`${place}: half a character in a key`);
    checkTexts(part, `${place}/${key}`, found);
  }
}

function toolsOf(kind: WireKind, body: Json): Tool[] {
  const tools = (body.tools ?? []) as Json[];
  switch (kind) {
    case 'anthropic':
      return tools.map(({ name, description, input_schema }) => ({
        name,
        description,
        schema: input_schema,
      }));
    case 'openai':
      return tools.map(({ name, description, parameters }) => ({ name, description, schema: parameters }));
    case 'openai-compatible':
      return tools.map(tool => {
        const { name, description, parameters } = tool.function as Json;
        return { name, description, schema: parameters };
      });
    case 'google':
      return tools
        .flatMap(tool => tool.functionDeclarations as Json[])
        .map(({ name, description, parametersJsonSchema }) => ({
          name,
          description,
          schema: parametersJsonSchema,
        }));
    default:
      return kind satisfies never;
  }
}

function callsOf(kind: WireKind, body: Json): Call[] {
  switch (kind) {
    case 'anthropic':
      return blocksOf(body)
        .filter(block => block.type === 'tool_use')
        .map(({ id, name, input }) => ({ id, name, input }));
    case 'openai':
      return (body.input as Json[])
        .filter(item => item.type === 'function_call')
        .map(item => ({ id: item.call_id, name: item.name, input: parse(item.arguments) }));
    case 'openai-compatible':
      return (body.messages as Json[])
        .flatMap(message => (message.tool_calls ?? []) as Json[])
        .map(call => {
          const { name, arguments: text } = call.function as Json;
          return { id: call.id, name, input: parse(text) };
        });
    case 'google':
      return (body.contents as Json[])
        .flatMap(content => content.parts as Json[])
        .flatMap(part => (isJson(part.functionCall) ? [part.functionCall] : []))
        .map(({ id, name, args }) => ({ id, name, input: args }));
    default:
      return kind satisfies never;
  }
}

const blocksOf = (body: Json): Json[] =>
  (body.messages as Json[]).flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []));

function parse(text: unknown): unknown {
  try {
    return JSON.parse(text as string);
  } catch {
    return undefined;
  }
}

/** Every maker refuses a message without content; Anthropic refuses blank texts too. */
function emptyTexts(kind: WireKind, body: Json): string[] {
  const isBlank = (text: unknown) => typeof text === 'string' && text.trim() === '';
  switch (kind) {
    case 'anthropic': {
      const system = Array.isArray(body.system) ? (body.system as Json[]) : [];
      const blank = [...system, ...blocksOf(body)].filter(block => isBlank(block.text));
      return blank.map(() => 'a blank text');
    }
    case 'openai':
      return (body.input as Json[]).flatMap(({ content }) =>
        Array.isArray(content) && content.length === 0 ? ['a message without content'] : [],
      );
    case 'openai-compatible':
      return (body.messages as Json[]).flatMap(({ role, content, tool_calls }) =>
        role !== 'tool' && !tool_calls && (content === null || isBlank(content)) ? ['a blank message'] : [],
      );
    case 'google':
      return (body.contents as Json[]).flatMap(({ parts }) =>
        (parts as Json[]).length === 0 ? ['a content without parts'] : [],
      );
    default:
      return kind satisfies never;
  }
}

interface Totals {
  properties: number;
  values: number;
  chars: number;
}

function checkTop(kind: WireKind, schema: unknown, place: string, found: string[]): void {
  if (!isJson(schema)) return void found.push(`${place} is no object`);
  if (schema.type !== 'object') found.push(`${place}.type must be object`);
  if (!isJson(schema.properties)) found.push(`${place}.properties is missing`);
  for (const key of NOT_AT_THE_TOP) if (key in schema) found.push(`${place}.${key} at the top`);
  if (!ajv.validateSchema(schema)) found.push(`${place}: not a schema of 2020-12: ${ajv.errorsText()}`);
  const totals = { properties: 0, values: 0, chars: 0 };
  checkSchema(kind, schema, 1, place, totals, found);
  if (totals.properties > 5000) found.push(`${place}: more than 5000 properties`);
  if (totals.values > 1000) found.push(`${place}: more than 1000 values`);
  if (totals.chars > 120_000) found.push(`${place}: more than 120000 characters of names and values`);
}

function checkSchema(
  kind: WireKind,
  schema: unknown,
  depth: number,
  place: string,
  totals: Totals,
  found: string[],
): void {
  if (!isJson(schema)) return void found.push(`${place} is no object`);
  if (depth > 10) found.push(`${place}: more than 10 levels`);
  const inner = (part: unknown, key: string) =>
    checkSchema(kind, part, depth + 1, `${place}.${key}`, totals, found);
  const types = [schema.type ?? []].flat() as string[];
  if (types.some(type => !TYPES.includes(type))) found.push(`${place}.type: ${types}`);
  if (types.includes('array') && !isJson(schema.items)) found.push(`${place}: array schema missing items`);
  if (schema.pattern !== undefined) checkPattern(schema.pattern, place, found);
  const formats = { google: GOOGLE_FORMATS, openai: OPENAI_FORMATS, 'openai-compatible': OPENAI_FORMATS };
  const format = schema.format as string | undefined;
  if (kind !== 'anthropic' && format !== undefined && !formats[kind].includes(format))
    found.push(`${place}.format: ${format}`);
  if (kind === 'google') checkGoogle(schema, types, place, found);
  if ('$ref' in schema) found.push(`${place}.$ref`);

  const values = (schema.enum ?? []) as unknown[];
  const texts = values.filter(value => typeof value === 'string');
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (schema.enum !== undefined && values.length === 0) found.push(`${place}.enum is empty`);
  if (new Set(values.map(value => JSON.stringify(value))).size < values.length)
    found.push(`${place}.enum: twice`);
  if (values.length > 250 && length > 15_000) found.push(`${place}.enum: more than 15000 characters`);
  totals.values += values.length;
  totals.chars += length;

  const properties = isJson(schema.properties) ? schema.properties : {};
  for (const [name, part] of Object.entries(properties)) {
    totals.properties += 1;
    totals.chars += name.length;
    if (!PROPERTY_NAMES[kind].test(name) || name === '__proto__')
      found.push(`${place}: property ${JSON.stringify(name)}`);
    inner(part, name);
  }
  for (const name of (schema.required ?? []) as string[])
    if (!Object.hasOwn(properties, name)) found.push(`${place}.required: ${name} is no property`);
  if (schema.items !== undefined) inner(schema.items, 'items');
  if (isJson(schema.additionalProperties)) inner(schema.additionalProperties, 'additionalProperties');
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const parts = schema[key];
    if (parts === undefined) continue;
    if (!Array.isArray(parts) || parts.length === 0) found.push(`${place}.${key} is empty`);
    else for (const [index, part] of parts.entries()) inner(part, `${key}.${index}`);
  }
}

function checkPattern(pattern: unknown, place: string, found: string[]): void {
  try {
    new RegExp(pattern as string, 'u');
  } catch {
    found.push(`${place}.pattern is invalid`);
  }
  if (/\(\?<?[=!]|\\[1-9]|\\k/.test(pattern as string)) found.push(`${place}.pattern: ${pattern}`);
}

function checkGoogle(schema: Json, types: string[], place: string, found: string[]): void {
  for (const key of Object.keys(schema))
    if (!GOOGLE_KEYWORDS.includes(key)) found.push(`${place}.${key} is no keyword`);
  if (types.filter(type => type !== 'null').length > 1) found.push(`${place}.type: ${types}`);
  const values = (schema.enum ?? []) as unknown[];
  const areTexts = values.every(value => typeof value === 'string' && value !== '');
  if (!areTexts && !values.every(value => typeof value === 'number')) found.push(`${place}.enum`);
  if (values.length > 0 && schema.type === undefined) found.push(`${place}.enum without a type`);
  if ('anyOf' in schema && Object.keys(schema).some(key => !['anyOf', 'title', 'description'].includes(key)))
    found.push(`${place}.anyOf with other constraints`);
}
