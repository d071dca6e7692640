/** Lets the model replace a part of a text file on the machine that the call works on (BT-1, OP-1). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  decodeFile,
  encodeFile,
  fileProblem,
  openFile,
  PathError,
  replaceFile,
  type WriteRules,
  writePlace,
} from '@chat-kernel/hands/own-machine';
import { type Hands, OperationError, type ToolContext } from '@chat-kernel/kernel';
import { sizeForPeople } from '@chat-kernel/protocol';
import { z } from 'zod';
import { editText, notText, type TextEdit } from './edit/edit-text.ts';
import { appendClientText } from './machine/append-client-text.ts';
import { consentToWrite } from './machine/consent-to-write.ts';
import { keepBefore } from './machine/keep-edit.ts';
import { defineTool } from './tool/define.ts';

const MAX_BYTES = 20 * 1024 * 1024;

export const editFile = (rules: WriteRules) =>
  defineTool({
    name: 'edit_file',
    description:
      'Replaces text in a file on the working machine. `old` must match exactly, including white space, and occur only once; with `all`, every occurrence is replaced.',
    input: z.object({
      path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
      old: z.string().min(1).describe('The text to replace, with enough context to be unique.'),
      new: z.string().describe('The new text; empty deletes the old text.'),
      all: z.boolean().optional().describe('Replace every occurrence.'),
    }),
    group: 'files',
    icon: '✏️',
    on_machine: true,
    master_only: true,
    outside_effect: true,
    effects: ['write'],
    asks_itself: true,
    async run(edit, context) {
      const { hands, signal } = context;
      try {
        if (edit.old === edit.new) {
          throw new PathError('`old` and `new` are identical, so nothing would change.');
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
  // A client replaces bytes that are not UTF-8 by �; if written back, the file would contain � itself.
  if (/[\0\ufffd]/.test(before)) throw notText(edit.path);
  refuseLarge(edit.path, Buffer.byteLength(before));
  const { text, output } = editText(before, edit);
  signal.throwIfAborted();
  // If the text has no \r\n, the client would replace its line ends by those of the file.
  const exact = before.includes('\r\n') && !text.includes('\r\n');
  return appendClientText(output, await hands.write(edit.path, text, { exact }));
}

async function editHere(edit: TextEdit, context: ToolContext, rules: WriteRules): Promise<string> {
  const { path } = edit;
  const target = await writePlace(path, context, rules, false);
  try {
    await rules.paths.refuseSecret(target.real);
    const file = await openFile(join(target.directory, target.name));
    try {
      const before = await file.stat();
      refuseLarge(path, before.size);
      const read = await file.readFile();
      const decoded = decodeFile(read);
      if (decoded === undefined) throw notText(path);
      const { text, output } = editText(decoded.text, edit);
      const after = encodeFile({ ...decoded, text });
      await consentToWrite(target.real, text, context, rules);
      await keepBefore(target, after, context, rules);
      context.signal.throwIfAborted();
      // The file was changed while the owner was asked: do not overwrite that change.
      if (!(await readFile(join(target.directory, target.name))).equals(read)) {
        throw new PathError(`${path} was changed since it was read. Read it again.`);
      }
      await replaceFile(target, after, before);
      return output;
    } finally {
      await file.close();
    }
  } finally {
    await target.close();
  }
}

function refuseLarge(path: string, size: number): void {
  if (size <= MAX_BYTES) return;
  throw new PathError(`${path} has ${sizeForPeople(size)}, too large for edit_file. Use shell.`);
}
