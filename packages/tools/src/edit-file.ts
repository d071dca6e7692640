/** Lets the model replace a part of a text file on the machine that the call works on (BT-1, OP-1). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Hands, OperationError, type ToolContext } from '@chat-kernel/kernel';
import { sizeForPeople } from '@chat-kernel/protocol';
import { z } from 'zod';
import { editText, notText, type TextEdit } from './edit/edit-text.ts';
import { withClientWords } from './machine/client-words.ts';
import { keepBefore } from './machine/keep-edit.ts';
import { fileProblem, PathError } from './machine/machine-path.ts';
import { openFile } from './machine/plain-file.ts';
import { replaceFile } from './machine/replace-file.ts';
import { type WriteRules, writePlace } from './machine/write-place.ts';
import { defineTool } from './tool/define.ts';

const MAX_BYTES = 20 * 1024 * 1024;

export const editFile = (rules: WriteRules) =>
  defineTool({
    name: 'edit_file',
    description:
      'Replaces one part of a text file on the machine you work on. `old` must be in the file exactly, white space included, and only once; with `all` each occurrence is replaced.',
    input: z.object({
      path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
      old: z.string().min(1).describe('The text to replace, with enough around it to be unique.'),
      new: z.string().describe('What stands there afterwards; empty deletes.'),
      all: z.boolean().optional().describe('Replace each occurrence.'),
    }),
    group: 'files',
    icon: '✏️',
    on_machine: true,
    master_only: true,
    outside_effect: true,
    async run(edit, context) {
      const { hands, signal } = context;
      try {
        if (edit.old === edit.new) {
          throw new PathError('`old` and `new` are the same: nothing would change.');
        }
        const output = await (hands === null
          ? editHere(edit, context, rules)
          : editOnClient(edit, hands, signal));
        return { output };
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof OperationError) return { output: error.message, is_error: true };
        return { output: fileProblem(error, edit.path, 'write'), is_error: true };
      }
    },
  });

async function editOnClient(edit: TextEdit, hands: Hands, signal: AbortSignal): Promise<string> {
  const before = await hands.read(edit.path);
  // A client puts � in place of bytes that are not UTF-8; written back, the file would hold � itself.
  if (/[\0\ufffd]/.test(before)) throw notText(edit.path);
  refuseLarge(edit.path, Buffer.byteLength(before));
  const { text, output } = editText(before, edit);
  signal.throwIfAborted();
  return withClientWords(output, await hands.write(edit.path, text));
}

async function editHere(edit: TextEdit, context: ToolContext, rules: WriteRules): Promise<string> {
  const { path } = edit;
  const place = await writePlace(path, context, rules, false);
  try {
    const file = await openFile(join(place.directory, place.name));
    try {
      const before = await file.stat();
      refuseLarge(path, before.size);
      const read = await file.readFile();
      const { text, output } = editText(textOf(read, path), edit);
      const after = Buffer.from(text);
      const sandbox = await rules.sandbox.kind();
      await context.consent({ action: 'write', path: place.real, content: text, sandbox });
      await keepBefore(place, after, context, rules);
      context.signal.throwIfAborted();
      // What somebody wrote while the owner was asked is not replaced by what stood there before.
      if (!(await readFile(join(place.directory, place.name))).equals(read)) {
        throw new PathError(`${path} has changed meanwhile: read it again.`);
      }
      await replaceFile(place, after, before);
      return output;
    } finally {
      await file.close();
    }
  } finally {
    await place.close();
  }
}

function refuseLarge(path: string, size: number): void {
  if (size <= MAX_BYTES) return;
  throw new PathError(`${path} has ${sizeForPeople(size)}: too large to edit; use shell.`);
}

/** Decodes the text. A byte order mark stays part of it, so that it is written back. */
function textOf(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw notText(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notText(path);
  }
}
