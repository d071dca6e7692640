/** Puts route objects into Fastify: requests are checked by schemas, responses are written as plain JSON. */
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import { ignoredFields, leaveBodies } from './body.ts';
import { mismatch } from './problems.ts';
import {
  type AppServices,
  type BodyHook,
  isContent,
  type Route,
  type RouteCall,
  successStatus,
} from './route.ts';

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

/** Bodies as they were sent, kept until they can be compared with what the schema understood. */
const sentBodies = new WeakMap<FastifyRequest, unknown>();

/** What checks requests, and writes responses, of which no route has a schema. With it Fastify loads none of its own. */
export const COMPILERS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildValidator: (() => checked) as unknown as CompilersFactory['buildValidator'] & {},
    buildSerializer: () => () => data => JSON.stringify(data),
  },
};

const checked: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  data => {
    const parsed = schema.safeParse(data);
    return parsed.success
      ? { value: parsed.data }
      : { error: mismatch(httpPart ?? 'body', parsed.error.issues) };
  };

export function mount(app: FastifyInstance, routes: readonly Route[], services: AppServices): void {
  for (const route of routes.filter(({ rawBody }) => !rawBody)) {
    mountRoute(app, route, services, services.others?.hookOf(app, route));
  }
  app.register(async scope => {
    leaveBodies(scope);
    for (const route of routes.filter(({ rawBody }) => rawBody)) mountRoute(scope, route, services);
  });
}

/**
 * The schemas of a request. Responses have none here, for they are made here and not by strangers: tests hold them
 * against the document, so that no request pays for it.
 */
const checkedSchema = ({ params, query, body, headers }: NonNullable<Route['request']>): object => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(body && { body }),
  ...(headers && { headers }),
});

function mountRoute(app: FastifyInstance, route: Route, services: AppServices, hook?: BodyHook): void {
  const { method, url, request: schemas = {}, handler } = route;
  const status = successStatus(route);
  const streams = Object.values(route.responses).some(
    response => response !== null && isContent(response) && response.contentType === 'text/event-stream',
  );
  app.route({
    method,
    url,
    // A HEAD of a stream would start it.
    exposeHeadRoute: method === 'GET' && !streams,
    schema: checkedSchema(schemas),
    ...(hook && { preParsing: hook }),
    ...(schemas.body && {
      preValidation: (request: FastifyRequest, _reply, done) => {
        if (request.body === undefined) {
          done(new KernelError('not_json', 'A JSON body is needed here.'));
          return;
        }
        sentBodies.set(request, request.body);
        done();
      },
      preHandler: (request: FastifyRequest, reply, done) => {
        const ignored = ignoredFields(sentBodies.get(request), request.body);
        if (ignored) reply.header('x-ignored-fields', ignored);
        done();
      },
    }),
    handler: async (request, reply) => {
      const { params, query, body, headers } = request;
      const call = { ...services, params, query, body, headers, request, reply } as unknown as RouteCall;
      const result = await handler(call);
      const answered = reply.sent || reply.raw.headersSent;
      return answered ? reply : reply.code(status).send(result);
    },
  });
}
