/** Serves what operators need: the effective settings without secrets (API-7), health, kernels (FLEET-6) and metrics. */
import { hostname } from 'node:os';
import type { RouteTag } from '@chat-kernel/http';
import { Config, Health, KernelList } from '@chat-kernel/protocol';
import { redact } from '@chat-kernel/settings';
import { RETRY_AFTER_SECS } from '../http/problems.ts';
import { routesOf } from '../http/route.ts';
import { METRICS_TYPE } from '../metrics/metrics.ts';

export const tag: RouteTag = { name: 'operation', description: 'Endpoints for operators of the kernel.' };

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('GET /v1/config', {
    operationId: 'getConfig',
    summary: 'Get the effective settings',
    description:
      'Merged from file, environment, flags and defaults, as of the start: settings do not change in ' +
      'a running kernel. Every secret is `***`.',
    responses: { 200: Config },
    handler: ({ settings }) => redact(settings),
  }),
  defineRoute('GET /healthz', {
    operationId: 'getHealth',
    summary: 'Check that the process responds',
    description: 'Does not check the database or providers; see /readyz.',
    open: true,
    responses: { 200: Health },
    handler: () => ({ status: 'ok' as const }),
  }),
  defineRoute('GET /readyz', {
    operationId: 'getReadiness',
    summary: 'Check that the kernel is ready',
    description: 'Checks the database. Returns 503 while it does not respond, and during shutdown.',
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
  defineRoute('GET /v1/kernels', {
    operationId: 'listKernels',
    summary: 'List the kernels that share the database',
    description: 'Only this kernel if server.advertise_url is not set.',
    responses: { 200: KernelList },
    async handler({ kernel: { membership }, settings, version }) {
      if (membership.fleet) return { kernels: await membership.fleet.list() };
      const name = settings.server.name ?? hostname();
      return { kernels: [{ ...(await membership.alone()), url: null, name, version }] };
    },
  }),
  defineRoute('GET /metrics', {
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description: 'Prometheus text format.',
    responses: { 200: { contentType: 'text/plain', description: 'Samples, one per line.' } },
    handler: async ({ kernel, metrics, reply }) => reply.type(METRICS_TYPE).send(await metrics.read(kernel)),
  }),
];
