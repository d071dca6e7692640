/** Replaces a part of a text file on the kernel's machine (BT-1). */
import { readFile, stat } from 'node:fs/promises';
import { sizeForPeople } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './define.ts';
import { nearestLines } from './edit/nearest-lines.ts';
import { type Replaced, replacePart } from './edit/replace-part.ts';
import { fileProblem, type MachinePaths, PathError } from './machine-path.ts';
import { replaceFile } from './replace-file.ts';

const MAX_BYTES = 20 * 1024 * 1024;
/** More places than these are counted, not named. */
const MAX_PLACES = 20;

export const editFile = (paths: MachinePaths) =>
  defineTool({
    name: 'edit_file',
    description:
      'Replaces one part of a text file. `old` must be in the file exactly, white space included, and only once; with `all` each occurrence is replaced.',
    input: z.object({
      path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
      old: z.string().min(1).describe('The text to replace, with enough around it to be unique.'),
      new: z.string().describe('What stands there afterwards; empty deletes.'),
      all: z.boolean().optional().describe('Replace each occurrence.'),
    }),
    group: 'files',
    icon: '✏️',
    trusted_only: true,
    outside_effect: true,
    async run({ path, old, new: next, all = false }, context) {
      try {
        if (old === next) throw new PathError('`old` and `new` are the same: nothing would change.');
        const real = await paths.existing(path, context.chat);
        const before = await stat(real);
        if (!before.isFile()) throw new PathError(`${path} is not a file.`);
        if (before.size > MAX_BYTES) {
          throw new PathError(`${path} has ${sizeForPeople(before.size)}: too large to edit; use shell.`);
        }
        const text = textOf(await readFile(real), path);
        const replaced = replacePart(text, old, next);
        const problem = problemOf(replaced, all, text, old, path);
        if (problem !== null) throw new PathError(problem);
        context.signal.throwIfAborted();
        await replaceFile(real, Buffer.from(replaced.text), before);
        return { output: `Edited ${path}, ${placesOf(replaced.lines)}.` };
      } catch (error) {
        if (context.signal.aborted) throw error;
        return { output: fileProblem(error, path, 'write'), is_error: true };
      }
    },
  });

/** A byte order mark stays part of the text, so that it is written back. */
function textOf(bytes: Uint8Array, path: string): string {
  const binary = new PathError(`${path} is a binary file, or not UTF-8: edit_file cannot change it.`);
  if (bytes.includes(0)) throw binary;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw binary;
  }
}

/** What the model has to do differently; null where the edit stands. */
function problemOf(
  { lines }: Replaced,
  all: boolean,
  text: string,
  old: string,
  path: string,
): string | null {
  if (lines.length === 0) {
    const near = nearestLines(text, old);
    const hint =
      near.length === 0
        ? 'Nothing in it is like it: read the file first.'
        : `Nearest lines:\n${near.join('\n')}\nGive \`old\` exactly as it stands there, white space included.`;
    return `\`old\` is not in ${path}. ${hint}`;
  }
  if (lines.length > 1 && !all) {
    return `\`old\` is in ${path} ${lines.length} times, ${placesOf(lines)}: give more of what stands around the one you mean, or set \`all\`.`;
  }
  return null;
}

function placesOf(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const more = lines.length > MAX_PLACES ? ` and ${lines.length - MAX_PLACES} more` : '';
  return `lines ${lines.slice(0, MAX_PLACES).join(', ')}${more}`;
}
