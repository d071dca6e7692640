/** Serves skills: instructions for kinds of work (SKILL-1). */
import type { RouteTag } from '@chat-kernel/http';
import { Id, SkillList } from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { ChatSkills } from './chat-skills.ts';

const defineRoute = featureRoutes<ChatSkills>();
const tag: RouteTag = {
  name: 'skills',
  description: 'Instructions for kinds of work, which models read on demand.',
};

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/skills',
    operationId: 'listSkills',
    summary: 'List skills',
    description:
      "Returns the current skills. Skills on a client's machine are as of the last turn of the chat.",
    tag,
    request: {
      query: z.object({
        chat_id: Id.optional().describe('Includes the skills of the working directory of this chat.'),
      }),
    },
    responses: { 200: SkillList },
    errors: ['not_found'],
    handler: ({ service, query }) => service.list(query.chat_id),
  }),
];
