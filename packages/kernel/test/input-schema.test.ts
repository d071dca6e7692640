/** Tests schemas of clients: they cannot harm the kernel or another schema. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inputMistakes, schemaMistake } from '../src/toolbox/input-schema.ts';

const PLAIN = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

describe('[XT-1] an external schema', () => {
  it('reports what is missing, one sentence each', () => {
    expect(inputMistakes(PLAIN, {})).toEqual(["input: must have required property 'a'"]);
    expect(inputMistakes(PLAIN, { a: 1 })).toEqual(['a: must be string']);
    expect(inputMistakes(PLAIN, { a: 'x' })).toEqual([]);
  });

  it('may have patterns that are valid only without the flag u', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^[\\w-.]+$' } } };
    expect(schemaMistake(schema)).toBeUndefined();
    expect(inputMistakes(schema, { a: 'a-b.c' })).toEqual([]);
    expect(inputMistakes(schema, { a: 'a b' })).toHaveLength(1);
  });

  it('with the id of the meta-schema does not affect others', () => {
    const $id = 'https://json-schema.org/step/2020-12/schema';
    expect(schemaMistake({ ...PLAIN, $id })).toBeUndefined();
    expect(schemaMistake({ type: 'object', properties: { b: { type: 'number' } } })).toBeUndefined();
    expect(schemaMistake({ type: 'object', properties: { b: { type: 'nothing' } } })).toMatch(
      /not a valid JSON Schema/,
    );
  });

  it('resolves its own parts, even if another schema has parts with the same names', () => {
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

  it('that requests asynchronous validation is validated immediately', () => {
    expect(inputMistakes({ ...PLAIN, $async: true }, {})).toHaveLength(1);
    const $defs = { p: { $async: true, type: 'object', properties: { p: { $ref: '#/$defs/p' } } } };
    expect(schemaMistake({ type: 'object', $defs, properties: { p: { $ref: '#/$defs/p' } } })).toMatch(
      /async/,
    );
  });

  it('stops in time if its pattern takes years for a text', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(inputMistakes(schema, { a: 'aaa' })).toEqual([]);
    expect(inputMistakes(schema, { a: 'b' })).toEqual(['a: must match pattern "^(a+)+$"']);
    const began = performance.now();
    expect(() => inputMistakes(schema, { a: `${'a'.repeat(50)}b` })).toThrow(/takes too long/);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  const tree = { type: 'object', properties: { x: { $ref: '#/$defs/a' } } };
  const anyOf = ['q', 'r'].map(required => ({ ...tree, required: [required] }));
  const list = { type: 'object', properties: { x: { type: 'array', uniqueItems: true } } };
  const nested = (levels: number): object => (levels === 0 ? {} : { x: nested(levels - 1) });
  it.each([
    ['compares all elements of a list', list, { x: Array.from({ length: 30_000 }, (_, a) => ({ a })) }],
    ['looks twice at each level', { ...tree, $defs: { a: { anyOf } } }, nested(50)],
  ])('stops in time if it %s [SAFE-7]', (_, schema, input) => {
    const began = performance.now();
    expect(() => inputMistakes(schema, input as object as Record<string, never>)).toThrow(
      'the check of this input takes too long',
    );
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(inputMistakes(PLAIN, { a: 'x' })).toEqual([]);
  });

  it('allows a pattern again that was stopped while the machine was suspended', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(b+)+$' } } };
    const usage = vi.spyOn(process, 'threadCpuUsage');
    onTestFinished(() => usage.mockRestore());
    // Simulate that the first attempt got no processor time.
    for (const user of [0, 0, 0, 250_000]) usage.mockReturnValueOnce({ user, system: 0 });
    expect(() => inputMistakes(schema, { a: `${'b'.repeat(50)}c` })).toThrow(/takes too long/);
    expect(usage).toHaveBeenCalledTimes(4);
  });

  it('is rejected if it is huge or cannot be resolved', () => {
    expect(schemaMistake({ type: 'object', description: 'x'.repeat(100_000) })).toMatch(
      /the limit is 100000/,
    );
    expect(schemaMistake({ type: 'object', properties: { a: { $ref: 'https://no.example' } } })).toMatch(
      /no\.example/,
    );
  });
});
