/** Tests how invalid settings are described, for each kind of mistake that a schema can find. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { complaints } from '../src/expectation.ts';

test.each([
  ['a text', z.string(), 1],
  ['a number', z.number(), 'a'],
  ['a whole number', z.int(), 1.5],
  ['true or false', z.boolean(), 'a'],
  ['a list', z.array(z.string()), 'a'],
  ['a section with settings of its own', z.object({}), 'a'],
  ['a section with settings of its own', z.record(z.string(), z.string()), 'a'],
  ['bigint', z.bigint(), 1],
  ['a', z.literal('a'), 'b'],
  ['one of a, b', z.enum(['a', 'b']), 'c'],
  ['more than 1', z.number().gt(1), 1],
  ['at least 1', z.number().min(1), 0],
  ['less than 9', z.number().lt(9), 9],
  ['at most 9', z.number().max(9), 10],
  ['at least 2 letters', z.string().min(2), 'a'],
  ['at most 1 entries', z.array(z.int()).max(1), [1, 2]],
  ['a URL such as https://example.org', z.url(), 'a'],
  ['a text like /^a$/', z.string().regex(/^a$/), 'b'],
  ['a name of letters, digits, _ and -', z.record(z.string().regex(/^a$/), z.int()), { b: 1 }],
])('expected %s', (wanted, schema, value) => {
  const [issue] = schema.safeParse(value).error!.issues;
  expect(complaints(issue!, true)).toEqual([{ path: issue!.path, sentence: `expected ${wanted}` }]);
});

test('uses the sentence of a schema that has one', () => {
  const schema = z.object({
    pattern: z.string().regex(/^a$/, 'expected an a'),
    rule: z.string().refine(() => false, 'the rule is broken'),
  });
  const { issues } = schema.safeParse({ pattern: 'b', rule: 'c' }).error!;
  expect(issues.flatMap(issue => complaints(issue, true)).map(({ sentence }) => sentence)).toEqual([
    'expected an a',
    'the rule is broken',
  ]);
});

test('says that a required setting is missing', () => {
  const [issue] = z.object({ a: z.string() }).safeParse({}).error!.issues;
  expect(complaints(issue!, false)).toEqual([{ path: ['a'], sentence: 'missing, expected a text' }]);
});

test('names each unknown setting, and the nearest one or all others', () => {
  const [issue] = z.strictObject({}).safeParse({ levle: 1, colour: 2 }).error!.issues;
  expect(complaints({ ...issue!, path: ['log'] }, true)).toEqual([
    { path: ['log'], key: 'levle', sentence: 'unknown setting, did you mean "level"?' },
    { path: ['log'], key: 'colour', sentence: 'unknown setting, expected one of level' },
  ]);
});
