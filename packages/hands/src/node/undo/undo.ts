/**
 * Undoes file edits: stores the state of a file before a tool writes it, and restores it when the user rewinds
 * (UNDO-1).
 */
import { readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dropChats, dropOldest, removeChat, type UndoLimits } from './bounds.ts';
import { hashContent, readFileState } from './file-state.ts';
import {
  currentState,
  type PlannedFile,
  planUndo,
  type RequestedEdit,
  type UndoDisk,
  type UndoneFile,
} from './plan.ts';
import { Shadow } from './shadow.ts';

const MARK = 'chat-kernel';
const REPOSITORY = '.git';

/** The file that names the kernel of a shadow repository: it has the kernel's address and is next to git's files. */
const repositoryName = (chatId: string): string => `${chatId}${REPOSITORY}`;

const markAs = (directory: string, kernel: string): Promise<void> =>
  writeFile(join(directory, MARK), kernel, { mode: 0o600 });

/** Returns the ids of a kernel's chats that have stored edits. */
async function listChatIds(directory: string, kernel: string): Promise<string[]> {
  const names = (await readdir(directory).catch(() => [])).filter(name => name.endsWith(REPOSITORY));
  const marks = await Promise.all(
    names.map(name => readFile(join(directory, name, MARK), 'utf8').catch(() => undefined)),
  );
  return names.filter((_, n) => marks[n] === kernel).map(name => name.slice(0, -REPOSITORY.length));
}

export interface UndoOptions {
  /** The directory of the shadow repositories, one per chat; created with the first stored edit. */
  directory: string;
  /** The address of the kernel that has these chats. Absent: there is only one kernel, which deletes edits itself. */
  kernel?: string | undefined;
  limits?: Partial<UndoLimits> | undefined;
}

/** An edit that is about to be made. */
export interface NewEdit {
  chat_id: string;
  op_id: string;
  /** The real path of the file. */
  path: string;
  /** A path that currently leads to it; default: the real one. */
  place?: string;
  /** The new content. */
  after: Uint8Array;
}

export interface UndoRequest {
  chat_id: string;
  mode: UndoMode;
  /** Oldest first. */
  edits: readonly RequestedEdit[];
}
export type UndoMode = 'preview' | 'restore';

/** The total size is checked with the first stored edit, and then after each series of this length. */
const EVERY = 16;
const MIB = 1024 * 1024;
const LIMITS: UndoLimits = {
  max_file_bytes: 10 * MIB,
  max_chat_bytes: 100 * MIB,
  max_total_bytes: 1000 * MIB,
};

export class Undo {
  readonly #directory: string;
  readonly #kernel: string | undefined;
  readonly #limits: UndoLimits;
  #kept = 0;
  readonly #shadows = new Map<string, Shadow>();
  /** Serializes the work per chat: an edit must not be dropped while it is stored. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor({ directory, kernel, limits }: UndoOptions) {
    this.#directory = directory;
    this.#kernel = kernel;
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Stores the current state of the file; it is on the disk when this resolves.
   * @throws Error if it could not be stored, for example without git; the edit can still be made
   */
  keep({ chat_id, op_id, path, place = path, after }: NewEdit): Promise<void> {
    const { max_file_bytes, max_total_bytes } = this.#limits;
    if (max_total_bytes === 0) return Promise.resolve();
    return this.#inOrder(chat_id, async shadow => {
      checkId(op_id);
      const state = await readFileState(place, max_file_bytes);
      const { hash = null, mode, size = 0, content = null } = state ?? {};
      const isTooLarge = state !== null && content === null;
      const facts = {
        path,
        before: hash,
        after: hashContent(after),
        ...(mode !== undefined && { mode }),
        ...(isTooLarge && { not_kept: tooLarge(size, max_file_bytes) }),
      };
      await shadow.keep(op_id, facts, content);
      if (this.#kernel !== undefined) await markAs(shadow.directory, this.#kernel);
      await dropOldest(shadow, this.#limits);
      if (this.#kept++ % EVERY === 0) await dropChats(this.#directory, this.#limits);
    });
  }

  /**
   * Reports what undoing the edits does to each file, and applies it if nothing prevents it. If any file was changed
   * since, or cannot be written, no file is touched.
   */
  undo({ chat_id, mode, edits }: UndoRequest, disk: UndoDisk): Promise<UndoneFile[]> {
    return this.#inOrder(chat_id, async shadow => {
      const stored = await shadow.edits(edits.map(({ op_id }) => checkId(op_id)));
      const plan = await planUndo(edits, stored, disk);
      if (mode === 'restore' && plan.every(({ shown }) => !standsAgainst(shown))) {
        await restore(plan, shadow, disk);
      }
      return plan.map(({ shown }) => shown);
    });
  }

  /** Returns the ids of this kernel's chats that have stored edits. */
  async chats(): Promise<string[]> {
    return this.#kernel === undefined ? [] : listChatIds(this.#directory, this.#kernel);
  }

  /** Deletes all edits of a chat. */
  forget(chatId: string): Promise<void> {
    return this.#inOrder(chatId, async shadow => {
      this.#shadows.delete(chatId);
      await removeChat(shadow.directory);
    });
  }

  #inOrder<Result>(chatId: string, work: (shadow: Shadow) => Promise<Result>): Promise<Result> {
    const before = this.#last.get(chatId) ?? Promise.resolve();
    const done = before.then(() => work(this.#shadowOf(chatId)));
    const settled = done.then(
      () => {},
      () => {},
    );
    this.#last.set(chatId, settled);
    void settled.then(() => this.#last.get(chatId) === settled && this.#last.delete(chatId));
    return done;
  }

  #shadowOf(chatId: string): Shadow {
    const shadow =
      this.#shadows.get(chatId) ?? new Shadow(join(this.#directory, repositoryName(checkId(chatId))));
    this.#shadows.set(chatId, shadow);
    return shadow;
  }
}

/** True if a file prevents all others from being restored. */
const standsAgainst = ({ action, changed_since, error }: UndoneFile): boolean =>
  changed_since || (error !== undefined && action !== 'not_kept');

/** Restores the files. All contents are read before the first file is written. */
async function restore(plan: readonly PlannedFile[], shadow: Shadow, disk: UndoDisk): Promise<void> {
  const wanted = plan.filter(({ shown }) => shown.action === 'restore' || shown.action === 'delete');
  const contents = await Promise.all(
    wanted.map(({ shown, first }) =>
      shown.action === 'restore' && first ? shadow.contentBefore(first.id) : null,
    ),
  );
  for (const [index, file] of wanted.entries()) {
    const { shown, first, now } = file;
    try {
      // The file may have been changed since the check.
      if (((await currentState(shown.path, disk))?.hash ?? null) !== now) {
        shown.changed_since = true;
        return;
      }
      const content = contents[index];
      await disk.at(shown.path, place =>
        content ? disk.put(place, content, first?.mode ?? 0o644) : unlink(place),
      );
      shown.restored = true;
    } catch (error) {
      shown.error = error instanceof Error ? error.message : String(error);
      return;
    }
  }
}

const tooLarge = (size: number, most: number): string =>
  `It had ${size} bytes before; at most ${most} are kept.`;

/** Ids become names of files and refs. @throws if no kernel makes such an id */
function checkId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`${id} is no id`);
  return id;
}
