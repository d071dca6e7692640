/** Writes a whole file on the kernel's machine (BT-1). */
import type { Stats } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { defineTool } from './define.ts';
import { fileProblem, type MachinePaths, PathError } from './machine-path.ts';
import { replaceFile } from './replace-file.ts';

export const writeFile = (paths: MachinePaths) =>
  defineTool({
    name: 'write_file',
    description:
      'Writes a file, whole: one that exists is replaced. Directories on the way are made. To change a part of a file use edit_file.',
    input: z.object({
      path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
      content: z.string(),
    }),
    group: 'files',
    icon: '📝',
    trusted_only: true,
    outside_effect: true,
    async run({ path, content }, context) {
      try {
        const real = await paths.landing(path, context.chat);
        const before = await factsOf(real);
        if (before !== null && !before.isFile()) {
          throw new PathError(
            before.isDirectory() ? `${path} is a directory: give the path of a file.` : `${path} is no file.`,
          );
        }
        await mkdir(dirname(real), { recursive: true });
        context.signal.throwIfAborted();
        const bytes = Buffer.from(content);
        await replaceFile(real, bytes, before);
        const done = before === null ? 'Created' : 'Replaced';
        const was = before === null ? '' : `, ${inBytes(before.size)} before`;
        return { output: `${done} ${path} (${inBytes(bytes.length)}${was}).` };
      } catch (error) {
        if (context.signal.aborted) throw error;
        return { output: fileProblem(error, path, 'write'), is_error: true };
      }
    },
  });

async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const inBytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);
