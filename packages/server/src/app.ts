/** Builds the HTTP application: access checks, body parsing, routes, errors and OpenAPI document. It does not listen. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { KernelError } from '@chat-kernel/protocol';
import { type FastifyInstance, fastify } from 'fastify';
import { FACES } from './faces/index.ts';
import { mountFaces } from './faces/mount.ts';
import { isHop } from './fleet/signature.ts';
import { readJsonBodies } from './http/body.ts';
import { compressJson } from './http/compression.ts';
import { guard } from './http/guard.ts';
import { COMPILERS, mount, notFoundHandler } from './http/mount.ts';
import { http } from './http/node-http.ts';
import { answerProblem, PROBLEM_TYPE, toProblem } from './http/problems.ts';
import { BODY_LIMIT } from './http/read-body.ts';
import type { AppServices, Route } from './http/route.ts';
import { guardUsers } from './http/user-guard.ts';
import { isNavigation, sendWebPage } from './http/web-page.ts';
import { ROUTES } from './routes/index.ts';

/** Limit for receiving the request; a response may take as long as a turn. */
const REQUEST_TIMEOUT_MS = 300_000;
/** Maximum length of an id in a URL, in decoded characters. */
const MAX_ID_LENGTH = 200;

/**
 * Returns the application, ready to listen or to receive injected requests.
 * @param routes other than the default only in tests of this package
 */
export async function openApp(
  services: AppServices,
  routes: readonly Route[] = ROUTES,
): Promise<FastifyInstance> {
  const { log, metrics, settings, others } = services;
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    schemaController: COMPILERS,
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    // By default Fastify has no limit and would wait endlessly for the rest of a body.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Ids from clients are not trusted: one could repeat the id of another request in the log.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // While stopping, the kernel itself answers shutting_down to requests that it no longer accepts.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerProblem(error, request, reply, log);
    },
    clientErrorHandler,
  });
  // The hooks use callbacks, because an async hook costs every request another microtask.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (others) reply.header('x-kernel', others.id);
    // The sender would take this kernel's response for that of its target.
    if (others) others.checkSignature(request, reply, done);
    else if (isHop(request.raw)) done(new KernelError('kernel_away', 'The request is for another kernel.'));
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id, routeOptions } = request;
    // Log the pattern, not the address, because its query can contain user text.
    const fields = { method, route: routeOptions.url ?? null, status: reply.statusCode, request_id: id };
    log.info({ ...fields, ms: Math.round(reply.elapsedTime) }, 'request');
    done();
  });
  metrics.countRequests(app);
  compressJson(app);
  await guardUsers(app, settings, log);
  guard(app, settings.server, request => others?.isOfKernel(request) === true);
  if (others) {
    app.addHook('preParsing', (request, _reply, payload, done) => others.checkBody(request, payload, done));
  }
  readJsonBodies(app);
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log));
  const refuse = notFoundHandler(routes);
  app.setNotFoundHandler((request, reply) =>
    isNavigation(request) ? sendWebPage(services, request, reply, 404) : refuse(request, reply),
  );
  decorateWithOpenapi(app, routes);
  mount(app, routes, services);
  mountFaces(app, FACES, services);
  await app.ready();
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of its routes, built at the first request. */
    openapi(): Promise<object>;
  }
}

function decorateWithOpenapi(app: FastifyInstance, routes: readonly Route[]): void {
  let document: Promise<object> | undefined;
  app.decorate('openapi', () => {
    // The code that builds a document is large, and few servers need it.
    document ??= import('./openapi/document.ts').then(({ buildDocument }) => buildDocument(routes));
    return document;
  });
}

/** Answers with a problem if the request is not valid HTTP and reaches no route. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = toProblem(
    new KernelError('invalid_value', 'The request is not valid HTTP/1.1.'),
    randomUUID(),
  );
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${http.STATUS_CODES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `X-Request-Id: ${problem.request_id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
