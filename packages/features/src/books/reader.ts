/**
 * Runs in the process that reads a file as a book: reads the bytes from its input and writes one line per
 * ReaderMessage. The process can write no file, reach no network and start no process, and it has no secrets. Started
 * as `reader.ts <name of the file> <limits as JSON>`.
 */
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { openBook, tooLong } from './formats/open-book.ts';
import { splitSection } from './formats/split.ts';
import { type BookLimits, BookProblem } from './limits.ts';
import type { ReaderMessage } from './message.ts';

const MAX_MESSAGE_CHARS = 2000;

const [name = '', limitsText = ''] = process.argv.slice(2);
const limits: BookLimits = JSON.parse(limitsText);

try {
  await read();
} catch (error) {
  const sentence =
    error instanceof BookProblem ? error.message : `could not be read (${String(error).slice(0, 200)})`;
  await say({ type: 'problem', sentence });
}

async function read(): Promise<void> {
  const { format, unit, title, author, of, sections, notes } = await openBook(
    await buffer(process.stdin),
    name,
    limits,
  );
  await say({ type: 'facts', format, unit, title: short(title), author: short(author) });
  let done = 0;
  let chars = 0;
  for await (const section of sections) {
    done++;
    if (done > limits.sections) throw new BookProblem(`has more than ${limits.sections} ${unit}s`);
    await say({ type: 'progress', done, of });
    for (const part of splitSection(section, done)) {
      chars += part.text.length;
      if (chars > limits.chars) throw new BookProblem(tooLong(limits));
      await say({ type: 'part', part });
    }
  }
  await say({ type: 'end', notes: notes?.() ?? [] });
}

/** Truncates a title or author, which may be endless in a hostile file, so that the kernel can parse the line. */
function short(text: string | null): string | null {
  return text?.slice(0, MAX_MESSAGE_CHARS).toWellFormed() ?? null;
}

/** Writes a message; waits if the kernel is slower. */
async function say(message: ReaderMessage): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain');
}
