/** Health of the process, for programs that watch it: whether it lives, and whether it can work. */
import { z } from 'zod';
import { RETRY_AFTER_SECS } from '../http/problems.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './config.ts';

const Health = z.object({ status: z.enum(['ok', 'ready', 'not_ready']) }).meta({ id: 'Health' });

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/healthz',
    operationId: 'getHealth',
    summary: 'The process answers',
    description: 'Says nothing of the database or of providers: see /readyz.',
    tag,
    open: true,
    responses: { 200: Health },
    handler: () => ({ status: 'ok' as const }),
  }),
  defineRoute({
    method: 'GET',
    url: '/readyz',
    operationId: 'getReadiness',
    summary: 'The kernel can take work',
    description: 'Asks the database. 503 while it does not answer, and while the kernel shuts down.',
    tag,
    responses: { 200: Health, 503: Health },
    handler: async ({ kernel, log, reply }) => {
      try {
        await kernel.ready();
        return { status: 'ready' as const };
      } catch (error) {
        log.warn({ err: error }, 'not ready');
        return reply.code(503).header('retry-after', RETRY_AFTER_SECS).send({ status: 'not_ready' });
      }
    },
  }),
];
