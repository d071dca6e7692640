/** Tests inputs of a near type: what a schema leaves no doubt about is converted, everything else stays as it was sent. */
import type { JsonObject } from '@chat-kernel/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelRequest } from '../src/index.ts';
import { fitInput as fitWithVerdict } from '../src/toolbox/fit-input.ts';
import { allOf, finish, openCore, says, tool } from './core.ts';

const fitInput = (schema: JsonObject, input: JsonObject) => fitWithVerdict(schema, input).input;
const withField = (a: object, more: object = {}) =>
  ({ type: 'object', properties: { a }, ...more }) as unknown as JsonObject;
const fitted = (a: object, value: unknown, more: object = {}) =>
  fitInput(withField(a, more), { a: value } as JsonObject);
const NUMBERS = { type: 'array', items: { type: 'integer' } };
const NAMES = { type: 'array', items: { type: 'string' } };
const POINT = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };

describe('an input of a near type', () => {
  it.each([
    ['an integer as text', { type: 'integer' }, '1', 1],
    ['an integer with a decimal point', { type: 'integer', minimum: 1 }, '1.0', 1],
    ['a number as text', { type: 'number' }, '-0.25', -0.25],
    ['a boolean as text', { type: 'boolean' }, 'true', true],
    ['a boolean of Python', { type: 'boolean' }, 'False', false],
    ['null as text', { type: ['integer', 'null'] }, 'null', null],
    ['a list as text', NAMES, '["a", "b"]', ['a', 'b']],
    ['an object as text', POINT, ' {"x": 1} ', { x: 1 }],
    ['half a character within text', NAMES, '["\\ud83d"]', ['\ufffd']],
    ['near types within text', { type: 'array', items: POINT }, '[{"x": "1"}]', [{ x: 1 }]],
    ['a value instead of a list', NAMES, 'echo a, b', ['echo a, b']],
    ['a number as text instead of a list', NUMBERS, '7', [7]],
    ['an object instead of a list', { type: 'array', items: POINT }, { x: '2' }, [{ x: 2 }]],
    ['items', NUMBERS, ['1', 2, '3'], [1, 2, 3]],
    [
      'leading items',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      ['1', '1'],
      ['1', 1],
    ],
    ['other properties', { type: 'object', additionalProperties: { type: 'integer' } }, { b: '1' }, { b: 1 }],
    ['a listed number', { enum: [1, 2] }, '2', 2],
    ['a listed text', { type: 'string', enum: ['1', '2'] }, 2, '2'],
    ['a constant', { const: true }, 'true', true],
    ['null for the only branch', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'null', null],
    ['the only branch', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '5', 5],
    [
      'a branch besides other texts',
      { oneOf: [{ type: 'string', enum: ['all'] }, { type: 'integer' }] },
      '5',
      5,
    ],
    ['parts that must all match', { allOf: [{ type: 'integer' }, { minimum: 3 }] }, '5', 5],
  ])('is converted: %s', (_, schema, value, expected) => {
    expect(fitted(schema, value)).toEqual({ a: expected });
  });

  it.each([
    ['a text that fits', { type: 'string' }, '007'],
    ['a text that fits one type', { type: ['string', 'integer'] }, '7'],
    ['a text that fits a branch', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, '7'],
    ['an integer that loses digits', { type: 'integer' }, '12345678901234567890'],
    ['a number that loses digits', { type: 'number' }, '0.12345678901234567890'],
    ['a list that loses digits', NUMBERS, '[12345678901234567890]'],
    ['a number beyond all numbers', { type: 'number' }, '1e999'],
    ['a number that vanishes', { type: 'number' }, '1e-999'],
    ['leading zeros', { type: 'integer' }, '007'],
    ['hexadecimal digits', { type: 'integer' }, '0x10'],
    ['no text', { type: 'number' }, ''],
    ['white space', { type: 'number' }, ' '],
    ['a fraction for an integer', { type: 'integer' }, '1.5'],
    ['a number out of range', { type: 'integer', maximum: 3 }, '4'],
    ['a number for a boolean', { type: 'boolean' }, 1],
    ['a number for a text, whose digits are lost', { type: 'string' }, 1.1],
    ['two readings', { anyOf: [{ ...NUMBERS }, { type: 'integer' }] }, '5'],
    ['no text for a list', NAMES, ''],
    ['null for a list', NAMES, null],
    ['null as text for a list', NAMES, 'null'],
    ['a list as text that does not fit', NAMES, '[1]'],
    ['a list of Python', NAMES, "['a', 'b']"],
    ['a list without its end', NAMES, '["a", '],
    ['text after a list', NUMBERS, '[1] 2'],
    ['an object for a text', { type: 'string' }, { x: 1 }],
  ])('is left as it is: %s', (_, schema, value) => {
    const input = { a: value } as JsonObject;
    expect(fitInput(withField(schema, { required: ['a'] }), input)).toBe(input);
  });

  it('loses null for an optional property that does not allow it', () => {
    const b = { type: ['string', 'null'] };
    const schema = withField({ type: 'string' }, { properties: { a: { type: 'string' }, b, c: POINT } });
    expect(fitInput(schema, { a: null, b: null, c: { x: 1, y: null } })).toEqual({
      b: null,
      c: { x: 1, y: null },
    });
    const required = { a: null };
    expect(fitInput({ ...schema, required: ['a'] }, required)).toBe(required);
  });

  it('is converted in the branch whose other properties it has', () => {
    const branch = (kind: string, b: object) => ({
      type: 'object',
      properties: { kind: { const: kind }, b, n: { type: 'integer' } },
      required: ['kind', 'b'],
    });
    const schema = { anyOf: [branch('count', { type: 'integer' }), branch('name', { type: 'string' })] };
    expect(fitted(schema, { kind: 'count', b: '1', n: '2' })).toEqual({ a: { kind: 'count', b: 1, n: 2 } });
    expect(fitted(schema, { kind: 'name', b: '1', n: '2' })).toEqual({ a: { kind: 'name', b: '1', n: 2 } });
  });

  it('is converted by local definitions, also recursive ones', () => {
    const node = {
      type: 'object',
      properties: { n: { type: 'integer' }, next: { $ref: '#/$defs/a~1%20b' } },
    };
    const schema = { ...withField({ $ref: '#/$defs/a~1%20b' }), $defs: { 'a/ b': node } } as JsonObject;
    expect(fitInput(schema, { a: { n: '1', next: { n: '2' } } })).toEqual({ a: { n: 1, next: { n: 2 } } });
  });

  it('keeps the names of all properties', () => {
    const input = JSON.parse('{"a": "1", "__proto__": "x", "toString": null}');
    const result = fitInput(withField({ type: 'integer' }), input);
    expect(JSON.stringify(result)).toBe('{"a":1,"__proto__":"x","toString":null}');
  });

  it('is left as it is if a reading takes long or is nested deeply', () => {
    const anyOf = ['q', 'r'].map(name => ({ properties: { x: { $ref: '#/$defs/a' } }, required: [name] }));
    const tree = { ...withField({ $ref: '#/$defs/a' }), $defs: { a: { anyOf } } } as JsonObject;
    let nested: JsonObject = {};
    for (let level = 0; level < 200; level++) nested = { x: nested };
    const slow = { a: nested };
    const began = performance.now();
    expect(fitInput(tree, slow)).toBe(slow);
    expect(performance.now() - began).toBeLessThan(20_000);
    const deep = { a: `${'['.repeat(100_000)}${']'.repeat(100_000)}` };
    expect(fitInput(withField({ type: 'array' }), deep)).toBe(deep);
    const loop = { a: '1' };
    const endless = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
    expect(fitInput({ ...withField({ $ref: '#/$defs/a' }), $defs: endless } as JsonObject, loop)).toBe(loop);
  });
});

describe('a call with an input of a near type', () => {
  it('runs and is shown with the converted input, and the model gets its own again', async () => {
    const ran: JsonObject[] = [];
    const list = tool('list', async input => {
      ran.push(input);
      return { output: 'done' };
    });
    const input_schema = { type: 'object', properties: { limit: { type: 'integer' } } };
    const core = await openCore({ tools: [{ ...list, source: 'mcp', input_schema }] });
    onTestFinished(() => core.close());
    let later: ModelRequest | undefined;
    core.scripts.push(
      async function* () {
        yield { type: 'call', id: 'a', name: 'list', input: { limit: '3' } };
        yield { type: 'call', id: 'c', name: 'list', input: {}, invalid: '"{\\"limit\\": 4}"' };
        yield { type: 'call', id: 'b', name: 'list', input: { limit: 'x' } };
        yield finish('tools');
      },
      request => {
        later = request;
        return says('ok')();
      },
    );
    const chat = await core.kernel.chats.create({});
    const { feed } = await core.kernel.turns.start(chat.id, { text: 'Go.', on_busy: 'queue' });
    const events = await allOf(feed);
    expect(ran).toEqual([{ limit: 3 }, { limit: 4 }]);
    expect(events.filter(({ type }) => type === 'tool_call')).toMatchObject([
      { input: { limit: 3 } },
      { input: { limit: 4 } },
      { input: { limit: 'x' } },
    ]);
    const results = events.flatMap(event => (event.type === 'tool_result' ? [[event.id, event.output]] : []));
    expect(new Map(results as [string, string][])).toEqual(
      new Map([
        ['a', 'done'],
        ['c', 'done'],
        ['b', 'The input does not match the schema of list:\n- limit: must be integer'],
      ]),
    );
    const inputs = later?.messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'tool_use'),
    );
    expect(inputs).toMatchObject([
      { input: { limit: '3' } },
      { input: { limit: 4 } },
      { input: { limit: 'x' } },
    ]);
  });
});
