/** Lets the model write a whole file on the machine that the call works on (BT-1, OP-1). */
import type { Stats } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperationError, type ToolContext } from '@chat-kernel/kernel';
import { z } from 'zod';
import { withClientWords } from './machine/client-words.ts';
import { fileProblem, type MachinePaths, PathError, refuseElsewhere } from './machine/machine-path.ts';
import { replaceFile } from './machine/replace-file.ts';
import { defineTool } from './tool/define.ts';

export const writeFile = (paths: MachinePaths) =>
  defineTool({
    name: 'write_file',
    description:
      'Writes a file on the machine you work on, whole: one that exists is replaced. Directories on the way are made. To change a part of a file use edit_file.',
    input: z.object({
      path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
      content: z.string(),
    }),
    group: 'files',
    icon: '📝',
    on_machine: true,
    master_only: true,
    outside_effect: true,
    async run({ path, content }, context) {
      const { hands, signal } = context;
      try {
        if (hands === null) return { output: await writeHere(path, content, context, paths) };
        const said = await hands.write(path, content);
        const done = `Wrote ${path} (${inBytes(Buffer.byteLength(content))}).`;
        return { output: withClientWords(done, said) };
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof OperationError) return { output: error.message, is_error: true };
        return { output: fileProblem(error, path, 'write'), is_error: true };
      }
    },
  });

async function writeHere(
  path: string,
  content: string,
  { chat, consent, signal }: ToolContext,
  paths: MachinePaths,
): Promise<string> {
  refuseElsewhere(chat);
  const real = await paths.landing(path, chat);
  const before = await factsOf(real);
  if (before !== null && !before.isFile()) {
    throw new PathError(
      before.isDirectory() ? `${path} is a directory: give the path of a file.` : `${path} is no file.`,
    );
  }
  await consent({ action: 'write', path: real, content });
  signal.throwIfAborted();
  await mkdir(dirname(real), { recursive: true });
  signal.throwIfAborted();
  const bytes = Buffer.from(content);
  await replaceFile(real, bytes, before);
  const done = before === null ? 'Created' : 'Replaced';
  const was = before === null ? '' : `, ${inBytes(before.size)} before`;
  return `${done} ${path} (${inBytes(bytes.length)}${was}).`;
}

async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const inBytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);
