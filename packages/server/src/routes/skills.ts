/** Skills: instructions for kinds of work (SKILL-1). */
import { Id, SkillList } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = {
  name: 'skills',
  description: 'Instructions for kinds of work, which models read when they need them.',
};

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/skills',
    operationId: 'listSkills',
    summary: 'List skills',
    description: "As they are now. Those of a client's machine are as a turn of the chat has seen them last.",
    tag,
    request: {
      query: z.object({
        chat_id: Id.optional().describe('Those of its working directory are among them.'),
      }),
    },
    responses: { 200: SkillList },
    errors: ['not_found'],
    handler: ({ kernel, query }) => kernel.skills.list(query.chat_id),
  }),
];
