/** Lets the model write a whole file on the machine that the call works on (BT-1, OP-1). */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  decodeFile,
  encodeFile,
  type FileText,
  fileProblem,
  keepForm,
  openFile,
  PathError,
  readPart,
  replaceFile,
  type WriteRules,
  whereTo,
  writePlace,
} from '@chat-kernel/hands/own-machine';
import { OperationError, type ToolContext } from '@chat-kernel/kernel';
import { z } from 'zod';
import { appendClientText } from './machine/append-client-text.ts';
import { consentToWrite } from './machine/consent-to-write.ts';
import { keepBefore } from './machine/keep-edit.ts';
import { defineTool } from './tool/define.ts';

/** Larger files are replaced without their encoding and line ends. */
const MAX_BYTES = 20 * 1024 * 1024;

export const writeFile = (rules: WriteRules) =>
  defineTool({
    name: 'write_file',
    description:
      'Writes a whole file on the working machine. An existing file is replaced, and missing directories are created. To change part of a file, use edit_file.',
    input: z.object({
      path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
      content: z.string(),
    }),
    group: 'files',
    icon: '📝',
    on_machine: true,
    master_only: true,
    outside_effect: true,
    effects: ['write'],
    asks_itself: true,
    async run({ path, content }, context) {
      const { hands, signal } = context;
      try {
        if (hands === null) return { output: await writeHere(path, content, context, rules) };
        const report = await hands.write(path, content);
        const done = `Wrote ${path} (${inBytes(Buffer.byteLength(content))}).`;
        return { output: appendClientText(done, report) };
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
  // New parent directories also change the machine.
  const real = await whereTo(path, context, rules);
  const current = await readText(real);
  const text = current === undefined ? content : keepForm(content, current.text);
  await consentToWrite(real, text, context, rules);
  context.signal.throwIfAborted();
  const target = await writePlace(real, context, rules, true);
  try {
    // While the owner was asked, a command may have replaced a directory by a link, for example to .git.
    if (target.real !== real) throw new PathError(`${path} is now a different file. Nothing was written.`);
    const before = await statFile(join(target.directory, target.name));
    if (before !== null && !before.isFile()) {
      throw new PathError(
        before.isDirectory() ? `${path} is a directory. Give the path of a file.` : `${path} is not a file.`,
      );
    }
    const bytes = current === undefined ? Buffer.from(text) : encodeFile({ ...current, text });
    await keepBefore(target, bytes, context, rules);
    context.signal.throwIfAborted();
    await replaceFile(target, bytes, before);
    const done = before === null ? 'Created' : 'Replaced';
    const was = before === null ? '' : `, ${inBytes(before.size)} before`;
    return `${done} ${path} (${inBytes(bytes.length)}${was}).`;
  } finally {
    await target.close();
  }
}

/** Reads the text that will be replaced; undefined if there is none, or if it is too large. */
async function readText(real: string): Promise<FileText | undefined> {
  try {
    const file = await openFile(real);
    try {
      const bytes = await readPart(file, 0, MAX_BYTES + 1);
      return bytes.length > MAX_BYTES ? undefined : decodeFile(bytes);
    } finally {
      await file.close();
    }
  } catch {
    // The write itself fails if the path is not a file, and replaces a file that cannot be read.
    return undefined;
  }
}

/**
 * The path is a real one, so a link here leads nowhere: the new file replaces it instead of being written through it.
 */
async function statFile(path: string): Promise<Stats | null> {
  try {
    const facts = await lstat(path);
    return facts.isSymbolicLink() ? null : facts;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const inBytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);
