/** Reports the health of the process to programs that watch it: whether it is alive, and whether it can work. */
import { Health } from '@chat-kernel/protocol';
import { RETRY_AFTER_SECS } from '../http/problems.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './config.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/healthz',
    operationId: 'getHealth',
    summary: 'Check that the process responds',
    description: 'Does not check the database or providers; see /readyz.',
    tag,
    open: true,
    responses: { 200: Health },
    handler: () => ({ status: 'ok' as const }),
  }),
  defineRoute({
    method: 'GET',
    url: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that the kernel is ready',
    description: 'Checks the database. Returns 503 while it does not respond, and during shutdown.',
    tag,
    responses: { 200: Health, 503: Health },
    handler: async ({ kernel, log, reply }) => {
      try {
        await kernel.service.ready();
        return { status: 'ready' as const };
      } catch (error) {
        log.warn({ err: error }, 'not ready');
        return reply.code(503).header('retry-after', RETRY_AFTER_SECS).send({ status: 'not_ready' });
      }
    },
  }),
];
