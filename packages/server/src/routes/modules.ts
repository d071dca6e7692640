/** Modules: listed, approved and revoked (MOD-2). */
import { Module, ModuleList } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = {
  name: 'modules',
  description: 'Programs beside the kernel that take part in turns.',
};
const ModuleParams = z.object({ name: z.string().min(1).max(200).describe('As the settings name it.') });

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/modules',
    operationId: 'listModules',
    summary: 'List modules',
    description:
      'Those of the settings and those that were found beside them, each with its status and what it declares. Where several kernels share the database, those of all of them.',
    tag,
    responses: { 200: ModuleList },
    async handler({ kernel, request, others }) {
      if (!others || others.isOfKernel(request)) return kernel.modules.list();
      return kernel.modules.listWith(await others.askAll<ModuleList>('/v1/modules'));
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/modules/:name/approve',
    operationId: 'approveModule',
    summary: 'Let a module take part',
    description:
      'Bound to its version, tools and stages as it declares them now: where they change, it waits again.',
    tag,
    request: { params: ModuleParams },
    responses: { 200: Module },
    errors: ['module_down'],
    handler: ({ kernel, params }) => kernel.modules.approve(params.name),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/modules/:name/revoke',
    operationId: 'revokeModule',
    summary: 'Let a module take part no longer',
    description: 'Its tools are offered no more and its stages are not asked, until it is approved again.',
    tag,
    request: { params: ModuleParams },
    responses: { 200: Module },
    errors: ['module_down'],
    handler: ({ kernel, params }) => kernel.modules.revoke(params.name),
  }),
];
