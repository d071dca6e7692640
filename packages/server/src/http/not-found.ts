/** Handles requests to unknown addresses, or with a method that their route does not have. */
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from './route.ts';

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
