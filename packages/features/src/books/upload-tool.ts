/** Lets the model add a file to the shelf of the chat as a book (BT-2). */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileProblem, type MachinePaths, openFile, PathError } from '@chat-kernel/hands/own-machine';
import {
  type Hands,
  KeyedQueue,
  OperationError,
  safeFileName,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from '@chat-kernel/kernel';
import { MAX_BOOK_TITLE } from '@chat-kernel/protocol';
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import { BookReader, type ReadingProgress } from './book-reader.ts';
import type { Books } from './books.ts';
import { bookLine, titleOfName } from './describe.ts';
import { toCleanLine } from './formats/split.ts';
import { BOOK_LIMITS, BookProblem } from './limits.ts';
import type { BookRecord } from './records.ts';
import type { Shelf } from './shelf.ts';

/** The shortest time between two snapshots. */
const SHOWN_MS = 250;

const Input = z.object({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('A file on the working machine: absolute, or relative to the working directory.'),
  file_id: z
    .string()
    .min(1)
    .optional()
    .describe('Instead of a path: the id in the marker of an attached file.'),
  title: z.string().min(1).max(MAX_BOOK_TITLE).optional().describe('Default: the title in the file.'),
});

/** The input if the turn may not touch a machine (WHO-5). */
const AttachedInput = Input.omit({ path: true }).required({ file_id: true });

export function booksUpload(books: () => Books, paths: MachinePaths): Tool {
  const queues = new KeyedQueue();
  async function run(
    { path, file_id, title }: z.infer<typeof Input>,
    context: ToolContext,
  ): Promise<ToolOutput> {
    if ((path === undefined) === (file_id === undefined)) {
      return { output: 'Give either path or file_id.', is_error: true };
    }
    const named = path ?? `The file ${file_id}`;
    const shelf = books().shelf(context.chat.shelf);
    try {
      // A chat has a single file at a time in memory. Its client may be slow, and no other chat waits for that.
      return await queues.run(context.chat.id, async () => {
        context.signal.throwIfAborted();
        const source =
          path === undefined
            ? await uploadedSource(file_id!, context)
            : await pathSource(path, context, paths);
        return await upload(source, title, shelf, context, read => queues.run('reading', read));
      });
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (error instanceof BookProblem) return { output: `${named} ${error.message}.`, is_error: true };
      if (error instanceof OperationError) return { output: error.message, is_error: true };
      return { output: fileProblem(error, named, 'read'), is_error: true };
    }
  }
  const facts = {
    name: 'books_upload',
    description:
      'Adds a file to the shelf of this chat as a book: PDF, EPUB, HTML, Markdown or plain text. All chats with this shelf can then search it with books_search and read it with books_read.',
    group: 'books',
    icon: '📚',
    master_only: true,
    on_demand: true,
    outside_effect: true,
    effects: ['read', 'remember'],
  } as const;
  const off_machine = defineTool({ ...facts, input: AttachedInput, run });
  return defineTool({ ...facts, input: Input, on_machine: true, off_machine, run });
}

async function upload(
  { name, bytes }: BookSource,
  title: string | undefined,
  shelf: Shelf,
  { signal, progress }: ToolContext,
  inTurn: (read: () => Promise<ToolOutput>) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const reader = new BookReader(name, BOOK_LIMITS, signal);
  try {
    const fed = await reader.feed(bytes);
    // Readers run one after the other, because each may take much memory.
    return await inTurn(async () => {
      signal.throwIfAborted();
      const known = await shelf.bookOfBytes(fed.sha256);
      if (known !== undefined) return { output: alreadyThere(known) };
      const { format, unit, author, title: own } = await reader.facts();
      const chosen = toTitle(title) ?? toTitle(own ?? '') ?? titleOfName(name);
      const show = snapshots(progress, ({ done, of }) =>
        of === null ? `${unit} ${done}` : `${unit} ${done} of ${of}`,
      );
      const facts = { ...fed, title: chosen, author: toTitle(author ?? ''), format, unit, file_name: name };
      const book = await shelf.add(facts, reader.parts(show));
      const notes = reader.notes.map(note => `\n${note}`).join('');
      return { output: `Added to the shelf "${shelf.name}": ${bookLine(book)}.${notes}\n${HOW}` };
    });
  } finally {
    reader.stop();
  }
}

const HOW = 'Search it with books_search, and read it with books_read and this id.';

const alreadyThere = (book: BookRecord): string =>
  `The shelf "${book.shelf}" already has a book with the same content: ${bookLine(book)}. Nothing was added.`;

const toTitle = (text = ''): string | null => toCleanLine(text, MAX_BOOK_TITLE);

/** Drops most of the snapshots when many steps finish within a short time. */
function snapshots(
  show: (text: string) => void,
  textOf: (progress: ReadingProgress) => string,
): (progress: ReadingProgress) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return progress => {
    const now = performance.now();
    if (now - shownAt < SHOWN_MS) return;
    shownAt = now;
    show(textOf(progress));
  };
}

interface BookSource {
  /** The name of the file, without its directories. */
  name: string;
  /** Can be read only once, to the end or until it throws OperationError, PathError or an error of the file system. */
  bytes: AsyncIterable<Uint8Array>;
}

/** The maximum number of bytes that one operation of a client returns. */
const CLIENT_STEP = 4 * 1024 * 1024;

/** Opens an uploaded file. @throws PathError if there is no file with this id */
async function uploadedSource(
  id: string,
  { uploadedFile }: Pick<ToolContext, 'uploadedFile'>,
): Promise<BookSource> {
  const uploaded = await uploadedFile(id);
  if (uploaded === undefined) throw new PathError(`There is no uploaded file ${id.slice(0, 100)}.`);
  const { name, media_type } = uploaded.file;
  return { name: safeFileName(name, media_type), bytes: uploaded.bytes };
}

/** Opens a file on the machine of the call. @throws PathError, or the error of the file system */
async function pathSource(
  path: string,
  { chat, hands }: ToolContext,
  paths: MachinePaths,
): Promise<BookSource> {
  if (hands !== null && !(await paths.isUploaded(path))) {
    return { name: path.split(/[/\\]/).at(-1) || path, bytes: fromClient(path, hands) };
  }
  const real = await paths.toRead(path, chat);
  if ((await stat(real)).isDirectory())
    throw new PathError(`${path} is a directory. Give the path of a file.`);
  await paths.refuseSecret(real);
  return { name: basename(path), bytes: fromDisk(real) };
}

async function* fromDisk(path: string): AsyncGenerator<Uint8Array> {
  // The file closes with its stream.
  yield* (await openFile(path)).createReadStream();
}

async function* fromClient(path: string, hands: Hands): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    const { data, total } = await hands.readBytes({ path, offset, size: CLIENT_STEP });
    if (data.length > 0) yield data;
    offset += data.length;
    if (offset >= total) return;
    if (data.length === 0)
      throw new OperationError(`The client sent ${offset} of the ${total} bytes of ${path}.`);
  }
}
