/** Tests the declaration of a module, and its fingerprint. */
import { InitializeResult } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { fingerprint, readDeclaration, readTools } from '../src/session/declaration.ts';

const DECLARED = {
  protocol: 1,
  name: 'parrot',
  version: '1.0.0',
  about: 'birds',
  tools: [
    { name: 'say', description: 'Says.', input_schema: { type: 'object', properties: { 10: {}, 9: {} } } },
  ],
  stages: [{ stage: 'message' }],
};
const printOf = (changes: object) => fingerprint(InitializeResult.parse({ ...DECLARED, ...changes }));
const tool = (changes: object) => ({ tools: [{ ...DECLARED.tools[0], ...changes }] });

test('[MOD-2] keeps the fingerprint for another order of fields or another version', () => {
  const [{ name, description, input_schema }] = DECLARED.tools as [(typeof DECLARED.tools)[0]];
  expect(printOf({ tools: [{ input_schema, description, name }], version: '1.0.1' })).toBe(printOf({}));
});

test.each([
  ['phrase', { about: 'other birds' }],
  ['name', { name: 'crow' }],
  ['description', tool({ description: 'Shouts.' })],
  ['access gate', tool({ trusted_only: true })],
  ['list of effects', tool({ effects: ['read'] })],
  ['origin of results', tool({ outside: true })],
  ['schema', tool({ input_schema: { type: 'object', properties: { 10: {} } } })],
  ['number of tools', { tools: [] }],
  ['stage', { stages: [] }],
  ['on_error', { stages: [{ stage: 'message', on_error: 'block' }] }],
])('[MOD-2] changes the fingerprint for another %s', (_, changes) => {
  expect(printOf(changes)).not.toBe(printOf({}));
});

test('distinguishes a list of pairs from an object', () => {
  const schema = (value: unknown) => printOf(tool({ input_schema: { default: value } }));
  expect(schema([['a', 1]])).not.toBe(schema({ a: 1 }));
  expect(schema({ object: [['a', 1]] })).not.toBe(schema({ a: 1 }));
});

test('rejects a schema that is nested too deep', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  const declared = { ...DECLARED, ...tool({ input_schema: deep }) };
  expect(() => readDeclaration(declared, 'parrot')).toThrow('more than 64 levels');
  expect(() => readTools(tool({ input_schema: deep }))).toThrow('more than 64 levels');
});

test('[MOD-3] reads the effects of a tool and the origin of its results, and rejects unknown effects', () => {
  const declared = readTools(tool({ effects: ['read', 'send'], outside: true }));
  expect(declared).toMatchObject([{ effects: ['read', 'send'], outside: true }]);
  expect(Object.keys(readTools(tool({}))[0]!)).toEqual(['name', 'description', 'input_schema']);
  expect(() => readTools(tool({ effects: ['explode'] }))).toThrow('tools.0.effects.0');
  expect(() => readTools(tool({ outside: 'yes' }))).toThrow('tools.0.outside');
});

test.each([null, 7, 'text', [], {}, { protocol: 1 }])('rejects the declaration %o', answer => {
  expect(() => readDeclaration(answer, 'parrot')).toThrow('its declaration is wrong');
});
