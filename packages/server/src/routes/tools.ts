/** Lists the tools that models may call (API-4). */

import type { RouteTag } from '@chat-kernel/http';
import { ToolList } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';

const tag: RouteTag = { name: 'tools', description: 'Tools that models can call.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/tools',
    operationId: 'listTools',
    summary: 'List tools',
    description:
      'Names, descriptions and schemas exactly as models get them. Tools that the settings disable are not listed.',
    tag,
    responses: { 200: ToolList },
    handler: ({ kernel }) => kernel.service.tools(),
  }),
];
