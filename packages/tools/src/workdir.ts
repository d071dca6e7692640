/** Lets the model set the working directory of the chat on the kernel's machine (BT-3). */
import { z } from 'zod';
import { defineTool } from './define.ts';
import { fileProblem, type MachinePaths } from './machine-path.ts';

export const workdir = (paths: MachinePaths) =>
  defineTool({
    name: 'workdir',
    description:
      'Sets the working directory of this chat: where commands run and what relative paths begin at. It counts for calls after this one.',
    input: z.object({
      path: z
        .string()
        .min(1)
        .nullable()
        .describe('A directory that exists: absolute, or relative to the present one. Null: none any more.'),
    }),
    group: 'files',
    icon: '📁',
    trusted_only: true,
    async run({ path }, context) {
      if (path === null) {
        await context.setWorkdir(null);
        return { output: 'This chat has no working directory any more.' };
      }
      try {
        const directory = await paths.directory(path, context.chat);
        await context.setWorkdir(directory);
        return { output: `The working directory is now ${directory}.` };
      } catch (error) {
        if (context.signal.aborted) throw error;
        return { output: fileProblem(error, path, 'read'), is_error: true };
      }
    },
  });
