/** Schemas that clients bring: none of them can harm the kernel, or another's schema. */
import { describe, expect, it } from 'vitest';
import { inputMistakes, schemaMistake } from '../src/toolbox/input-schema.ts';

const PLAIN = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

describe('[XT-1] a schema from outside', () => {
  it('says what is missing, a sentence each', () => {
    expect(inputMistakes(PLAIN, {})).toEqual(["input: must have required property 'a'"]);
    expect(inputMistakes(PLAIN, { a: 1 })).toEqual(['a: must be string']);
    expect(inputMistakes(PLAIN, { a: 'x' })).toEqual([]);
  });

  it('that calls itself the schema of schemas spoils no other', () => {
    const $id = 'https://json-schema.org/step/2020-12/schema';
    expect(schemaMistake({ ...PLAIN, $id })).toBeUndefined();
    expect(schemaMistake({ type: 'object', properties: { b: { type: 'number' } } })).toBeUndefined();
    expect(schemaMistake({ type: 'object', properties: { b: { type: 'nothing' } } })).toMatch(
      /no JSON Schema/,
    );
  });

  it('means its own parts, though another had parts of the same name', () => {
    const withPart = (type: string) => ({
      type: 'object',
      $defs: { part: { $id: 'https://tools.example/part', type } },
      properties: { p: { $ref: 'https://tools.example/part' } },
    });
    for (const [type, p] of [
      ['string', 'x'],
      ['number', 1],
    ] as const) {
      expect(schemaMistake(withPart(type))).toBeUndefined();
      expect(inputMistakes(withPart(type), { p })).toEqual([]);
      expect(inputMistakes(withPart(type), { p: true })).toEqual([`p: must be ${type}`]);
    }
  });

  it('that wants to be checked some other time is checked now', () => {
    expect(inputMistakes({ ...PLAIN, $async: true }, {})).toHaveLength(1);
    const $defs = { p: { $async: true, type: 'object', properties: { p: { $ref: '#/$defs/p' } } } };
    expect(schemaMistake({ type: 'object', $defs, properties: { p: { $ref: '#/$defs/p' } } })).toMatch(
      /async/,
    );
  });

  it('whose pattern takes years with a text is stopped in time', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(inputMistakes(schema, { a: 'aaa' })).toEqual([]);
    expect(inputMistakes(schema, { a: 'b' })).toEqual(['a: must match pattern "^(a+)+$"']);
    const began = performance.now();
    expect(() => inputMistakes(schema, { a: `${'a'.repeat(50)}b` })).toThrow(/takes too long/);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('is refused where it is huge, or nobody could resolve it', () => {
    expect(schemaMistake({ type: 'object', description: 'x'.repeat(100_000) })).toMatch(/may have 100000/);
    expect(schemaMistake({ type: 'object', properties: { a: { $ref: 'https://no.example' } } })).toMatch(
      /no\.example/,
    );
  });
});
