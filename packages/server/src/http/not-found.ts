/** Requests to addresses that no route has, or with a method that no route has there. */
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from './route.ts';

/**
 * Returns a handler that throws not_found, with an Allow header where the address is right and only the method is not.
 */
export function notFoundHandler(
  routes: readonly Route[],
): (request: FastifyRequest, reply: FastifyReply) => never {
  const addresses = routes.map(({ method, url }) => ({ method, pattern: patternOf(url) }));
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const methods = addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new KernelError('not_found', 'No such address.');
    const allowed = [...new Set(methods)].join(', ');
    reply.header('allow', allowed);
    throw new KernelError('not_found', `${request.method} is not possible here; possible: ${allowed}.`);
  };
}

/** /v1/chats/:id → a pattern that matches /v1/chats/anything. */
function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map(segment => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}
