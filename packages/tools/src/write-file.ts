/** Lets the model write a whole file on the machine that the call works on (BT-1, OP-1). */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationError, type ToolContext } from '@chat-kernel/kernel';
import { z } from 'zod';
import { withClientWords } from './machine/client-words.ts';
import { keepBefore } from './machine/keep-edit.ts';
import { fileProblem, PathError } from './machine/machine-path.ts';
import { replaceFile } from './machine/replace-file.ts';
import { type WriteRules, whereTo, writePlace } from './machine/write-place.ts';
import { defineTool } from './tool/define.ts';

export const writeFile = (rules: WriteRules) =>
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
        if (hands === null) return { output: await writeHere(path, content, context, rules) };
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
  context: ToolContext,
  rules: WriteRules,
): Promise<string> {
  // Directories on the way are a change of the machine as well.
  await context.consent({
    action: 'write',
    path: await whereTo(path, context, rules),
    content,
    sandbox: await rules.sandbox.kind(),
  });
  context.signal.throwIfAborted();
  const place = await writePlace(path, context, rules, true);
  try {
    const before = await factsOf(join(place.directory, place.name));
    if (before !== null && !before.isFile()) {
      throw new PathError(
        before.isDirectory() ? `${path} is a directory: give the path of a file.` : `${path} is no file.`,
      );
    }
    const bytes = Buffer.from(content);
    await keepBefore(place, bytes, context, rules);
    context.signal.throwIfAborted();
    await replaceFile(place, bytes, before);
    const done = before === null ? 'Created' : 'Replaced';
    const was = before === null ? '' : `, ${inBytes(before.size)} before`;
    return `${done} ${path} (${inBytes(bytes.length)}${was}).`;
  } finally {
    await place.close();
  }
}

/** A link here leads nowhere, for the path is a real one: the new file takes its place, and is not written through it. */
async function factsOf(path: string): Promise<Stats | null> {
  try {
    const facts = await lstat(path);
    return facts.isSymbolicLink() ? null : facts;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const inBytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);
