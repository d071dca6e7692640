/** Tests that large JSON is parsed like small JSON, except for its limits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, parseSmallJson } from '../src/http/parse-json.ts';
import { runAtOnce } from '../src/http/steps.ts';

const parsed = (text: string): unknown => runAtOnce(parseJson(Buffer.from(text)));

test('[SAFE-7] parses any JSON as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, ' ', '\t\r\n'), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space);
      expect(parsed(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
  const special = '{"__proto__":{"a":1},"a":[{},[],null,true],"1":-1.5e3,"b":"\\ud83d\\ude00\\u0000","a":2}';
  expect(JSON.stringify(parsed(special))).toBe(JSON.stringify(JSON.parse(special)));
  expect(Object.getPrototypeOf(parsed('{"__proto__":{"a":1}}'))).toBe(Object.prototype);
});

test.each([
  ['half a character', '{"a\\ud83d":["x\\uDE00","\\ud83d\\ude00"]}', { 'a\ufffd': ['x\ufffd', '😀'] }],
  ['a backslash before the same letters', '["\\\\ud83d"]', ['\\ud83d']],
])('reads %s as well-formed text', (_, text, value) => {
  expect(parsed(text)).toEqual(value);
  expect(parseSmallJson(text)).toEqual(value);
});

test('[SAFE-7] rejects what JSON.parse rejects', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'{}[],:"\\ 1-.etrufalsn\n\u0001'), maxLength: 8 }),
      text => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parsed(text)).toThrow(SyntaxError);
          return;
        }
        expect(parsed(text)).toEqual(expected);
      },
    ),
    { numRuns: 3000 },
  );
  for (const text of [
    '',
    '[1,]',
    '{"a":1,}',
    '{"a" 1}',
    '[1 2]',
    '[1]x',
    '"a',
    '"\\x"',
    '01',
    '\ufeff1',
    '[1}',
  ])
    expect(() => parsed(text)).toThrow(SyntaxError);
});

test.each([
  ['escapes', '\n"\\\u0001'],
  ['characters of four bytes', '😀ж'],
  ['backslashes', '\\'],
])('[SAFE-7] joins the pieces of a long text with %s', (_, piece) => {
  for (const start of ['', 'x', 'xy', 'xyz']) {
    const text = start + piece.repeat(3_000_000 / piece.length);
    expect(parsed(JSON.stringify(text)) === text).toBe(true);
  }
});

const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}`;
test.each([
  [
    'names',
    (size: number) => `{"${'x'.repeat(size)}":1}`,
    10_000,
    'The name of a field has more than 10,000 bytes',
  ],
  ['objects', fields, 10_000, 'An object has more than 10,000 fields'],
])('[SAFE-7] limits the size of %s', (_, build, limit, problem) => {
  expect(parsed(build(limit))).toEqual(JSON.parse(build(limit)));
  const error = { code: 'invalid_value', message: `${problem} in the body.` };
  expect(() => parsed(build(limit + 1))).toThrow(expect.objectContaining(error));
});

test('[SAFE-7] limits the length of numbers', () => {
  expect(parsed(`[${'1'.repeat(1000)}]`)).toEqual([Number.POSITIVE_INFINITY]);
  expect(() => parsed(`[${'1'.repeat(1001)}]`)).toThrow(SyntaxError);
});
