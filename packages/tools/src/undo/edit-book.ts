/** Records the edits of each chat in a file, one line of JSON per edit, written before the edit is made. */
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NotedEdit } from '@chat-kernel/kernel';

export class EditBook {
  readonly #directory: string;

  /** @param directory created with the first record */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param line an edit, or the id of one that was not made; on the disk when this resolves */
  async write(chatId: string, line: NotedEdit | { refused: string }): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = await open(this.#pathOf(chatId), 'a', 0o600);
    try {
      // A crash may have cut the previous line: start a new line.
      await file.appendFile(`\n${JSON.stringify(line)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /** Returns the edits that were made, or may have been, oldest first. */
  async read(chatId: string): Promise<NotedEdit[]> {
    const text = await readFile(this.#pathOf(chatId), 'utf8').catch(error => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const lines = text.split('\n').flatMap(parsed);
    const refused = new Set(lines.flatMap(line => ('refused' in line ? [line.refused] : [])));
    return lines.flatMap(line => ('refused' in line || refused.has(line.op_id) ? [] : [line]));
  }

  async forget(chatId: string): Promise<void> {
    await rm(this.#pathOf(chatId), { force: true });
  }

  #pathOf(chatId: string): string {
    return join(this.#directory, `${chatId}.jsonl`);
  }
}

/** A line that was cut by a crash belongs to an edit that was not made. */
function parsed(line: string): (NotedEdit | { refused: string })[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
