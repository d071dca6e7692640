/** All tools there are (API-4). */
import { ToolList } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';

export const toolRoutes = [
  defineRoute({
    method: 'GET',
    url: '/v1/tools',
    operationId: 'listTools',
    summary: 'List tools',
    description:
      'Names, descriptions and schemas exactly as models get them. Tools that the settings turn off are not among them.',
    tags: ['tools'],
    responses: { 200: ToolList },
    handler: ({ kernel }) => kernel.tools(),
  }),
];
