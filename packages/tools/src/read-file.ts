/** Reads text files on the kernel's machine, several in one call (BT-1, OP-13). */
import { open, readdir, stat } from 'node:fs/promises';
import type { ToolContext } from '@chat-kernel/kernel';
import { cutText, renderSections, sizeForPeople } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './define.ts';
import { fileProblem, type MachinePaths } from './machine-path.ts';

/** Lines of one file in one answer, and characters of one line. */
const MAX_LINES = 2000;
const MAX_LINE_CHARS = 2000;
/** Characters of all files of one call. */
const MAX_CHARS = 200_000;
/** No more of a file than this is looked at: lines behind it are out of reach. */
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
type Wanted = z.infer<typeof Input>['files'][number];

export const readFile = (paths: MachinePaths) =>
  defineTool({
    name: 'read_file',
    description:
      'Reads text files. Takes several files at once; each answer stands under a line "== path". Long files are cut, and the answer says how to read on. Of a directory it lists the entries. A file that is attached to a message is read at the path in its marker.',
    input: Input,
    group: 'files',
    icon: '📄',
    trusted_only: true,
    async run({ files }, context) {
      const texts: Read[] = [];
      // One after the other: fifty large files at once would fill the memory.
      for (const file of files) {
        context.signal.throwIfAborted();
        texts.push(await readOne(file, context, paths));
      }
      let left = MAX_CHARS;
      const sections = texts.map(({ text }, index) => {
        const shown = cutText(text, left);
        left -= shown.length;
        const cut = shown.length < text.length ? '\n[cut here: read this file in a call of its own]' : '';
        return { title: files[index]!.path, content: `${shown}${cut}` };
      });
      return { output: renderSections(sections), is_error: texts.every(({ failed }) => failed) };
    },
  });

interface Read {
  text: string;
  failed: boolean;
}

async function readOne(wanted: Wanted, { chat }: ToolContext, paths: MachinePaths): Promise<Read> {
  try {
    const path = await paths.toRead(wanted.path, chat);
    const facts = await stat(path);
    if (facts.isDirectory()) return { text: await listing(path), failed: false };
    if (!facts.isFile()) return failed('This is neither a file nor a directory.');
    return await lines(path, wanted, facts.size);
  } catch (error) {
    // One file that cannot be read does not keep the others of the call from the model.
    return failed(fileProblem(error, wanted.path, 'read'));
  }
}

async function lines(path: string, { offset = 1, limit = MAX_LINES }: Wanted, size: number): Promise<Read> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MAX_BYTES)), 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) return failed(`This is a binary file of ${sizeForPeople(size)}.`);
    if (bytes.length === 0) return { text: '[the file is empty]', failed: false };
    const all = bytes
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    if (offset > all.length) return failed(`The file has ${all.length} lines; there is no line ${offset}.`);
    const shown = all.slice(offset - 1, offset - 1 + limit).map(shortened);
    const last = offset - 1 + shown.length;
    const notes = [
      last < all.length ? `lines ${offset} to ${last} of ${all.length}; read on with offset ${last + 1}` : '',
      size > MAX_BYTES
        ? `only the first ${sizeForPeople(MAX_BYTES)} of ${sizeForPeople(size)} can be read`
        : '',
    ].filter(note => note !== '');
    return { text: [...shown, ...notes.map(note => `[${note}]`)].join('\n'), failed: false };
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

function shortened(line: string): string {
  const shown = cutText(line, MAX_LINE_CHARS);
  return shown === line ? line : `${shown} [${line.length - shown.length} more characters]`;
}

const failed = (text: string): Read => ({ text, failed: true });
