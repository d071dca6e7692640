/** Mounts route objects in Fastify: schemas check requests, and responses are written as plain JSON. */
import { isContent, type RouteCall, successStatus } from '@chat-kernel/http';
import { KernelError } from '@chat-kernel/protocol';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  FastifyServerOptions,
} from 'fastify';
import type { z } from 'zod';
import { ignoredFields, ignoredFieldsInSteps, LARGE_BODY, leaveBodies } from './body.ts';
import { mismatch } from './problems.ts';
import type { AppServices, BodyHook, Route } from './route.ts';

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

/** Validates requests and serializes responses. With it Fastify does not load its own compilers. */
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
    mountRoute(app, route, services, services.others?.hookOf(app, route, services));
  }
  app.register(async scope => {
    leaveBodies(scope);
    for (const route of routes.filter(({ rawBody }) => rawBody)) mountRoute(scope, route, services);
  });
}

/**
 * The schemas that Fastify checks. Bodies are checked later, because a long one is checked in steps. Responses are not
 * checked here, because the kernel creates them: tests compare them with the document, so that no request pays for it.
 */
const checkedSchema = ({ params, query, headers }: NonNullable<Route['request']>): object => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(headers && { headers }),
});

function mountRoute(app: FastifyInstance, route: Route, services: AppServices, hook?: BodyHook): void {
  const { method, url, request: schemas = {}, handler } = route;
  const status = successStatus(route);
  const needsBody = schemas.body?.safeParse(undefined).success === false;
  const streams = Object.values(route.responses).some(
    response => response !== null && isContent(response) && response.contentType === 'text/event-stream',
  );
  app.route({
    method,
    url,
    // A HEAD of a stream would start it.
    config: { maxValues: route.maxValues },
    exposeHeadRoute: method === 'GET' && !streams,
    schema: checkedSchema(schemas),
    ...(hook && { preParsing: hook }),
    ...(schemas.body && {
      preValidation: (request: FastifyRequest, _reply, done) => {
        if (request.body === undefined && needsBody) {
          done(new KernelError('not_json', 'A JSON body is required.'));
          return;
        }
        done();
      },
      preHandler: (request: FastifyRequest, reply, done) => {
        const note = (ignored: string | undefined) => {
          if (ignored) reply.header('x-ignored-fields', ignored);
          done();
        };
        const length = Number(request.headers['content-length'] ?? Number.NaN);
        const schema = schemas.body as z.ZodType;
        if (length <= LARGE_BODY) note(checkBody(schema, request));
        else checkLargeBody(schema, request).then(note).catch(done);
      },
    }),
    handler: async (request, reply) => {
      const { params, query, body, headers } = request;
      const call = { ...services, params, query, body, headers, request, reply } as unknown as RouteCall &
        AppServices;
      const result = await handler(call);
      const answered = reply.sent || reply.raw.headersSent;
      return answered ? reply : reply.code(status).send(result);
    },
  });
}

/** Replaces the body by the output of its schema. Returns the fields that it does not have. @throws KernelError */
function checkBody(schema: z.ZodType, request: FastifyRequest): string | undefined {
  const sent = request.body;
  request.body = outputOf(schema.safeParse(sent));
  return ignoredFields(sent, request.body);
}

/** Does the same in steps (SAFE-7). */
async function checkLargeBody(schema: z.ZodType, request: FastifyRequest): Promise<string | undefined> {
  const sent = request.body;
  request.body = outputOf(await schema.safeParseAsync(sent));
  return ignoredFieldsInSteps(sent, request.body);
}

function outputOf(parsed: z.ZodSafeParseResult<unknown>): unknown {
  if (parsed.success) return parsed.data;
  throw mismatch('body', parsed.error.issues);
}

/** Returns a handler that throws not_found, with an Allow header if only the method is wrong. */
export function notFoundHandler(
  routes: readonly Route[],
): (request: FastifyRequest, reply: FastifyReply) => never {
  const addresses = routes.map(({ method, url }) => ({ method, pattern: toPattern(url) }));
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const methods = addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new KernelError('not_found', 'There is no route at this path.');
    const allowed = [...new Set(methods)].join(', ');
    reply.header('allow', allowed);
    throw new KernelError(
      'not_found',
      `${request.method} is not allowed for this path. Allowed: ${allowed}.`,
    );
  };
}

/** Converts /v1/chats/:id to a pattern that matches /v1/chats/anything. */
function toPattern(url: string): RegExp {
  const segments = url
    .split('/')
    .map(segment => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}
