/** Undo on the kernel's machine: what tools write is kept in data_dir before, and put back as the tools themselves would (UNDO-1). */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Undo as Kept, type NewEdit, type UndoDisk } from '@chat-kernel/client/node';
import type { ChatRecord, Log, Undo } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { PathError } from '../machine/machine-path.ts';
import { replaceFile } from '../machine/replace-file.ts';
import { type PlaceRules, whereTo, writePlace } from '../machine/write-place.ts';
import { EditBook } from './edit-book.ts';

interface OwnUndoOptions {
  /** In data_dir, where no tool reaches it. */
  directory: string;
  limits: Settings['tools']['undo'];
  rules: PlaceRules;
  log: Log;
}

const MB = 1024 * 1024;

export class OwnUndo implements Undo {
  readonly #kept: Kept;
  readonly #book: EditBook;
  readonly #rules: OwnUndoOptions['rules'];
  readonly #log: Log;
  #complained = false;

  constructor({ directory, limits, rules, log }: OwnUndoOptions) {
    const { max_file_mb, max_chat_mb, max_total_mb } = limits;
    this.#kept = new Kept({
      directory,
      limits: {
        max_file_bytes: max_file_mb * MB,
        max_chat_bytes: max_chat_mb * MB,
        max_total_bytes: max_total_mb * MB,
      },
    });
    this.#book = new EditBook(directory);
    this.#rules = rules;
    this.#log = log;
  }

  /** Keeps what a file is before it is written. An edit of which nothing can be kept is made all the same. */
  async keep(edit: NewEdit): Promise<void> {
    try {
      await this.#kept.keep(edit);
    } catch (error) {
      // Without git every edit would say it.
      if (!this.#complained)
        this.#log.warn({ err: error }, 'what a file was before an edit could not be kept');
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

  async forget(chatId: string): Promise<void> {
    try {
      await this.#book.forget(chatId);
      await this.#kept.forget(chatId);
    } catch (error) {
      this.#log.warn(
        { err: error, chat_id: chatId },
        'what was kept of the edits of a chat could not be removed',
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
          if (place.real !== path) throw new PathError(`${path} is another file now.`);
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
