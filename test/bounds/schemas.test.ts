/** Tests that every array, record and text in a request of the API document has a maximum (SAFE-7). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findUnbounded } from './unbounded.ts';

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

test('[SAFE-7] every array, record and text in a request has a maximum', () => {
  expect(findUnbounded(document)).toEqual([]);
});

test.each([
  ['an array', { type: 'array', items: { type: 'number' } }],
  ['an array in an option', { anyOf: [{ type: 'number' }, { type: 'array', items: {} }] }],
  ['an array of an array', { type: 'array', maxItems: 3, items: { type: ['array', 'null'] } }],
  ['an array without a type', { items: { type: 'number' } }],
  ['a text', { type: 'string' }],
  ['a text in an array', { type: 'array', maxItems: 3, items: { type: 'string' } }],
  ['a record', { type: 'object', additionalProperties: {} }],
  ['a record in a record', { type: 'object', maxProperties: 3, additionalProperties: { type: 'object' } }],
])('[SAFE-7] the check finds %s without a maximum', (_, schema) => {
  expect(findUnbounded(withBody(schema))).toHaveLength(1);
});

test('[SAFE-7] the check accepts limits, and follows a recursive schema only once', () => {
  const bounded = { type: 'array', maxItems: 3, items: { $ref: '#/components/schemas/Node' } };
  const components = { schemas: { Node: { type: 'object', properties: { children: bounded } } } };
  expect(findUnbounded({ ...withBody(bounded), components })).toEqual([]);
});

const withBody = (schema: object) => ({
  paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
});
