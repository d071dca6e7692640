/** Gives the model what a skill says, and names the files that belong to it (SKILL-1). */
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const skill = defineTool({
  name: 'skill',
  description:
    'Opens a skill of the list [skills]: how a kind of work is done here. Call it before you begin such work, and when the user asks for the skill by its name. Answers its instructions, and the files that belong to it, which read_file reads where it may.',
  input: z.object({ name: z.string().describe('As the list has it.') }),
  group: 'skills',
  icon: '🧭',
  trusted_only: true,
  async run({ name }, context) {
    const { path, on, body, files } = await context.openSkill(name);
    const machine = on === 'server' ? "the kernel's machine" : "the user's machine";
    const listed = files.length === 0 ? '' : `\n\nIts files:\n${files.map(file => `- ${file}`).join('\n')}`;
    return {
      output: `The skill ${name}, in ${path} on ${machine}:\n\n${body || '(It says nothing more.)'}${listed}`,
    };
  },
});
