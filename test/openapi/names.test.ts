/** Names of the document, as generators of clients use them: none gets a meaning twice. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Document {
  paths: Record<string, Record<string, { operationId?: string }>>;
  components: { schemas: Record<string, unknown> };
}
const document: Document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);

/**
 * What generators put behind the name of an operation to name what it takes and gives: orval (Result, Params, Body,
 * MutationResult, ...), hey-api (Data, Response, Responses, Error, Errors), swagger-typescript-api (Data, Error, Params,
 * Payload) and OpenAPI Generator (Request, OperationRequest).
 */
const GIVEN = [
  ...['Result', 'Response', 'Responses', 'ResponseSuccess', 'ResponseError', 'QueryResult', 'MutationResult'],
  ...['Data', 'Error', 'Errors', 'QueryError', 'MutationError', 'Params', 'PathParameters', 'QueryParams'],
  ...[
    'Query',
    'Headers',
    'Header',
    'Body',
    'MutationBody',
    'Payload',
    'Request',
    'OperationRequest',
    'Variables',
  ],
];

/** @returns the schemas whose name a generator gives to something else */
function takenNames({ paths, components }: Document): string[] {
  const operations = Object.values(paths).flatMap(methods =>
    Object.values(methods).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId])),
  );
  const given = new Set(
    operations.flatMap(id => GIVEN.map(suffix => `${id[0]?.toUpperCase()}${id.slice(1)}${suffix}`)),
  );
  return Object.keys(components.schemas).filter(name => given.has(name));
}

test('[WIRE-4] no schema is named as generators name what an operation takes or gives', () => {
  expect(takenNames(document)).toEqual([]);
});

test('a name that is taken is found', () => {
  const schemas = { ...document.components.schemas, RewindResult: {}, StartTurnData: {} };
  expect(takenNames({ ...document, components: { schemas } })).toEqual(['RewindResult', 'StartTurnData']);
});
