/** Builds the OpenAPI 3.1 document from the routes. Loaded on demand. */
import swagger from '@fastify/swagger';
import { type FastifySchema, fastify } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Route } from '../http/route.ts';
import { documentedSchema } from './documented-schema.ts';
import { refine } from './refine.ts';
import { collectTags } from './tags.ts';

type Transform = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>;

/**
 * Version of the API, not of the kernel, so that a release does not change the document. It increases when the API
 * gains something. A change that breaks clients would increase the major version, and the /v1 of the addresses with it.
 */
const API_VERSION = '1.0.0';

/**
 * Returns the document. A separate application builds it, so that a server whose document is never requested does not
 * load the generator.
 */
export async function buildDocument(routes: readonly Route[]): Promise<object> {
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
      tags: collectTags(routes),
      components: { securitySchemes: { ServiceToken: SERVICE_TOKEN } },
      security: [{}, { ServiceToken: [] }],
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: document => refine(withSchemas(document), routes),
  });
  // The schemas are only described here, so validation and serialization are switched off.
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

/** Optional, as the empty requirement next to it states: without a proxy the kernel authenticates no user. */
const SERVICE_TOKEN = {
  type: 'apiKey' as const,
  in: 'header' as const,
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

/**
 * Keeps objects open unless they are strict, because a newer kernel may answer with more fields. Drops a pattern that
 * repeats the format, because it only makes the page hard to read.
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
  // A time from clients may have any zone and fraction; answers have milliseconds, in UTC. A wrapper, such as an
  // optional one, already has the schema of its content.
  if (jsonSchema.format === 'date-time' && 'offset' in def) {
    if (def.offset === true) delete jsonSchema.pattern;
    else jsonSchema.pattern = MILLISECONDS_UTC;
  }
}
const MILLISECONDS_UTC = '\\.\\d{3}Z$';
