/**
 * Tests the check that names breaking changes: each kind of break on a small document, and additions, which are not
 * breaks.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { breakingChanges } from '../../scripts/contract/breaking.ts';
import type { ContractSchema } from '../../scripts/contract/document.ts';
import { promisedDocument, promisesOf } from '../../scripts/contract/promises.ts';

// biome-ignore lint/suspicious/noExplicitAny: each case changes another part of the document
type Json = any;

const text: ContractSchema = { type: 'string' };
const document = (): Json => ({
  paths: {
    '/chats': {
      post: {
        operationId: 'createChat',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: ref('NewChat') } } },
        },
        responses: {
          201: {
            content: { 'application/json': { schema: { $ref: ref('Chat') } } },
            headers: { 'X-Id': {} },
          },
          400: { content: { 'application/problem+json': { schema: { type: 'object' } } } },
        },
      },
      get: {
        operationId: 'listChats',
        security: [],
        parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 500 } }],
        responses: {
          200: {
            content: { 'application/json': { schema: { type: 'array', items: { $ref: ref('Chat') } } } },
          },
        },
      },
    },
    '/live': {
      get: {
        operationId: 'watch',
        responses: { 200: { content: { 'text/event-stream': { schema: { $ref: ref('Event') } } } } },
      },
    },
  },
  components: {
    schemas: {
      NewChat: {
        type: 'object',
        properties: {
          title: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] },
          effort: { type: 'string', enum: ['low', 'high'] },
          tags: { type: 'array', items: text },
        },
      },
      Chat: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          title: text,
          effort: { type: 'string', enum: ['low', 'high'] },
          parent: { anyOf: [{ $ref: ref('Chat') }, { type: 'null' }] },
        },
        required: ['id', 'title'],
      },
      Event: { oneOf: [{ $ref: ref('TextEvent') }, { $ref: ref('DoneEvent') }] },
      TextEvent: event('text', { text }),
      DoneEvent: event('done', { status: text }),
    },
  },
});
const ref = (name: string) => `#/components/schemas/${name}`;
const event = (type: string, properties: object) => ({
  type: 'object',
  properties: { type: { type: 'string', const: type }, ...properties },
  required: ['type', ...Object.keys(properties)],
});

/** The breaks that the check finds in a change of the document; it must find the same in its promises. */
function brokenBy(change: (document: Json, schemas: Json) => void): string[] {
  const changed = document();
  change(changed, changed.components.schemas);
  const found = breakingChanges(document(), changed);
  expect(breakingChanges(promisedDocument(promisesOf(document())), changed)).toEqual(found);
  return found;
}

describe('reports a breaking change', () => {
  const chats = (doc: Json) => doc.paths['/chats'];
  test.each<[string, (doc: Json, schemas: Json) => void]>([
    ['GET /live: is gone', doc => delete doc.paths['/live']],
    ['POST /chats: is gone', doc => delete chats(doc).post],
    [
      'POST /chats: generated clients called it createChat, now makeChat',
      doc => {
        chats(doc).post.operationId = 'makeChat';
      },
    ],
    ['GET /chats: needs the token now', doc => delete chats(doc).get.security],
    ['GET /chats: the query parameter limit is no longer understood', doc => chats(doc).get.parameters.pop()],
    [
      'GET /chats: the query parameter shelf is now required',
      doc => chats(doc).get.parameters.push({ in: 'query', name: 'shelf', required: true, schema: text }),
    ],
    [
      'GET /chats: in the request the query parameter limit is held to maximum 100, was 500',
      doc => {
        chats(doc).get.parameters[0].schema.maximum = 100;
      },
    ],
    [
      'GET /chats: a body is now required',
      doc => {
        chats(doc).get.requestBody = { required: true, content: {} };
      },
    ],
    [
      'POST /chats: in the request NewChat.title is now required',
      (_, { NewChat }) => {
        NewChat.required = ['title'];
      },
    ],
    [
      'POST /chats: in the request NewChat.title is no longer taken as null',
      (_, { NewChat }) => NewChat.properties.title.anyOf.pop(),
    ],
    [
      'POST /chats: in the request NewChat.title is held to maxLength 200, was 500',
      (_, { NewChat }) => {
        NewChat.properties.title.anyOf[0].maxLength = 200;
      },
    ],
    [
      'POST /chats: in the request NewChat.tags is held to maxItems 999, was free',
      (_, { NewChat }) => {
        NewChat.properties.tags.maxItems = 999;
      },
    ],
    [
      'POST /chats: in the request NewChat.effort no longer takes "high"',
      (_, { NewChat }) => NewChat.properties.effort.enum.pop(),
    ],
    [
      'POST /chats: in the request NewChat.tags is no longer understood',
      (_, { NewChat }) => delete NewChat.properties.tags,
    ],
    [
      'POST /chats: in the request NewChat.tags[] is held to pattern "^a", was free',
      (_, { NewChat }) => {
        NewChat.properties.tags.items = { type: 'string', pattern: '^a' };
      },
    ],
    [
      'POST /chats: in the request NewChat no longer takes fields that it does not name',
      (_, { NewChat }) => {
        NewChat.additionalProperties = false;
      },
    ],
    [
      'POST /chats: a body of application/json is no longer taken',
      doc => {
        chats(doc).post.requestBody.content = { 'text/plain': {} };
      },
    ],
    [
      'POST /chats: no longer answers with application/json',
      doc => {
        chats(doc).post.responses[201].content = {};
      },
    ],
    ['POST /chats: the status 201 is gone', doc => delete chats(doc).post.responses[201]],
    [
      'POST /chats: may now answer with the status 202',
      doc => {
        chats(doc).post.responses[202] = {};
      },
    ],
    ['POST /chats: the header X-Id of 201 is gone', doc => delete chats(doc).post.responses[201].headers],
    [
      'POST /chats and 1 more: in the answer Chat.title is gone',
      (_, { Chat }) => delete Chat.properties.title,
    ],
    [
      'POST /chats and 1 more: in the answer Chat.title may now be missing',
      (_, { Chat }) => Chat.required.pop(),
    ],
    [
      'POST /chats and 1 more: in the answer Chat.title may now be null',
      (_, { Chat }) => {
        Chat.properties.title = { type: ['string', 'null'] };
      },
    ],
    [
      'POST /chats and 1 more: in the answer Chat.id is no longer promised with format "uuid"',
      (_, { Chat }) => {
        Chat.properties.id = text;
      },
    ],
    ['GET /live: in the answer Event no longer comes with type=done', (_, { Event }) => Event.oneOf.pop()],
    [
      'GET /live: in the answer TextEvent.text may now be missing',
      (_, { TextEvent }) => TextEvent.required.pop(),
    ],
  ])('%s', (sentence, change) => {
    expect(brokenBy(change)).toContain(sentence);
  });

  test('[SAFE-7] accepts a generous first limit of a list', () => {
    expect(
      brokenBy((_, { NewChat }) => {
        NewChat.properties.tags.maxItems = 1000;
      }),
    ).toEqual([]);
  });

  test('reports a changed field type for requests and responses', () => {
    expect(
      brokenBy((_, { NewChat, Chat }) => {
        NewChat.properties.tags = { type: 'integer' };
        Chat.properties.title = { type: 'integer' };
      }),
    ).toEqual([
      'POST /chats: in the request NewChat.tags is no longer taken as array',
      'POST /chats and 1 more: in the answer Chat.title may now be integer',
    ]);
  });
});

test('accepts additions: routes, fields, values, events, errors, wider bounds', () => {
  const added = brokenBy((doc, { NewChat, Chat, Event }) => {
    const { get, post } = doc.paths['/chats'];
    doc.paths['/new'] = { get: { operationId: 'getNew', responses: {} } };
    get.parameters.push({ in: 'query', name: 'shelf', schema: text });
    get.parameters[0].schema.maximum = 1000;
    post.responses[409] = {};
    delete post.responses[400];
    NewChat.properties.model = text;
    NewChat.properties.effort.enum.push('max');
    NewChat.properties.title.anyOf.push({ type: 'integer' });
    Chat.properties.model = text;
    Chat.properties.effort.enum.push('max');
    Chat.required.push('effort');
    Event.oneOf.push(event('new', {}));
  });
  expect(added).toEqual([]);
});

const stored = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('reports no breaking change between the release and the current document, and finds an added one', () => {
  const released = promisedDocument(stored('scripts/contract/released.jsonl'));
  const changed = JSON.parse(stored('docs/openapi.json'));
  expect(breakingChanges(released, changed)).toEqual([]);
  delete changed.components.schemas.Chat.properties.title;
  changed.components.schemas.DoneEvent.required = ['type'];
  expect(breakingChanges(released, changed)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^GET \/v1\/chats and \d+ more: in the answer Chat\.title is gone$|POST .* Chat\.title is gone$/,
      ),
      expect.stringMatching(/in the answer DoneEvent\.turn_id may now be missing$/),
    ]),
  );
});

test('extracts the same promises from a promised document', () => {
  const promises = promisesOf(JSON.parse(stored('docs/openapi.json')));
  expect(promisesOf(promisedDocument(promises))).toBe(promises);
  expect(promises).not.toContain('"description":"');
});
