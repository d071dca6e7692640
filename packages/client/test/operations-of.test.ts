/** The generator of the named calls: a new route of the document gives its call. */
import { expect, it } from 'vitest';
import { operationsOf } from '../scripts/operations-of.ts';

const json = (schema: object = {}) => ({ content: { 'application/json': { schema } } });
const operation = (operationId: string, more: object = {}) => ({
  operationId,
  summary: `Call ${operationId}`,
  responses: { 200: json() },
  ...more,
});
const document = {
  paths: {
    '/teas/{id}/cups/{cup_id}': {
      put: operation('fillCup', {
        requestBody: json({ $ref: '#/components/schemas/Filling' }),
        parameters: [{ in: 'query', name: 'hot' }],
      }),
      get: operation('drawCup', { responses: { 200: { content: { 'image/*': {} } } } }),
    },
    '/teas': {
      post: operation('makeTea', { requestBody: json({ $ref: '#/components/schemas/Tea' }) }),
      get: operation('findTeas', { parameters: [{ in: 'query', name: 'q', required: true }] }),
    },
    '/steam': {
      get: operation('watchSteam', { responses: { 200: { content: { 'text/event-stream': {} } } } }),
    },
    '/leaves': { post: operation('uploadLeaves', { requestBody: { content: { '*/*': {} } } }) },
  },
  components: { schemas: { Filling: { required: ['tea'] }, Tea: {} } },
};
const text = operationsOf(document);

it('[SVC-3] each operation is a row and a typed call, its arguments by their place', () => {
  expect(text).toContain(`JSON_OPERATIONS = {
  fillCup: 'PUT /teas/{id}/cups/{cup_id} body query',
  makeTea: 'POST /teas body',
  findTeas: 'GET /teas query',
} as const;`);
  expect(text).toContain(`  /** Call fillCup. */
  fillCup(id: string, cup_id: string, body: BodyOf<'fillCup'>, query?: QueryOf<'fillCup'>, options?: CallOptions): Promise<AnswerOf<'fillCup'>>;`);
});

it('[SVC-3] a body or a query is optional where none of its fields is required', () => {
  expect(text).toContain("makeTea(body?: BodyOf<'makeTea'>, options?: CallOptions)");
  expect(text).toContain("findTeas(query: QueryOf<'findTeas'>, options?: CallOptions)");
});

it('[SVC-3] an answer that is no JSON is raw; streams and uploads have no row', () => {
  expect(text).toContain("RAW_OPERATIONS = {\n  drawCup: 'GET /teas/{id}/cups/{cup_id}',\n} as const;");
  expect(text).not.toMatch(/watchSteam|uploadLeaves/);
});
