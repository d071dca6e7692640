/** Numbers for Prometheus. */

import { defineRoute } from '../http/route.ts';
import { EXPOSITION_TYPE } from '../metrics/exposition.ts';

export const metricsRoutes = [
  defineRoute({
    method: 'GET',
    url: '/metrics',
    operationId: 'getMetrics',
    summary: 'Read what the process counts of itself',
    description: 'In the text format of Prometheus.',
    tags: ['operation'],
    responses: { 200: { contentType: 'text/plain', description: 'Samples, one a line.' } },
    handler: async ({ kernel, metrics, reply }) =>
      reply.type(EXPOSITION_TYPE).send(await metrics.read(kernel)),
  }),
];
