/** Lets the model read text files on the machine that the call works on, several per call (BT-1, OP-1, OP-13). */
import { readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileProblem, type MachinePaths, openFile, readPart } from '@chat-kernel/hands/own-machine';
import {
  OperationError,
  type ToolContext,
  type ToolOutput,
  Unanswered,
  uploadedId,
} from '@chat-kernel/kernel';
import { renderSections, sizeForPeople } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { z } from 'zod';
import { decodeBeginning } from './machine/decode-beginning.ts';
import { type FileText, failed, MAX_LINES, selectLines } from './read/lines.ts';
import { checkReach } from './read/reach.ts';
import { uploadedLines } from './read/uploaded.ts';
import { defineTool, optionalLimit } from './tool/define.ts';

/** Characters of all files of a call. */
const MAX_CHARS = 200_000;
/** Maximum bytes that are read of a file; later lines are not available. */
const MAX_BYTES = 20 * 1024 * 1024;

const Input = z.object({
  files: z
    .array(
      z.object({
        path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
        offset: z.int().min(1).optional().describe('First line to read; default 1.'),
        limit: optionalLimit('lines', MAX_LINES, MAX_LINES),
      }),
    )
    .min(1)
    .max(50),
});
type WantedFile = z.infer<typeof Input>['files'][number];

export const readFile = (paths: MachinePaths) =>
  defineTool({
    name: 'read_file',
    description:
      'Reads text files on the working machine. Accepts several files; each result follows a line "== path". Long files are truncated, and the result says how to continue. For a directory, it lists the entries; if that fails, use shell. Read an attached file at the path in its marker.',
    input: Input,
    group: 'files',
    icon: '📄',
    on_machine: true,
    trusted_only: true,
    effects: ['read'],
    asks_itself: true,
    operations: ({ files }) => files.map(({ path }) => path),
    lesser: readAttached,
    off_machine: readAttached,
    run: ({ files }, context) => readAll(files, context, file => readOne(file, context, paths)),
  });

/**
 * The variant for turns that may not know paths of a machine (WHO-3), or not access one (WHO-5): reads files attached
 * to messages.
 */
const readAttached = defineTool({
  name: 'read_file',
  description:
    'Reads text files that are attached to messages. Accepts several files; each result follows a line "== path". Long files are truncated, and the result says how to continue. The path of a file is in its marker: file:<id>.',
  input: Input,
  group: 'files',
  icon: '📄',
  run: ({ files }, context) =>
    readAll(files, context, async file => {
      const id = uploadedId(file.path);
      if (id === undefined)
        return failed('Only attached files can be read. Give file:<id> from the marker of the file.');
      return uploadedLines(id, file, context, MAX_BYTES);
    }),
});

async function readAll(
  files: readonly WantedFile[],
  { signal }: Pick<ToolContext, 'signal'>,
  read: (file: WantedFile) => Promise<FileText>,
): Promise<ToolOutput> {
  const texts: FileText[] = [];
  // Files are read one at a time: fifty large files together would fill the memory, and an owner who is asked about the
  // first may also allow the others.
  for (const file of files) {
    signal.throwIfAborted();
    // After one timeout of the client, the call does not wait for it again.
    const silent = texts.at(-1)?.silent;
    texts.push(silent ? { ...failed('The client does not respond.'), silent } : await read(file));
  }
  let left = MAX_CHARS;
  const sections = texts.map(({ text }, index) => {
    const shown = cutText(text, left);
    left -= shown.length;
    const cut = shown.length < text.length ? '\n[truncated: read this file in a separate call]' : '';
    return { title: files[index]!.path, content: `${shown}${cut}` };
  });
  return { output: renderSections(sections), is_error: texts.every(({ failed }) => failed) };
}

async function readOne(wanted: WantedFile, context: ToolContext, paths: MachinePaths): Promise<FileText> {
  const { chat, hands } = context;
  try {
    const id = uploadedId(wanted.path);
    if (id !== undefined) {
      await context.consent({ action: 'read', path: wanted.path });
      return await uploadedLines(id, wanted, context, MAX_BYTES);
    }
    await checkReach(wanted.path, context, paths);
    if (hands !== null && !(await paths.isUploaded(wanted.path))) {
      const text = await hands.read(wanted.path);
      return selectLines(text, wanted, { size: Buffer.byteLength(text) });
    }
    const path = await paths.toRead(wanted.path, chat);
    const isDirectory = (await stat(path)).isDirectory();
    // A listing may show the names of a secret place.
    const isSecret = !isDirectory && (await paths.isSecret(path));
    if (isSecret && !context.turn_context.master) await paths.refuseSecret(path);
    await context.consent({
      action: 'read',
      path,
      target: isSecret ? path : asDirectory(isDirectory ? path : dirname(path)),
      ...(isSecret && { isSecret }),
      ...((await paths.isElsewhere(path, chat)) && { isElsewhere: true }),
    });
    if (isDirectory) return { text: await listing(path), failed: false };
    return await lines(path, wanted);
  } catch (error) {
    // If a file cannot be read, the model still gets the other files of the call.
    if (error instanceof OperationError) {
      return { ...failed(error.message), silent: error instanceof Unanswered };
    }
    return failed(fileProblem(error, wanted.path, 'read'));
  }
}

/** A directory as the target of a grant, which then includes what is below it. */
const asDirectory = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

async function lines(path: string, wanted: WantedFile): Promise<FileText> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const bytes = await readPart(file, 0, MAX_BYTES);
    const limits = `only the first ${sizeForPeople(MAX_BYTES)} of ${sizeForPeople(size)} can be read`;
    return selectLines(decodeBeginning(bytes, size > MAX_BYTES), wanted, {
      size: Math.max(size, bytes.length),
      ...(size > MAX_BYTES && { beyond: limits }),
    });
  } finally {
    await file.close();
  }
}

async function listing(path: string): Promise<string> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map(entry => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const shown = names.slice(0, MAX_LINES);
  const more = names.length > shown.length ? [`[${names.length - shown.length} more entries]`] : [];
  return ['[a directory]', ...shown, ...more].join('\n');
}
