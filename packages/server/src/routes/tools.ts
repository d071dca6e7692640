/** The tools that models may call (API-4). */
import { ToolList } from '@chat-kernel/protocol';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'tools', description: 'What models may call.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/tools',
    operationId: 'listTools',
    summary: 'List tools',
    description:
      'Names, descriptions and schemas exactly as models get them. Tools that the settings turn off are not among them.',
    tag,
    responses: { 200: ToolList },
    handler: ({ kernel }) => kernel.tools(),
  }),
];
