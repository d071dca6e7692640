/** The HTTP application: guard, bodies, routes, problems, document. Everything but listening. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { KernelError } from '@chat-kernel/protocol';
import { type FastifyInstance, fastify } from 'fastify';
import { BODY_LIMIT, readJsonBodies } from './http/body.ts';
import { guard } from './http/guard.ts';
import { mount } from './http/mount.ts';
import { notFound } from './http/not-found.ts';
import { answerProblem, PROBLEM_TYPE, problemOf } from './http/problems.ts';
import type { AppParts, Route } from './http/route.ts';
import { describe } from './openapi/document.ts';
import { ROUTES } from './routes/index.ts';

/** For the request alone; an answer may take as long as a turn does. */
const SLOWEST_REQUEST_MS = 300_000;
/** Characters of an id in an address, decoded; what is longer is of nothing. */
const LONGEST_ID = 200;

/** Ready to listen or to be injected. `routes` is all of them, unless a test of this room brings its own. */
export async function openApp(parts: AppParts, routes: readonly Route[] = ROUTES): Promise<FastifyInstance> {
  const { log } = parts;
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: LONGEST_ID },
    // Fastify's own default is forever: who sends half a body would keep it.
    requestTimeout: SLOWEST_REQUEST_MS,
    // A client's own id is not trusted: it could name a line of the log that is not its own.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // While stopping, the kernel itself says shutting_down to what it no longer takes.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerProblem(error, request, reply, log);
    },
    clientErrorHandler,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, id, routeOptions } = request;
    // The pattern, not the address: a query can hold what people wrote.
    const facts = { method, route: routeOptions.url ?? null, status: reply.statusCode, request_id: id };
    log.info({ ...facts, ms: Math.round(reply.elapsedTime) }, 'request');
  });
  parts.metrics.watchRequests(app);
  guard(app, parts.settings.server);
  readJsonBodies(app);
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log));
  app.setNotFoundHandler(notFound(routes));
  await describe(app, routes);
  mount(app, routes, parts);
  await app.ready();
  return app;
}

/** What is no HTTP at all never reaches a route; it gets the same kind of answer. */
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
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `X-Request-Id: ${problem.request_id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
