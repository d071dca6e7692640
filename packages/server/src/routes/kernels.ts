/** The kernels on one database (FLEET-6). */
import { hostname } from 'node:os';
import { KernelList } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';
import { tag } from './config.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/kernels',
    operationId: 'listKernels',
    summary: 'List the kernels that share the database',
    description: 'One where server.advertise_url is not set.',
    tag,
    responses: { 200: KernelList },
    async handler({ kernel, settings, version }) {
      if (kernel.fleet) return { kernels: await kernel.fleet.list() };
      const name = settings.server.name ?? hostname();
      return { kernels: [{ ...(await kernel.alone()), url: null, name, version }] };
    },
  }),
];
