/** Lets the model set the working directory of the chat, on the machine that the call works on (BT-3). */
import { isAbsoluteThere, pathThere, type ToolContext } from '@chat-kernel/kernel';
import { z } from 'zod';
import { fileProblem, isWithin, PathError, refuseElsewhere } from './machine/machine-path.ts';
import { isHeld, type WriteRules } from './machine/write-place.ts';
import { defineTool } from './tool/define.ts';

export const workdir = (rules: WriteRules) =>
  defineTool({
    name: 'workdir',
    description:
      'Sets the working directory of this chat on the machine you work on: where commands run and what relative paths begin at. It counts for calls after this one.',
    input: z.object({
      path: z
        .string()
        .min(1)
        .nullable()
        .describe('A directory that exists: absolute, or relative to the present one. Null: none any more.'),
    }),
    group: 'files',
    icon: '📁',
    on_machine: true,
    master_only: true,
    lead_only: true,
    async run({ path }, context) {
      try {
        const directory = await directoryOf(path, context, rules);
        await context.setWorkdir(directory);
        const output =
          directory === null
            ? 'This chat has no working directory any more.'
            : `The working directory is now ${directory}.`;
        return { output };
      } catch (error) {
        if (context.signal.aborted) throw error;
        return { output: fileProblem(error, path ?? '', 'read'), is_error: true };
      }
    },
  });

async function directoryOf(
  path: string | null,
  { chat, hands }: ToolContext,
  rules: WriteRules,
): Promise<string | null> {
  if (hands !== null) return path === null ? null : directoryThere(path, chat.workdir);
  // A turn without the client of that machine must not move the chat away from it.
  refuseElsewhere(chat);
  if (path === null) return null;
  const { paths } = rules;
  const directory = await paths.directory(path, chat);
  // What a sandbox holds to a directory must not choose which one it is.
  const isInside = async () => chat.workdir !== null && isWithin(directory, await paths.workdir(chat));
  if ((await isHeld(rules)) && !(await isInside())) {
    throw new PathError(
      'In the sandbox only a directory inside of the present working directory can be set; the user can set others.',
    );
  }
  return directory;
}

/** Resolves a directory on the client's machine; without its disk, a missing directory shows only when it is used. */
function directoryThere(path: string, present: string | null): string {
  const there = pathThere(present, path);
  if (isAbsoluteThere(there)) return there;
  throw new PathError('Give an absolute path: nothing says where this one begins on that machine.');
}
