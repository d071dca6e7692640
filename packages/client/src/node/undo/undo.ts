/** Undo of file edits: what a file was is kept before a tool writes it, and put back when its owner rewinds (UNDO-1). */
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { dropChats, dropOldest, removeChat, type UndoLimits } from './bounds.ts';
import { hashOf, stateOf } from './file-state.ts';
import { chatsOf, markAs, repositoryOf } from './mark.ts';
import {
  type AskedEdit,
  currentState,
  type PlannedFile,
  planUndo,
  type UndoDisk,
  type UndoneFile,
} from './plan.ts';
import { Shadow } from './shadow.ts';

export interface UndoOptions {
  /** The directory of the shadow repositories, one for each chat; made when something is kept. */
  directory: string;
  /** The address of the kernel whose chats these are; absent: there is only one, which says itself what it forgets. */
  kernel?: string | undefined;
  limits?: Partial<UndoLimits> | undefined;
}

/** An edit that is about to be made. */
export interface NewEdit {
  chat_id: string;
  op_id: string;
  /** The real path of the file. */
  path: string;
  /** A path that leads to it now; default: the real one. */
  place?: string;
  /** What it will be. */
  after: Uint8Array;
}

export interface UndoRequest {
  chat_id: string;
  mode: UndoMode;
  /** The oldest first. */
  edits: readonly AskedEdit[];
}
export type UndoMode = 'preview' | 'restore';

/** The room of all chats is looked at with the first edit that is kept, and then with each of this number. */
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
  /** Of each chat one thing after the other: what is being kept must not be dropped. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor({ directory, kernel, limits }: UndoOptions) {
    this.#directory = directory;
    this.#kernel = kernel;
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Keeps what the file is now; it is on the disk when this resolves.
   * @throws Error where it could not be kept, such as where there is no git: the edit can be made all the same
   */
  keep({ chat_id, op_id, path, place = path, after }: NewEdit): Promise<void> {
    const { max_file_bytes, max_total_bytes } = this.#limits;
    if (max_total_bytes === 0) return Promise.resolve();
    return this.#inOrder(chat_id, async shadow => {
      checkId(op_id);
      const state = await stateOf(place, max_file_bytes);
      const { hash = null, mode, size = 0, content = null } = state ?? {};
      const isTooLarge = state !== null && content === null;
      const facts = {
        path,
        before: hash,
        after: hashOf(after),
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
   * Says what undoing edits does to each file, and does it where nothing stands against it: of files that somebody has
   * changed since, or that cannot be written, none at all is touched.
   */
  undo({ chat_id, mode, edits }: UndoRequest, disk: UndoDisk): Promise<UndoneFile[]> {
    return this.#inOrder(chat_id, async shadow => {
      const kept = await shadow.edits(edits.map(({ op_id }) => checkId(op_id)));
      const plan = await planUndo(edits, kept, disk);
      if (mode === 'restore' && plan.every(({ shown }) => !standsAgainst(shown))) {
        await restore(plan, shadow, disk);
      }
      return plan.map(({ shown }) => shown);
    });
  }

  /** Ids of the chats of this kernel of which something is kept. */
  async chats(): Promise<string[]> {
    return this.#kernel === undefined ? [] : chatsOf(this.#directory, this.#kernel);
  }

  /** Forgets all edits of a chat. */
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
      this.#shadows.get(chatId) ?? new Shadow(join(this.#directory, repositoryOf(checkId(chatId))));
    this.#shadows.set(chatId, shadow);
    return shadow;
  }
}

/** Whether a file keeps all others from being restored. */
const standsAgainst = ({ action, changed_since, error }: UndoneFile): boolean =>
  changed_since || (error !== undefined && action !== 'not_kept');

/** Puts the files back. All contents are read before the first is written. */
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
      // Somebody may have written it since it was looked at.
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

/** Ids become names of files and refs. @throws where it is none that a kernel makes */
function checkId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`${id} is no id`);
  return id;
}
