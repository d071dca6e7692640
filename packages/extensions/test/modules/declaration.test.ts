/** The declaration of a module, and its fingerprint. */
import { InitializeResult } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { fingerprint, readDeclaration, readTools } from '../../src/modules/session/declaration.ts';

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

test('[MOD-2] the order of fields does not change the fingerprint, and the phrase does not either', () => {
  const [{ name, description, input_schema }] = DECLARED.tools as [(typeof DECLARED.tools)[0]];
  expect(printOf({ tools: [{ input_schema, description, name }], about: 'other birds' })).toBe(printOf({}));
});

test.each([
  ['version', { version: '1.0.1' }],
  ['name', { name: 'crow' }],
  ['description', tool({ description: 'Shouts.' })],
  ['gate', tool({ trusted_only: true })],
  ['schema', tool({ input_schema: { type: 'object', properties: { 10: {} } } })],
  ['number of tools', { tools: [] }],
  ['stage', { stages: [] }],
  ['meaning of an error', { stages: [{ stage: 'message', on_error: 'block' }] }],
])('[MOD-2] another %s is another fingerprint', (_, changes) => {
  expect(printOf(changes)).not.toBe(printOf({}));
});

test('a list of pairs is not taken for an object', () => {
  const schema = (value: unknown) => printOf(tool({ input_schema: { default: value } }));
  expect(schema([['a', 1]])).not.toBe(schema({ a: 1 }));
  expect(schema({ object: [['a', 1]] })).not.toBe(schema({ a: 1 }));
});

test('a schema without end is refused', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  const declared = { ...DECLARED, ...tool({ input_schema: deep }) };
  expect(() => readDeclaration(declared, 'parrot')).toThrow('more than 64 levels');
  expect(() => readTools(tool({ input_schema: deep }))).toThrow('more than 64 levels');
});

test.each([null, 7, 'text', [], {}, { protocol: 1 }])('%o is no declaration', answer => {
  expect(() => readDeclaration(answer, 'parrot')).toThrow('its declaration is wrong');
});
