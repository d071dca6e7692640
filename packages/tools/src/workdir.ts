/** Lets the model set the working directory of the chat, on the machine that the call works on (BT-3). */
import {
  fileProblem,
  isWithin,
  PathError,
  refuseElsewhere,
  type WriteRules,
} from '@chat-kernel/hands/own-machine';
import {
  isAbsoluteThere,
  isWithinThere,
  OperationError,
  pathThere,
  type ToolContext,
} from '@chat-kernel/kernel';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const workdir = (rules: Pick<WriteRules, 'paths'>) =>
  defineTool({
    name: 'workdir',
    description:
      'Sets the working directory of this chat on the working machine. Commands run there, and relative paths start there. It applies to later calls.',
    input: z.object({
      path: z
        .string()
        .min(1)
        .nullable()
        .describe('An existing directory: absolute, or relative to the current one. Null clears it.'),
    }),
    group: 'files',
    icon: '📁',
    on_machine: true,
    master_only: true,
    lead_only: true,
    asks_itself: true,
    async run({ path }, context) {
      try {
        const directory = await resolveDirectory(path, context, rules);
        await context.setWorkdir(directory);
        const output =
          directory === null
            ? 'This chat no longer has a working directory.'
            : `The working directory is now ${directory}.`;
        return { output };
      } catch (error) {
        if (context.signal.aborted) throw error;
        if (error instanceof OperationError) return { output: error.message, is_error: true };
        return { output: fileProblem(error, path ?? '', 'read'), is_error: true };
      }
    },
  });

async function resolveDirectory(
  path: string | null,
  { chat, consent, hands }: ToolContext,
  { paths }: Pick<WriteRules, 'paths'>,
): Promise<string | null> {
  if (hands !== null) {
    const directory = path === null ? null : directoryThere(path, chat.workdir);
    const isNew = directory !== null && !isWithinThere(chat.workdir, directory);
    // The kernel may have a directory with the same path, which the grant must not cover.
    await consent({
      action: 'workdir',
      path: directory ?? 'none',
      ...(isNew && enters(`client:${directory}`)),
    });
    return directory;
  }
  // A turn without the client of that machine must not move the chat away from it.
  refuseElsewhere(chat);
  const directory = path === null ? null : await paths.directory(path, chat);
  // Tools that are restricted to a directory must not choose that directory.
  const isNewWorkdir = directory !== null && !isWithin(directory, await paths.workdir(chat));
  await consent({ action: 'workdir', path: directory ?? 'none', ...(isNewWorkdir && enters(directory)) });
  return directory;
}

/** A grant also covers the directories below. */
const enters = (directory: string) => ({
  isNewWorkdir: true,
  target: directory.endsWith('/') ? directory : `${directory}/`,
});

/**
 * Resolves a directory on the client's machine. Its disk is not checked here, so a missing directory is noticed only on
 * use.
 */
function directoryThere(path: string, present: string | null): string {
  const target = pathThere(present, path);
  // Only that machine knows where `..` leads, which grants of directories must not leave to it.
  if (target.split(/[\\/]/).includes('..')) throw new PathError('Give the path without `..`.');
  if (isAbsoluteThere(target)) return target;
  throw new PathError('Give an absolute path. The base of relative paths on that machine is unknown.');
}
