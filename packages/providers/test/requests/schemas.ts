/** Arbitrary input schemas: valid ones, and those that servers really declare by mistake. */
import type { JsonObject } from '@chat-kernel/protocol';
import fc from 'fast-check';

export const propertyName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'kind') },
  fc.constantFrom('filter[id]', 'filter_id_', '', '__proto__', 'x.y', 'x-y', 'x_y', 'ä', '1a', 'constructor'),
  fc.constantFrom('n'.repeat(64), 'n'.repeat(70), 'n'.repeat(71), '\ud83d', '\u0000', 'toString', '$ref'),
  fc.string({ maxLength: 4 }),
);
const junk = fc.constantFrom(null, -1, 0.5, 'x', '', [], {}, true, false, [null], '\ud800');
const mostly = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: junk });

const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const value = fc.oneof(
  fc.constantFrom('a', 'b', '', null, true, 0, 1, 1.5, '\ud83d', [], {}, { a: 1 }),
  fc.string({ maxLength: 3 }),
);
const count = fc.integer({ min: -1, max: 3 });
const text = fc.constantFrom('Some words.', '', ' ', 'half \ud83d');
const reference = fc.constantFrom(
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/properties/a',
  '#anchor',
  '#/none',
  '#/%',
);

const entry = (key: string, arbitrary: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constant(key), mostly(arbitrary));

const { schema, object } = fc.letrec<{ schema: unknown; object: JsonObject }>(tie => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 2 });
  const keyword = fc.oneof(
    entry('type', fc.oneof({ weight: 4, arbitrary: type }, fc.array(type, { maxLength: 3 }))),
    entry('type', fc.constantFrom('object', 'array')),
    entry('description', text),
    entry('properties', fc.dictionary(propertyName, inner, { maxKeys: 3 })),
    entry('properties', fc.dictionary(propertyName, inner, { maxKeys: 3 })),
    entry('required', fc.array(propertyName, { maxLength: 2 })),
    entry('additionalProperties', fc.oneof(fc.boolean(), inner)),
    entry('items', fc.oneof(inner, list)),
    entry('prefixItems', list),
    entry('anyOf', list),
    entry('oneOf', list),
    entry('allOf', list),
    fc.tuple(fc.constantFrom('not', 'if', 'then', 'contains', 'propertyNames'), inner),
    entry('patternProperties', fc.dictionary(fc.constantFrom('^a', '('), inner, { maxKeys: 1 })),
    entry('enum', fc.array(value, { maxLength: 4 })),
    entry('const', value),
    entry('default', value),
    entry('nullable', fc.boolean()),
    entry('format', fc.constantFrom('date-time', 'uri', 'int32')),
    entry('pattern', fc.constantFrom('^a', '(?=a)', '(', '(a)\\1', '\\p{L}')),
    fc.tuple(fc.constantFrom('minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties'), count),
    fc.tuple(fc.constantFrom('minimum', 'maximum', 'exclusiveMaximum', 'multipleOf'), mostly(count)),
    entry('uniqueItems', fc.boolean()),
    entry('$ref', reference),
    fc.tuple(fc.constantFrom('$anchor', '$id', '$schema', 'x-order', 'title'), fc.constantFrom('anchor', 1)),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 1, arbitrary: fc.oneof(fc.boolean(), junk) },
      { weight: 6, arbitrary: tie('object') },
    ),
    object: fc.array(keyword, { maxLength: 5 }).map(entries => Object.fromEntries(entries) as JsonObject),
  };
});

export const inputSchema: fc.Arbitrary<JsonObject> = fc
  .tuple(object, schema, schema)
  .map(([top, a, b]) => ({ ...top, $defs: { a, b } }));
