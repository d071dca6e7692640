/** Serves metrics for Prometheus. */

import { defineRoute } from '../http/route.ts';
import { METRICS_TYPE } from '../metrics/metrics.ts';
import { tag } from './config.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/metrics',
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description: 'Prometheus text format.',
    tag,
    responses: { 200: { contentType: 'text/plain', description: 'Samples, one per line.' } },
    handler: async ({ kernel, metrics, reply }) => reply.type(METRICS_TYPE).send(await metrics.read(kernel)),
  }),
];
