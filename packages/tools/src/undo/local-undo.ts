/**
 * Undo on the kernel's machine: stores files in data_dir before tools write them, and restores them under the same
 * rules (UNDO-1).
 */
import { lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  Undo as Kept,
  type NewEdit,
  PathError,
  type PlaceRules,
  replaceFile,
  type UndoDisk,
  whereTo,
  writePlace,
} from '@chat-kernel/hands/own-machine';
import type { ChatRecord, Log, NotedEdit, Undo } from '@chat-kernel/kernel';

interface OwnUndoOptions {
  /** Inside of data_dir, where no tool has access. */
  directory: string;
  /** False: the state of files is not stored, and edits cannot be undone. */
  isOn: boolean;
  rules: PlaceRules;
  log: Log;
}

export class LocalUndo implements Undo {
  readonly #kept: Kept;
  readonly #book: EditBook;
  readonly #rules: OwnUndoOptions['rules'];
  readonly #log: Log;
  #complained = false;

  constructor({ directory, isOn, rules, log }: OwnUndoOptions) {
    this.#kept = new Kept({ directory, ...(!isOn && { limits: { max_total_bytes: 0 } }) });
    this.#book = new EditBook(directory);
    this.#rules = rules;
    this.#log = log;
  }

  /** Stores the state of a file before it is written. If this fails, the edit is still made. */
  async keep(edit: NewEdit): Promise<void> {
    try {
      await this.#kept.keep(edit);
    } catch (error) {
      // Without git every edit would log this.
      if (!this.#complained)
        this.#log.warn({ err: error }, 'storing the state of a file before an edit failed');
      this.#complained = true;
    }
  }

  async note(...[chatId, edit]: Parameters<Undo['note']>): Promise<void> {
    await this.#book.write(chatId, edit);
  }

  async refused(chatId: string, opId: string): Promise<void> {
    await this.#book.write(chatId, { refused: opId });
  }

  noted(chatId: string) {
    return this.#book.read(chatId);
  }

  async undo(...[chat, mode, edits]: Parameters<Undo['undo']>) {
    return this.#kept.undo({ chat_id: chat.id, mode, edits }, this.#diskOf(chat));
  }

  /** Removes everything that this machine has only for the chat. */
  async forget(chatId: string): Promise<void> {
    try {
      await this.#rules.paths.removeScratch(chatId);
      await this.#book.forget(chatId);
      await this.#kept.forget(chatId);
    } catch (error) {
      this.#log.warn(
        { err: error, chat_id: chatId },
        'removing the stored edits and the scratch directory of a chat failed',
      );
    }
  }

  /** Files as the tools of the chat may write them now. */
  #diskOf(chat: ChatRecord): UndoDisk {
    const rules = this.#rules;
    return {
      real: path => whereTo(path, { chat }, rules),
      async at(path, work) {
        const place = await writePlace(path, { chat }, rules, false);
        try {
          if (place.real !== path) throw new PathError(`${path} is now a different file.`);
          return await work(join(place.directory, place.name));
        } finally {
          await place.close();
        }
      },
      async put(path, content, mode) {
        const place = { directory: dirname(path), name: basename(path) };
        await replaceFile(place, content, await lstat(path), mode);
      },
    };
  }
}

/** Records the edits of each chat in a file, one line of JSON per edit, written before the edit is made. */
class EditBook {
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
