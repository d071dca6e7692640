/** Tests the generator of the named calls: a new route of the document creates its call. */
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
    '/pour': { post: operation('pour', { requestBody: { required: false, ...json() } }) },
    '/leaves': { post: operation('uploadLeaves', { requestBody: { content: { '*/*': {} } } }) },
  },
  components: { schemas: { Filling: { required: ['tea'] }, Tea: {} } },
};
const text = operationsOf(document);

it('[SVC-3] generates a row and a typed call with positional arguments for each operation', () => {
  expect(text).toContain(`JSON_OPERATIONS = {
  fillCup: 'PUT /teas/{id}/cups/{cup_id} body query',
  makeTea: 'POST /teas body',
  findTeas: 'GET /teas query',
  pour: 'POST /pour',
} as const;`);
  expect(text).toContain("pour(options?: CallOptions): Promise<AnswerOf<'pour'>>;");
  expect(text).toContain(`  /** Call fillCup. */
  fillCup(id: string, cup_id: string, body: BodyOf<'fillCup'>, query?: QueryOf<'fillCup'>, options?: CallOptions): Promise<AnswerOf<'fillCup'>>;`);
});

it('[SVC-3] makes a body or a query optional if all of its fields are optional', () => {
  expect(text).toContain("makeTea(body?: BodyOf<'makeTea'>, options?: CallOptions)");
  expect(text).toContain("findTeas(query: QueryOf<'findTeas'>, options?: CallOptions)");
});

it('[SVC-3] marks responses other than JSON as raw, and skips streams and uploads', () => {
  expect(text).toContain("RAW_OPERATIONS = {\n  drawCup: 'GET /teas/{id}/cups/{cup_id}',\n} as const;");
  expect(text).not.toMatch(/watchSteam|uploadLeaves/);
});
