/** Builds arbitraries for valid values of a schema, including values at and near its limits. */
import fc from 'fast-check';
import { type ContractDocument, type ContractSchema, resolved } from '../../openapi/document.ts';
import { wildText } from './hostile.ts';

/** Field name → values that the kernel knows, such as the id of a person: see world.ts. */
export type Meanings = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** The mutations try a few longer texts; here they would only cost time. */
const LONGEST = 600;
const DEPTH = 3;

/** @param name of the field, which selects its meaning */
export function fitting(
  document: ContractDocument,
  schema: ContractSchema,
  meanings: Meanings,
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const known = meanings[name];
  const free = () => unnamed(document, resolved(document, schema).schema, meanings, name, depth);
  return known ? fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: free() }) : free();
}

function unnamed(
  document: ContractDocument,
  schema: ContractSchema,
  meanings: Meanings,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const inner = (child: ContractSchema, field: string) =>
    fitting(document, child, meanings, field, depth + 1);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map(option => fitting(document, option, meanings, name, depth)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(
      ...schema.type.map(type => unnamed(document, { ...schema, type }, meanings, name, depth)),
    );
  }
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'number':
      return fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(0, -0, 1e308, 5e-324),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items ?? {}, ''), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return object(schema, inner, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function text({
  format,
  pattern,
  contentEncoding,
  minLength = 0,
  maxLength,
}: ContractSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    const range = { min: new Date('2027-01-01'), max: new Date('2099-01-01'), noInvalidDate: true };
    return fc.date(range).map(date => date.toISOString());
  }
  if (contentEncoding === 'base64') {
    return fc.uint8Array({ minLength: 1, maxLength: 12 }).map(bytes => Buffer.from(bytes).toString('base64'));
  }
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern));
  const fits = (value: string) =>
    value.length >= minLength && value.length <= (maxLength ?? LONGEST) && !(pattern && value.trim() === '');
  const bounds = [minLength, maxLength ?? LONGEST].filter(length => length <= LONGEST);
  return fc.oneof(
    fc.string({ minLength: Math.max(1, minLength), maxLength: Math.min(maxLength ?? 20, 20) }).filter(fits),
    wildText.filter(fits),
    fc.constantFrom(...bounds.map(length => 'x'.repeat(length)), 'word').filter(fits),
  );
}

function integer({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: ContractSchema) {
  const near = fc.integer({ min: Math.max(minimum, -10), max: Math.max(minimum, Math.min(maximum, 1000)) });
  return fc.oneof(near, fc.constantFrom(minimum, maximum));
}

function object(
  { properties = {}, required = [], additionalProperties }: ContractSchema,
  inner: (schema: ContractSchema, field: string) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const open = typeof additionalProperties === 'object' && Object.keys(properties).length === 0;
  if (open) {
    if (Object.keys(additionalProperties).length > 0) {
      return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), inner(additionalProperties, ''), {
        maxKeys: 3,
      });
    }
    return fc.dictionary(fc.oneof(fc.string({ maxLength: 8 }), wildText), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    });
  }
  // Only required fields at depth: otherwise few requests would be fully valid.
  const names = Object.entries(properties).filter(([name]) => depth < DEPTH || required.includes(name));
  const fields = Object.fromEntries(names.map(([name, schema]) => [name, inner(schema, name)]));
  const [first, ...more] = [
    fc.record(fields, { requiredKeys: required }),
    // Two or three of many optional fields.
    ...(names.length > 4
      ? [
          fc
            .subarray(
              names.map(([name]) => name),
              { maxLength: 3 },
            )
            .chain(some =>
              fc.record(
                Object.fromEntries([...new Set([...required, ...some])].map(name => [name, fields[name]!])),
              ),
            ),
        ]
      : []),
  ];
  return fc.oneof({ weight: 1, arbitrary: first! }, ...more.map(arbitrary => ({ weight: 3, arbitrary })));
}
