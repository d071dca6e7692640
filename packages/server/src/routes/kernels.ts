/** Lists the kernels on one database (FLEET-6). */
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
    description: 'Only this kernel if server.advertise_url is not set.',
    tag,
    responses: { 200: KernelList },
    async handler({ kernel: { membership }, settings, version }) {
      if (membership.fleet) return { kernels: await membership.fleet.list() };
      const name = settings.server.name ?? hostname();
      return { kernels: [{ ...(await membership.alone()), url: null, name, version }] };
    },
  }),
];
