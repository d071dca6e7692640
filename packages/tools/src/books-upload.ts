/** Lets the model put a file on the shelf of the chat as a book (BT-2). */
import { type BookRecord, OperationError, type ToolContext, type ToolOutput } from '@chat-kernel/kernel';
import { MAX_BOOK_TITLE } from '@chat-kernel/protocol';
import { z } from 'zod';
import { BookReader, type ReadingProgress } from './books/book-reader.ts';
import { bookLine, titleOfName } from './books/describe.ts';
import { BOOK_LIMITS, type BookLimits, BookProblem } from './books/limits.ts';
import { type BookSource, pathSource, uploadedSource } from './books/source.ts';
import { cleaned } from './books/split.ts';
import { fileProblem, type MachinePaths } from './machine/machine-path.ts';
import { defineTool } from './tool/define.ts';

/** The least time between two snapshots. */
const SHOWN_MS = 250;

const Input = z.object({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Of a file on the machine you work on: absolute, or relative to the working directory.'),
  file_id: z
    .string()
    .min(1)
    .optional()
    .describe('In place of a path: the id in the marker of an attached file.'),
  title: z.string().min(1).max(MAX_BOOK_TITLE).optional().describe('Default: what the file says of itself.'),
});

/** The input where no machine may be touched (WHO-5). */
const AttachedInput = Input.omit({ path: true }).required({ file_id: true });

/** @param limits smaller ones, for tests */
export function booksUpload(paths: MachinePaths, limits: BookLimits = BOOK_LIMITS) {
  const queues = new TaskQueues();
  async function run(
    { path, file_id, title }: z.infer<typeof Input>,
    context: ToolContext,
  ): Promise<ToolOutput> {
    if ((path === undefined) === (file_id === undefined)) {
      return { output: 'Give either path or file_id.', is_error: true };
    }
    const named = path ?? `The file ${file_id}`;
    try {
      // A chat has a single file at a time in memory; its client may be slow, and no other chat waits for that.
      return await queues.run(context.chat.id, async () => {
        context.signal.throwIfAborted();
        const source =
          path === undefined
            ? await uploadedSource(file_id!, context)
            : await pathSource(path, context, paths);
        return await upload(source, title, context, limits, read => queues.run('reading', read));
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
      'Puts a file on the shelf of this chat as a book, to be searched with books_search and read with books_read: PDF, EPUB, HTML, Markdown or plain text. All chats of the shelf have it then.',
    group: 'books',
    icon: '📚',
    master_only: true,
    on_demand: true,
    outside_effect: true,
  } as const;
  const off_machine = defineTool({ ...facts, input: AttachedInput, run });
  return defineTool({ ...facts, input: Input, on_machine: true, off_machine, run });
}

async function upload(
  { name, bytes }: BookSource,
  title: string | undefined,
  { shelf, signal, progress }: ToolContext,
  limits: BookLimits,
  inTurn: (read: () => Promise<ToolOutput>) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const reader = new BookReader(name, limits, signal);
  try {
    const fed = await reader.feed(bytes);
    // Readers work one after the other, for each may take much memory.
    return await inTurn(async () => {
      signal.throwIfAborted();
      const known = await shelf.bookOfBytes(fed.sha256);
      if (known !== undefined) return { output: alreadyThere(known) };
      const { format, unit, author, title: own } = await reader.facts();
      const chosen = oneLine(title ?? '') ?? oneLine(own ?? '') ?? titleOfName(name);
      const show = snapshots(progress, ({ done, of }) =>
        of === null ? `${unit} ${done}` : `${unit} ${done} of ${of}`,
      );
      const facts = { ...fed, title: chosen, author: oneLine(author ?? ''), format, unit, file_name: name };
      const book = await shelf.add(facts, reader.parts(show));
      const notes = reader.notes.map(note => `\n${note}`).join('');
      return { output: `Put on the shelf "${shelf.name}": ${bookLine(book)}.${notes}\n${HOW}` };
    });
  } finally {
    reader.stop();
  }
}

const HOW = 'Its text is found by books_search and read by books_read with this id.';

const alreadyThere = (book: BookRecord): string =>
  `The shelf "${book.shelf}" has this book already, from the same bytes: ${bookLine(book)}. Nothing was added.`;

const oneLine = (text: string): string | null =>
  cleaned(text).replace(/\s+/g, ' ').trim().slice(0, MAX_BOOK_TITLE).toWellFormed() || null;

/** Shows only some of a thousand steps that come at once. */
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

/** Runs tasks of the same name one after the other. */
class TaskQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(task);
    const over = result
      .catch(() => {})
      .finally(() => {
        if (this.#last.get(name) === over) this.#last.delete(name);
      });
    this.#last.set(name, over);
    return result;
  }
}
