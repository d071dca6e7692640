/** Defines skills: folders of instructions for kinds of work, which models open when they need them (SKILL-1). */
import type { Tool } from '@chat-kernel/kernel';
import { Id, SkillList } from '@chat-kernel/protocol';
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import { defineFeature, featureRoutes } from '../feature.ts';
import { ChatSkills } from './chat-skills.ts';
import { FolderSkills } from './skill-reader.ts';

/** Returns the text of a skill to the model, and lists its other files (SKILL-1). */
const skillTool = (skills: () => ChatSkills): Tool =>
  defineTool({
    name: 'skill',
    description:
      'Opens a skill from the list [skills]: instructions for a kind of work. Call it before you start such work, and when the user names the skill. Returns the instructions and the files of the skill, which read_file can read if permitted.',
    input: z.object({ name: z.string().describe('A name from the list.') }),
    group: 'skills',
    icon: '🧭',
    trusted_only: true,
    async run({ name }, context) {
      const { path, on, body, files } = await skills().open(name, context.turn);
      const machine = on === 'server' ? "the kernel's machine" : "the user's machine";
      const listed = files.length === 0 ? '' : `\n\nIts files:\n${files.map(file => `- ${file}`).join('\n')}`;
      return {
        output: `The skill ${name}, in ${path} on ${machine}:\n\n${body || '(It has no further text.)'}${listed}`,
      };
    },
  });

const defineRoute = featureRoutes<ChatSkills>({
  name: 'skills',
  description: 'Instructions for kinds of work, which models read on demand.',
});

/** Serves skills: instructions for kinds of work (SKILL-1). */
const routes = [
  defineRoute('GET /v1/skills', {
    operationId: 'listSkills',
    summary: 'List skills',
    description:
      "Returns the current skills. Skills on a client's machine are as of the last turn of the chat.",
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

export const skills = defineFeature({
  name: 'skills',
  open({ store }, _, { skillFolders: places, paths }) {
    const service = new ChatSkills(new FolderSkills({ places, paths }), store);
    return {
      service,
      promptSection: turn => service.promptSection(turn),
      chatDeleted: async id => service.forget(id),
    };
  },
  tools: service => [skillTool(service)],
  groups: [{ name: 'skills', about: 'opens instructions for kinds of work' }],
  routes,
  documentedAfter: 'listTools',
});
