/** Builds large bodies for an operation of the API document: each of its fields, and fields that it does not have. */
import { type ContractDocument, type ContractSchema, resolved } from '../openapi/document.ts';

export interface Shape {
  name: string;
  body(): string;
}

/** The number of values that a body may have on most routes, with room for the rest of the body. */
const FEW = 99_000;

const repeated = (piece: string, bytes: number, sign = ','): string =>
  `${`${piece}${sign}`.repeat(Math.max(1, Math.floor(bytes / (piece.length + 1))) - 1)}${piece}`;

/** Long values for any field → their JSON. @param bytes of a body */
const values = (bytes: number): [string, () => string][] => [
  ['text', () => `"${repeated('word', bytes, ' ')}"`],
  ['text of two bytes', () => `"${repeated('слово', bytes / 2, ' ')}"`],
  ['text with escapes', () => `"${repeated('\\n', bytes, '\\"')}"`],
  ['one word', () => `"${'x'.repeat(bytes)}"`],
  ['texts', () => `[${repeated('"x"', bytes)}]`],
  ['objects', () => `[${repeated('{}', bytes)}]`],
  ['some texts', () => `[${repeated('"x"', Math.min(bytes, 4 * FEW))}]`],
  ['some objects', () => `[${repeated('{}', Math.min(bytes, 3 * FEW))}]`],
  [
    'some names',
    () =>
      `{${Array.from({ length: Math.min(FEW, Math.ceil(bytes / 20)) }, (_, n) => `"name${n}":${n}`).join()}}`,
  ],
];

/** Bodies that are large whatever the schema is. */
const anyBody = (bytes: number): Shape[] => [
  { name: 'names', body: () => `{${Array.from({ length: bytes / 12 }, (_, n) => `"k${n}":${n}`).join()}}` },
  { name: 'blanks', body: () => `{${' '.repeat(bytes)}}` },
  { name: 'a number', body: () => `{"n":${'1'.repeat(bytes)}}` },
  { name: 'a long name', body: () => `{"${'x'.repeat(bytes)}":1}` },
  {
    name: 'names of the same length',
    body: () =>
      `{${Array.from({ length: bytes / 20_000 }, (_, n) => `"${'x'.repeat(20_000)}${n}":1`).join()}}`,
  },
  { name: 'brackets', body: () => repeated('[[[[]]]]', bytes) },
];

/** @param valid a body that succeeds, whose fields are replaced one by one */
export function shapesOf(
  document: ContractDocument,
  schema: ContractSchema,
  valid: object,
  bytes: number,
): Shape[] {
  const names = [...fieldsOf(document, schema), 'unknown'];
  const shapes = names.flatMap(name =>
    values(bytes).map(([kind, value]) => ({
      name: `${name}: ${kind}`,
      body: () => {
        const { [name]: _, ...others } = valid as Record<string, unknown>;
        const rest = JSON.stringify(others).slice(1, -1);
        return `{${rest}${rest && ','}${JSON.stringify(name)}:${value()}}`;
      },
    })),
  );
  return [...anyBody(bytes), ...shapes];
}

/** Bodies in which every field has the same kind of value, and the same share of the bytes. */
export function filledShapes(
  document: ContractDocument,
  schema: ContractSchema,
  valid: object,
  bytes: number,
): Shape[] {
  const names = [...new Set([...Object.keys(valid), ...fieldsOf(document, schema), 'unknown'])];
  return values(bytes / names.length)
    .filter(([kind]) => ['text with escapes', 'some texts', 'some names'].includes(kind))
    .map(([kind, value]) => ({
      name: `all fields: ${kind}`,
      body: () => `{${names.map(name => `${JSON.stringify(name)}:${value()}`).join()}}`,
    }));
}

function fieldsOf(document: ContractDocument, given: ContractSchema): string[] {
  const { schema } = resolved(document, given);
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...Object.keys(schema.properties ?? {}), ...options.flatMap(option => fieldsOf(document, option))];
}
