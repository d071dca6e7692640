/** Builds the OpenAPI 3.1 document from the routes. Loaded on demand. */
import type { RouteTag } from '@chat-kernel/http';
import type { Route } from '../http/route.ts';
import { describeOperation, schemasOf } from './operation.ts';
import { DocumentSchemas, type Json } from './schemas.ts';

/**
 * Version of the API, not of the kernel, so that a release does not change the document. It increases when the API
 * gains something. A change that breaks clients would increase the major version, and the /v1 of the addresses with it.
 */
const API_VERSION = '1.0.0';

export function buildDocument(routes: readonly Route[]): object {
  const shown = routes.filter(({ hidden }) => !hidden);
  const schemas = new DocumentSchemas(shown.flatMap(schemasOf));
  const paths: Record<string, Json> = {};
  // In the order in which they are mounted.
  for (const route of [
    ...shown.filter(({ rawBody }) => !rawBody),
    ...shown.filter(({ rawBody }) => rawBody),
  ]) {
    // Fastify's `:id` is `{id}` in the document.
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeOperation(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chat Kernel',
      version: API_VERSION,
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: { securitySchemes: { ServiceToken: SERVICE_TOKEN }, schemas: schemas.components() },
    paths,
    servers: [{ url: '/', description: 'This kernel' }],
    security: [{}, { ServiceToken: [] }],
    tags: collectTags(shown),
  };
}

/** @throws Error if two tags share a name: routes of one group must share one object */
export function collectTags(routes: readonly Route[]): RouteTag[] {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  for (const [index, { name }] of tags.entries()) {
    if (tags.findIndex(tag => tag.name === name) !== index)
      throw new Error(`Two tags are named ${name}. Import the tag instead of defining it again.`);
  }
  return tags;
}

/** Optional, as the empty requirement next to it states: without a proxy the kernel authenticates no user. */
const SERVICE_TOKEN = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Service-Token',
  description:
    'The token of the proxy in front of the kernel, if any. Without it, the proxy returns 401. The kernel itself ' +
    'has no users and ignores it.',
};

const ABOUT =
  'Chats between one owner and language models. Every error is an `application/problem+json` with a stable `code`; ' +
  'the codes are described at [/apidocs/errors](/apidocs/errors). Request fields that the kernel does ' +
  'not know are ignored and listed in the header `X-Ignored-Fields`. New fields, events and decisions may be added at any ' +
  'time: clients must skip unknown ones.';
