/** Lists, approves and revokes modules (MOD-2). */
import { Module, ModuleList } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf({
  name: 'modules',
  description: 'Programs that extend the kernel.',
});
const ModuleParams = z.object({ name: z.string().min(1).max(200).describe('The name of the module.') });

export const routes = [
  defineRoute('GET /v1/modules', {
    operationId: 'listModules',
    summary: 'List modules',
    description:
      'Configured and discovered modules, each with its status and declaration. If several kernels share the database, the modules of all of them.',
    responses: { 200: ModuleList },
    async handler({ kernel, request, others }) {
      if (!others || others.isOfKernel(request)) return kernel.modules.list();
      return kernel.modules.listWith(await others.askAll<ModuleList>('/v1/modules'));
    },
  }),
  defineRoute('POST /v1/modules/:name/approve', {
    operationId: 'approveModule',
    summary: 'Approve a module',
    description:
      'The approval covers its current version, tools and stages. If they change, the module is pending again.',
    request: { params: ModuleParams },
    responses: { 200: Module },
    errors: ['module_down'],
    handler: ({ kernel, params }) => kernel.modules.approve(params.name),
  }),
  defineRoute('POST /v1/modules/:name/revoke', {
    operationId: 'revokeModule',
    summary: 'Revoke the approval of a module',
    description: 'Its tools and stages are disabled until it is approved again.',
    request: { params: ModuleParams },
    responses: { 200: Module },
    errors: ['module_down'],
    handler: ({ kernel, params }) => kernel.modules.revoke(params.name),
  }),
];
