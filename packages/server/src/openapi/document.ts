/** The OpenAPI 3.1 document, made from the routes. Whoever wants it loads this file. */
import swagger from '@fastify/swagger';
import { type FastifySchema, fastify } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Route } from '../http/route.ts';
import { documentedSchema } from './documented-schema.ts';
import { refine } from './refine.ts';
import { tagsOf } from './tags.ts';

type Transform = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>;

/**
 * Version of the API, not of the kernel, so that a release alone does not change the document. It moves when the API
 * gains something. A change that breaks clients would move the first number, and the /v1 of the addresses with it.
 */
const API_VERSION = '1.0.0';

/**
 * Returns the document. It is made by an application of its own, which nobody asks for anything else: a server that is
 * never asked for its document need not load what makes one.
 */
export async function documentOf(routes: readonly Route[]): Promise<object> {
  const app = fastify();
  const zodToJsonConfig: Transform = { override: simplify };
  const withSchemas = createJsonSchemaTransformObject({ zodToJsonConfig });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Chat Kernel',
        version: API_VERSION,
        description: ABOUT,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This kernel' }],
      tags: tagsOf(routes),
      components: { securitySchemes: { ServiceToken: SERVICE_TOKEN } },
      security: [{}, { ServiceToken: [] }],
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: document => refine(withSchemas(document), routes),
  });
  // Nothing is checked or written here: the schemas are only described.
  app.setValidatorCompiler(() => () => true).setSerializerCompiler(() => () => '');
  // In the order in which they are mounted.
  for (const route of [
    ...routes.filter(({ rawBody }) => !rawBody),
    ...routes.filter(({ rawBody }) => rawBody),
  ]) {
    const { method, url } = route;
    app.route({ method, url, schema: documentedSchema(route) as FastifySchema, handler() {} });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

/** Optional, as the empty requirement beside it says: without a proxy the kernel authenticates nobody. */
const SERVICE_TOKEN = {
  type: 'apiKey' as const,
  in: 'header' as const,
  name: 'X-Service-Token',
  description:
    'Of the proxy in front of the kernel, where there is one: without it the proxy answers 401. The kernel itself ' +
    'has no users and does not look at it.',
};

const ABOUT =
  'Chats between one owner and language models. Every error is an `application/problem+json` with a stable `code`; ' +
  'what the codes mean stands at [/apidocs/errors](/apidocs/errors). Fields that a request has and the kernel does ' +
  'not know are ignored and named in the header `X-Ignored-Fields`. New fields, events and decisions may come at any ' +
  'time: skip what you do not know.';

/**
 * Leaves objects open unless they are strict, for a newer kernel may answer with more fields. Drops a pattern that repeats
 * what the format says: it only makes the page hard to read.
 */
function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  if (jsonSchema.format === 'date-time') jsonSchema.pattern = MILLISECONDS_UTC;
}
const MILLISECONDS_UTC = '\\.\\d{3}Z$';
