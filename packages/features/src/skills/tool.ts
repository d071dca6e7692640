/** Returns the text of a skill to the model, and lists its other files (SKILL-1). */
import type { Tool } from '@chat-kernel/kernel';
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import type { ChatSkills } from './chat-skills.ts';

export const skillTool = (skills: () => ChatSkills): Tool =>
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
