/** Checks the names of the document as client generators use them: no name has two meanings. */
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
 * Suffixes that generators append to the name of an operation for its request and response types: orval (Result,
 * Params, Body, MutationResult, ...), hey-api (Data, Response, Responses, Error, Errors), swagger-typescript-api (Data,
 * Error, Params, Payload) and OpenAPI Generator (Request, OperationRequest).
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

/** @returns the schemas whose name a generator uses for something else */
function takenNames({ paths, components }: Document): string[] {
  const operations = Object.values(paths).flatMap(methods =>
    Object.values(methods).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId])),
  );
  const given = new Set(
    operations.flatMap(id => GIVEN.map(suffix => `${id[0]?.toUpperCase()}${id.slice(1)}${suffix}`)),
  );
  return Object.keys(components.schemas).filter(name => given.has(name));
}

test('[WIRE-4] uses no schema name that generators derive from operations', () => {
  expect(takenNames(document)).toEqual([]);
});

test('finds a reserved name', () => {
  const schemas = { ...document.components.schemas, RewindResult: {}, StartTurnData: {} };
  expect(takenNames({ ...document, components: { schemas } })).toEqual(['RewindResult', 'StartTurnData']);
});
