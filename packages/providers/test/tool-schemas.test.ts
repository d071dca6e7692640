/** Tests how the declarations of tools and the inputs of their calls go out to each provider, and come back. */
import type { JsonObject } from '@chat-kernel/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Upstream } from '../../../test/upstream/server.ts';
import { fitSchema } from '../src/schema/fit-schema.ts';
import * as rules from '../src/schema/rules.ts';
import { inputSchema } from './requests/schemas.ts';
import { violations } from './requests/violations.ts';
import {
  assistant,
  keepingLog,
  openWire,
  request,
  result,
  trip,
  user,
  WIRE_KINDS,
  type WireKind,
} from './wires.ts';

/** A JSON body. */
type Body = Upstream['requests'][number]['body'];

/** Returns the declarations in the body of a request, in one form for all providers. */
function declared(kind: WireKind, body: Body): { name: string; description: string; schema: JsonObject }[] {
  const tools = kind === 'google' ? body.tools[0].functionDeclarations : body.tools;
  return tools.map((tool: Body) => {
    const { name, description, ...rest } = kind === 'openai-compatible' ? tool.function : tool;
    return { name, description, schema: rest.input_schema ?? rest.parameters ?? rest.parametersJsonSchema };
  });
}

/** Declares a tool with this schema; returns what the provider got. */
async function declare(kind: WireKind, input_schema: JsonObject, description = 'Does it.') {
  const { model, upstream } = await openWire(kind);
  const { error } = await trip(model, request({ tools: [{ name: 'tool', description, input_schema }] }));
  expect(error).toBeUndefined();
  const { body } = upstream.requests.at(-1)!;
  expect(violations(kind, body)).toEqual([]);
  return declared(kind, body)[0]!;
}

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const nested = (levels: number): JsonObject =>
  levels === 1 ? { type: 'string' } : object({ x: nested(levels - 1) });
const A = { type: 'string' };
const B = { type: 'number' };
const KIND_A = { type: 'string', enum: ['a'] };

/** Title → the schema of a tool, the schema that goes out, and a part of what the description gains. */
const SAME_EVERYWHERE: Record<string, { schema: JsonObject; sent: object; text?: string }> = {
  'a union at the top': {
    schema: object({ a: A, b: A }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    sent: object({ a: A, b: A }),
    text: 'One of these must fit as well: [{"required":["a"]},{"required":["b"]}]',
  },
  'closed forms at the top': {
    schema: {
      oneOf: [
        object({ kind: { const: 'a' }, a: A }, { required: ['kind'], additionalProperties: false }),
        object({ kind: { const: 'a' } }, { required: ['kind'], additionalProperties: false }),
      ],
    },
    sent: object({ kind: { anyOf: [KIND_A] }, a: A }, { required: ['kind'] }),
    text: 'Exactly one of these must fit as well: ',
  },
  'open forms at the top': {
    schema: { anyOf: [object({ a: A }), object({ b: B })] },
    sent: object({
      a: { description: 'One of these must fit as well: [{"type":"string"},true]' },
      b: { description: 'One of these must fit as well: [true,{"type":"number"}]' },
    }),
  },
  'allOf at the top': {
    schema: {
      allOf: [object({ a: A }, { required: ['a'] }), { $ref: '#/$defs/b' }],
      $defs: { b: object({ b: B }) },
    },
    sent: object({ a: A, b: B }, { required: ['a'] }),
  },
  'not, if and enum at the top': {
    schema: object(
      { a: A },
      { not: { required: ['z'] }, if: { required: ['a'] }, else: false, enum: [{ a: 'x' }] },
    ),
    sent: object({ a: A }),
    text: 'This must not fit: {"required":["z"]}\nThis JSON Schema must fit as well: {"enum":[{"a":"x"}],"if":{"required":["a"]},"else":false}',
  },
  'no type at the top': { schema: { properties: { a: A } }, sent: object({ a: A }) },
  'a list of types at the top': { schema: { type: ['object', 'null'] }, sent: object({}) },
  'another type at the top': { schema: { type: 'string' }, sent: object({}) },
  'properties that are null': { schema: { type: 'object', properties: null, items: {} }, sent: object({}) },
  'required without a list': { schema: object({ a: A }, { required: true }), sent: object({ a: A }) },
  'required names without a property': {
    schema: object({ a: A }, { required: ['a', 'z', 'a', 1] }),
    sent: object({ a: A, z: {} }, { required: ['a', 'z'] }),
  },
  'a closed tuple': {
    schema: object({ t: { type: 'array', prefixItems: [A, B], minItems: 2, maxItems: 2 } }),
    sent: object({
      t: {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        items: { anyOf: [A, B] },
        description:
          'This JSON Schema must fit as well: {"prefixItems":[{"type":"string"},{"type":"number"}]}',
      },
    }),
  },
  'an open tuple': {
    schema: object({ t: { type: 'array', items: [A] } }),
    sent: object({
      t: {
        type: 'array',
        items: {},
        description: 'This JSON Schema must fit as well: {"items":[{"type":"string"}]}',
      },
    }),
  },
  'arrays without items': {
    schema: object({
      a: { type: 'array' },
      b: { type: 'array', items: true },
      c: { type: 'array', items: {} },
    }),
    sent: object({
      a: { type: 'array', items: {} },
      b: { type: 'array', items: {} },
      c: { type: 'array', items: {} },
    }),
  },
  'boolean schemas': {
    schema: object(
      { yes: true, no: false, map: { type: 'object', additionalProperties: {} } },
      { required: ['no'] },
    ),
    sent: object({ yes: {}, map: { type: 'object', additionalProperties: true } }),
  },
  'references with texts of their own': {
    schema: object(
      {
        a: { $ref: '#/definitions/a', description: 'Mine.' },
        b: { $ref: '#b' },
        c: { $ref: '#/definitions/a%20b~1' },
      },
      { definitions: { a: { ...A, description: 'Theirs.' }, b: { $anchor: 'b', ...B }, 'a b/': A } },
    ),
    sent: object({ a: { ...A, description: 'Mine.' }, b: B, c: A }),
  },
  'a reference to the schema that contains it': {
    schema: object({ name: A, children: { type: 'array', items: { $ref: '#' } } }),
    sent: object({
      name: A,
      children: {
        type: 'array',
        items: { type: 'object', description: 'It has the form of a value that contains it.' },
      },
    }),
  },
  'references to nothing': {
    schema: object({ a: { $ref: 'https://example.com/a.json' }, b: { ...A, $ref: '#/none' } }),
    sent: object({
      a: { description: 'All of these must fit as well: [{"$ref":"https://example.com/a.json"}]' },
      b: { ...A, description: 'All of these must fit as well: [{"$ref":"#/none"}]' },
    }),
  },
  'keywords that say nothing to a model': {
    schema: {
      ...object({ a: { ...A, $comment: 'c', readOnly: true, 'x-order': 1 } }),
      ...{ $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', $async: true, 'x-tool': {} },
    },
    sent: object({ a: A }),
  },
  'a type or null': {
    schema: object({ a: { type: ['string', 'null'] }, b: { type: 'string', nullable: true } }),
    sent: object({ a: { type: ['string', 'null'] }, b: { type: ['string', 'null'] } }),
  },
  'types that do not exist': {
    schema: object({ a: { type: 'file' }, b: { type: 'STRING' } }),
    sent: object({ a: { description: 'This JSON Schema must fit as well: {"type":"file"}' }, b: A }),
  },
  'values of one type': {
    schema: object({ a: { enum: ['a', 'a', 1], type: 'string' }, b: { enum: [] }, c: { const: 2 } }),
    sent: object({
      a: KIND_A,
      b: { description: 'This JSON Schema must fit as well: {"enum":[]}' },
      c: { type: 'integer', enum: [2] },
    }),
  },
  'invalid values of keywords': {
    schema: object({ a: { ...A, minLength: -1, pattern: '(' }, b: { ...B, minimum: '3' } }),
    sent: object({
      a: { ...A, description: 'This JSON Schema must fit as well: {"minLength":-1,"pattern":"("}' },
      b: { ...B, description: 'This JSON Schema must fit as well: {"minimum":"3"}' },
    }),
  },
  'keywords of other types': {
    schema: object({ a: { ...A, minimum: 1, items: A, properties: { a: A }, additionalProperties: false } }),
    sent: object({ a: A }),
  },
  'examples and rules of names': {
    schema: object({ a: { ...A, examples: ['x'] } }, { propertyNames: { maxLength: 3 } }),
    sent: object({ a: { ...A, description: 'Examples: ["x"]' } }),
    text: 'This JSON Schema must fit as well: {"propertyNames":{"maxLength":3}}',
  },
  'a closed object with patterns of names': {
    schema: object({ a: A }, { patternProperties: { '^x': A }, additionalProperties: false }),
    sent: object({ a: A }),
    text: '{"patternProperties":{"^x":{"type":"string"}},"additionalProperties":false}',
  },
};

describe.each(WIRE_KINDS)('%s', kind => {
  test.each(Object.entries(SAME_EVERYWHERE))('declares %s', async (_title, { schema, sent, text }) => {
    const got = await declare(kind, schema);
    expect(got.schema).toEqual(sent);
    expect(got.description).toContain(`Does it.${text === undefined ? '' : '\n\n'}`);
    expect(got.description).toContain(text ?? 'Does it.');
  });

  test('cuts a schema with too many levels, and describes the rest', async () => {
    const { schema } = await declare(kind, nested(64));
    const text = JSON.stringify(schema);
    expect(text.split('"properties":{"x"').length - 1).toBe(kind === 'google' ? 5 : 9);
    expect(text).toContain('This JSON Schema must fit as well: ');
    expect(text.length).toBeLessThan(2000);
  });

  test('bounds references that multiply a schema', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, object({ a: next, b: next, c: next })];
      }),
    );
    const { schema } = await declare(kind, {
      ...object({ a: { $ref: '#/$defs/d0' } }),
      $defs: { ...$defs, d40: A },
    });
    expect(schema).toMatchObject(object({ a: object({ b: object({}) }) }));
    expect(JSON.stringify(schema).length).toBeLessThan(120_000);
  });

  test('describes an enumeration with too many values by its first ones', async () => {
    const values = Array.from({ length: 5000 }, (_, index) => `value${index}`);
    const { schema } = await declare(kind, object({ a: { type: 'string', enum: values }, b: KIND_A }));
    const { a, b } = schema.properties as Body;
    expect(a).toEqual({ type: 'string', description: expect.stringContaining('"value0","value1"') });
    expect(a.description.length).toBeLessThan(500);
    expect(b).toEqual(KIND_A);
  });

  test('declares a tool whose properties are too many as one with a free input', async () => {
    const properties = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`p${index}`, A]));
    const { schema, description } = await declare(kind, object(properties));
    expect(schema).toEqual(object({}));
    expect(description).toContain('{"p0":{"type":"string"}');
  });

  test('names a tool without a description in its description', async () => {
    expect((await declare(kind, object({}), ' ')).description).toBe('tool');
  });

  const ODD = object({
    'filter[id]': A,
    filter_id_: A,
    '': A,
    ...{ ['n'.repeat(70)]: A, ['n'.repeat(71)]: A },
    ['__proto__']: A,
    list: { type: 'array', items: object({ 'a b': A }) },
    form: { anyOf: [object({ 'c d': A }), object({ c_d: A })] },
    map: { type: 'object', additionalProperties: object({ 'e f': A }) },
    free: { type: 'object' },
  });
  const INPUT = {
    ...{ 'filter[id]': '1', filter_id_: '2', '': '3', ['n'.repeat(70)]: '4', ['n'.repeat(71)]: '5' },
    ...{ ['__proto__']: '6', list: [{ 'a b': '7' }], form: { 'c d': '8', c_d: '9' } },
    ...{ map: { 'a b': { 'e f': '10' } }, free: { 'filter[id]': '11', 'a b': '12', a_b: '13' } },
  };

  test('sends inputs of earlier calls with the declared names, and gives calls those of the tool', async () => {
    const { model, upstream } = await openWire(kind);
    const tools = [{ name: 'tool', description: 'Does it.', input_schema: ODD }];
    const messages = [
      user('Begin.'),
      assistant({ type: 'tool_use', id: 'call_1', name: 'tool', input: INPUT }),
      user(result('call_1', 'Done.')),
    ];
    await trip(model, request({ tools, messages }));
    const { body } = upstream.requests.at(-1)!;
    expect(violations(kind, body)).toEqual([]);
    const input = sentInput(kind, body);
    const properties = declared(kind, body)[0]!.schema.properties as Body;
    expect(Object.keys(input).sort()).toEqual(Object.keys(properties).sort());
    expect(input.filter_id_).toBe('2');
    expect(Object.keys(input.list[0])).toEqual(['a_b']);
    expect(Object.keys(input.map)).toEqual(['a b']);
    expect(input.free).toEqual(INPUT.free);
    expect(Object.values(properties).filter(({ description }) => description)).toHaveLength(5);

    upstream.next({ steps: [{ call: { id: 'call_2', name: 'tool', input } }] });
    const { events } = await trip(model, request({ tools, messages }));
    const call = events.find(event => event.type === 'call')!;
    expect(JSON.parse(JSON.stringify(call.input))).toEqual(INPUT);
    expect(Object.keys(call.input).sort()).toEqual(Object.keys(INPUT).sort());
  });

  test('gives two tools whose names become the same one different names', async () => {
    const { model, upstream } = await openWire(kind);
    const tools = ['1st', '_1st'].map(name => ({ name, description: name, input_schema: object({}) }));
    await trip(model, request({ tools }));
    const { body } = upstream.requests.at(-1)!;
    expect(violations(kind, body)).toEqual([]);
    const [, second] = declared(kind, body);
    upstream.next({ steps: [{ call: { id: 'call_1', name: second!.name, input: {} } }] });
    const { events } = await trip(model, request({ tools }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'call', name: '_1st' }));
  });
});

/** Returns the input of the only call in the messages of a request. */
function sentInput(kind: WireKind, body: Body): Body {
  switch (kind) {
    case 'anthropic':
      return body.messages[1].content[0].input;
    case 'openai':
      return JSON.parse(body.input.find((item: Body) => item.type === 'function_call').arguments);
    case 'openai-compatible':
      return JSON.parse(
        body.messages.find((message: Body) => message.tool_calls).tool_calls[0].function.arguments,
      );
    case 'google':
      return body.contents[1].parts[0].functionCall.args;
    default:
      return kind satisfies never;
  }
}

/** Schemas of a property that Google gets in another form, because it accepts fewer combinations and keywords. */
const DIFFERENT: Record<string, { schema: JsonObject; google: object; others: object }> = {
  'several types': {
    schema: { type: ['string', 'array', 'null'], minLength: 1, description: 'Ids.' },
    google: {
      description: 'Ids.',
      anyOf: [
        { ...A, description: 'This JSON Schema must fit as well: {"minLength":1}' },
        { type: 'array', items: {} },
        { type: 'null' },
      ],
    },
    others: { type: ['string', 'array', 'null'], minLength: 1, items: {}, description: 'Ids.' },
  },
  'values or null': {
    schema: { enum: ['a', null], description: 'One.' },
    google: { description: 'One.', anyOf: [KIND_A, { type: 'null' }] },
    others: { type: ['string', 'null'], enum: ['a', null], description: 'One.' },
  },
  'values of several types': {
    schema: { enum: ['a', 1] },
    google: { anyOf: [KIND_A, { type: 'integer', enum: [1] }] },
    others: { type: ['string', 'integer'], enum: ['a', 1] },
  },
  'an empty value': {
    schema: { enum: ['a', ''] },
    google: { ...A, description: 'This JSON Schema must fit as well: {"enum":["a",""]}' },
    others: { ...A, enum: ['a', ''] },
  },
  'constraints next to a union': {
    schema: { ...A, anyOf: [{ minLength: 1 }, { pattern: '^a' }] },
    google: { ...A, description: 'One of these must fit as well: [{"minLength":1},{"pattern":"^a"}]' },
    others: { ...A, anyOf: [{ minLength: 1 }, { pattern: '^a' }] },
  },
  'a default and a length': {
    schema: { ...A, default: 'x', maxLength: 3, format: 'date' },
    google: {
      ...A,
      format: 'date',
      description: 'Default: "x"\nThis JSON Schema must fit as well: {"maxLength":3}',
    },
    others: { ...A, default: 'x', maxLength: 3, format: 'date' },
  },
};

describe.each(WIRE_KINDS)('%s', kind => {
  test.each(Object.entries(DIFFERENT))('declares %s', async (_title, { schema, google, others }) => {
    const { schema: sent } = await declare(kind, object({ a: schema }));
    expect(sent).toEqual(object({ a: kind === 'google' ? google : others }));
  });
});

test('describes a format that OpenAI does not know', async () => {
  const schema = object({ a: { ...A, format: 'uri' } });
  const described = { ...A, description: 'This JSON Schema must fit as well: {"format":"uri"}' };
  expect((await declare('openai', schema)).schema).toEqual(object({ a: described }));
  expect((await declare('anthropic', schema)).schema).toEqual(schema);
});

test('accepts every input that the schema of the tool accepts', () => {
  const name = fc.constantFrom('a', 'b', 'kind', 'filter[id]', 'x.y', 'constructor');
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.constantFrom('a', 'b', '', null, true, 0, 1, 1.5),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(name, tie('value'), { maxKeys: 2 }),
    ),
  }));
  const inputs = fc.array(fc.dictionary(name, value, { maxKeys: 4 }), { minLength: 10, maxLength: 10 });
  const all = Object.values(rules);
  let accepted = 0;
  fc.assert(
    fc.property(inputSchema, inputs, fc.constantFrom(...all), (schema, list, one) => {
      const check = compile(schema);
      const fitted = fitSchema(schema, one);
      const checkFitted = check && compile(fitted.schema);
      for (const input of list) {
        if (!check?.(input)) continue;
        accepted += 1;
        const wire = fitted.names?.toWire(input) ?? input;
        expect(checkFitted?.(wire), JSON.stringify(fitted.schema)).toBe(true);
        expect(fitted.names?.toOriginal(wire) ?? input).toEqual(input);
      }
    }),
    { numRuns: 400 },
  );
  expect(accepted).toBeGreaterThan(100);
});

/** Returns a check by a schema; undefined if the schema is invalid or refers to itself without end. */
function compile({ $schema: _, ...schema }: JsonObject): ((value: unknown) => boolean) | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, ownProperties: true });
  try {
    const validate = ajv.compile(schema);
    validate({});
    return value => validate(value);
  } catch {
    return undefined;
  }
}

test('fits a schema once, however often its tool is declared', async () => {
  let reads = 0;
  const input_schema = object({
    get a() {
      reads += 1;
      return A;
    },
  });
  const { model } = await openWire('openai-compatible');
  for (let turn = 0; turn < 3; turn++)
    await trip(model, request({ tools: [{ name: 'tool', description: 'Does it.', input_schema }] }));
  expect(reads).toBe(1);
});

test.each([
  ['openai', 128],
  ['google', 512],
] as const)('leaves out the last tools of more than %s accepts, and logs them once', async (kind, max) => {
  const log = keepingLog();
  const { model, upstream } = await openWire(kind, { log });
  const tools = Array.from({ length: max + 1 }, (_, index) => ({
    name: `tool_${index}`,
    description: 'Does it.',
    input_schema: object({}),
  }));
  for (let turn = 0; turn < 2; turn++) await trip(model, request({ tools }));
  const { body } = upstream.requests.at(-1)!;
  expect(violations(kind, body)).toEqual([]);
  expect(declared(kind, body).map(({ name }) => name)).toEqual(tools.slice(0, max).map(({ name }) => name));
  expect(log.warnings).toEqual([
    'a request has more tools than its provider accepts: the last ones were left out',
  ]);
  const why = `the provider accepts at most ${max} tools.`;
  expect(model.omittedTools?.()).toEqual([{ tools: [`tool_${max}`], why }]);
  await trip(model, request({ tools: tools.slice(1) }));
  expect(model.omittedTools?.()).toEqual([]);
});
