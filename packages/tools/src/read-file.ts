/** Lets the model read text files on the machine that the call works on, several in a call (BT-1, OP-1, OP-13). */
import { readdir, stat } from 'node:fs/promises';
import { OperationError, type ToolContext, type ToolOutput, Unanswered } from '@chat-kernel/kernel';
import { cutText, renderSections, sizeForPeople } from '@chat-kernel/protocol';
import { z } from 'zod';
import { fileProblem, type MachinePaths } from './machine/machine-path.ts';
import { openFile, readPart } from './machine/plain-file.ts';
import { type FileText, failed, linesOf, MAX_LINES } from './read/lines.ts';
import { uploadedId, uploadedLines } from './read/uploaded.ts';
import { defineTool } from './tool/define.ts';

/** Characters of all files of a call. */
const MAX_CHARS = 200_000;
/** Bytes of a file that are read: lines behind them are out of reach. */
const MAX_BYTES = 20 * 1024 * 1024;

const Input = z.object({
  files: z
    .array(
      z.object({
        path: z.string().min(1).describe('Absolute, or relative to the working directory.'),
        offset: z.int().min(1).optional().describe('First line to read; default 1.'),
        limit: z.int().min(1).max(MAX_LINES).optional().describe(`Most lines to read; default ${MAX_LINES}.`),
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
      'Reads text files on the machine you work on. Takes several files at once; each answer stands under a line "== path". Long files are cut, and the answer says how to read on. Of a directory it lists the entries; where it refuses to, use shell. A file that is attached to a message is read at the path in its marker.',
    input: Input,
    group: 'files',
    icon: '📄',
    on_machine: true,
    trusted_only: true,
    lesser: readAttached,
    off_machine: readAttached,
    run: ({ files }, context) => readAll(files, context, file => readOne(file, context, paths)),
  });

/** The same for turns that may know no path of a machine (WHO-3), or touch none (WHO-5): it reads what is attached to messages. */
const readAttached = defineTool({
  name: 'read_file',
  description:
    'Reads text files that are attached to messages. Takes several files at once; each answer stands under a line "== path". Long files are cut, and the answer says how to read on. The path of a file stands in its marker: file:<id>.',
  input: Input,
  group: 'files',
  icon: '📄',
  run: ({ files }, context) =>
    readAll(files, context, async file => {
      const id = uploadedId(file.path);
      if (id === undefined)
        return failed('Only attached files can be read: give file:<id>, as the marker of the file says.');
      return uploadedLines(id, file, context, MAX_BYTES);
    }),
});

async function readAll(
  files: readonly WantedFile[],
  { signal }: Pick<ToolContext, 'signal'>,
  read: (file: WantedFile) => Promise<FileText>,
): Promise<ToolOutput> {
  const texts: FileText[] = [];
  // Files come one after the other: fifty large files at once would fill the memory, and an owner who is asked about
  // the first may allow the others with it.
  for (const file of files) {
    signal.throwIfAborted();
    // The call does not wait again for a client that was silent once.
    const silent = texts.at(-1)?.silent;
    texts.push(silent ? { ...failed('The client is silent.'), silent } : await read(file));
  }
  let left = MAX_CHARS;
  const sections = texts.map(({ text }, index) => {
    const shown = cutText(text, left);
    left -= shown.length;
    const cut = shown.length < text.length ? '\n[cut here: read this file in a call of its own]' : '';
    return { title: files[index]!.path, content: `${shown}${cut}` };
  });
  return { output: renderSections(sections), is_error: texts.every(({ failed }) => failed) };
}

async function readOne(wanted: WantedFile, context: ToolContext, paths: MachinePaths): Promise<FileText> {
  const { chat, hands } = context;
  try {
    const id = uploadedId(wanted.path);
    if (id !== undefined) return await uploadedLines(id, wanted, context, MAX_BYTES);
    if (hands !== null && !(await paths.isUploaded(wanted.path))) {
      const text = await hands.read(wanted.path);
      return linesOf(text, wanted, { size: Buffer.byteLength(text) });
    }
    const path = await paths.toRead(wanted.path, chat);
    if ((await stat(path)).isDirectory()) return { text: await listing(path), failed: false };
    return await lines(path, wanted);
  } catch (error) {
    // A file that cannot be read does not keep the others of the call from the model.
    if (error instanceof OperationError) {
      return { ...failed(error.message), silent: error instanceof Unanswered };
    }
    return failed(fileProblem(error, wanted.path, 'read'));
  }
}

async function lines(path: string, wanted: WantedFile): Promise<FileText> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const bytes = await readPart(file, 0, MAX_BYTES);
    const limits = `only the first ${sizeForPeople(MAX_BYTES)} of ${sizeForPeople(size)} can be read`;
    return linesOf(bytes.toString('utf8'), wanted, {
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
