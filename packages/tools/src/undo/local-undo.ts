/**
 * Undo on the kernel's machine: stores files in data_dir before tools write them, and restores them under the same
 * rules (UNDO-1).
 */
import { lstat } from 'node:fs/promises';
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
import type { ChatRecord, Log, Undo } from '@chat-kernel/kernel';
import { EditBook } from './edit-book.ts';

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
        const before = await lstat(path);
        before.mode = mode;
        await replaceFile({ directory: dirname(path), name: basename(path) }, content, before);
      },
    };
  }
}
