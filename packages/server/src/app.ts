/** The HTTP application: guard, bodies, routes, problems and document, all but listening. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { KernelError } from '@chat-kernel/protocol';
import { type FastifyInstance, fastify } from 'fastify';
import { FACES } from './faces/index.ts';
import { mountFaces } from './faces/mount.ts';
import { isHop } from './fleet/signature.ts';
import { BODY_LIMIT, readJsonBodies } from './http/body.ts';
import { guard } from './http/guard.ts';
import { COMPILERS, mount } from './http/mount.ts';
import { http } from './http/node-http.ts';
import { notFoundHandler } from './http/not-found.ts';
import { answerProblem, PROBLEM_TYPE, problemOf } from './http/problems.ts';
import type { AppServices, Route } from './http/route.ts';
import { ROUTES } from './routes/index.ts';

/** Limit of the request alone; a response may take as long as a turn does. */
const SLOWEST_REQUEST_MS = 300_000;
/** Decoded characters of an id in an address. */
const LONGEST_ID = 200;

/**
 * Returns the application, ready to listen or to be injected.
 * @param routes other than all of them in tests of this package
 */
export async function openApp(
  services: AppServices,
  routes: readonly Route[] = ROUTES,
): Promise<FastifyInstance> {
  const { log, metrics, loop, settings, others } = services;
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    schemaController: COMPILERS,
    routerOptions: { maxParamLength: LONGEST_ID },
    // Fastify's own default is no limit: half a body would be waited for without end.
    requestTimeout: SLOWEST_REQUEST_MS,
    // An id of the client is not trusted: it could repeat the id of another request in the log.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // While stopping, the kernel itself answers shutting_down where it takes no more.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerProblem(error, request, reply, log);
    },
    clientErrorHandler,
  });
  // Hooks call back: each promise among them would cost every request a turn of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (others) reply.header('x-kernel', others.id);
    // Another kernel would take the answer of this one for that of its target.
    if (others ? others.isAstray(request) : isHop(request.raw))
      done(new KernelError('kernel_away', 'Another kernel was meant.'));
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id, routeOptions } = request;
    // The pattern, not the address, whose query can hold what people wrote.
    const facts = { method, route: routeOptions.url ?? null, status: reply.statusCode, request_id: id };
    log.info({ ...facts, ms: Math.round(reply.elapsedTime) }, 'request');
    done();
  });
  metrics.countRequests(app);
  loop.watchRoutes(app);
  guard(app, settings.server, request => others?.isOfKernel(request) === true);
  readJsonBodies(app);
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log));
  app.setNotFoundHandler(notFoundHandler(routes));
  describe(app, routes);
  mount(app, routes, services);
  mountFaces(app, FACES, services);
  await app.ready();
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of its routes, made when it is first wanted. */
    openapi(): Promise<object>;
  }
}

function describe(app: FastifyInstance, routes: readonly Route[]): void {
  let document: Promise<object> | undefined;
  app.decorate('openapi', () => {
    // What makes a document is large, and few servers are asked for it.
    document ??= import('./openapi/document.ts').then(({ documentOf }) => documentOf(routes));
    return document;
  });
}

/** Answers with a problem where the request is not even HTTP, which reaches no route. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(
    new KernelError('invalid_value', 'This is not a request in HTTP/1.1.'),
    randomUUID(),
  );
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${http.STATUS_CODES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `X-Request-Id: ${problem.request_id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
