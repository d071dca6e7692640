/** THE list of the actions of hands on a machine with Node. */
import { resolve } from 'node:path';
import type { Hands } from '../hands/hands.ts';
import { findBytes, readBytes, writeBytes } from './bytes.ts';
import { makeFolder } from './git-ignore.ts';
import { listDir } from './list-dir.ts';
import { listUp } from './list-up.ts';
import { fromHome, reached } from './reach.ts';
import { runShell } from './shell.ts';
import { readText, writeWhole } from './text-files.ts';
import type { UndoDisk } from './undo/plan.ts';
import { Undo, type UndoOptions } from './undo/undo.ts';

export interface NodeHandsOptions {
  /** The directory where relative paths begin, and where commands run that name none. */
  workdir: string;
  /**
   * The directories whose files may be touched; default: `workdir` alone; `['/']` for all. Paths are held to them, links
   * followed, and so is where a command begins; what a command then does is for the approval to judge.
   */
  within?: readonly string[] | undefined;
  /** Most bytes of a file that is read as text; default 10 MiB. */
  maxTextBytes?: number | undefined;
  /** Most characters of a command's output, from its beginning and its end; default 1 Mi. */
  maxOutputChars?: number | undefined;
  /** Where it is kept what files were before they are written, for `undo`; default: nowhere, and `undo` is left out. */
  undo?: UndoOptions | undefined;
}

/** All actions; `undo` where something is kept for it. */
export type NodeHands = Required<Omit<Hands, 'undo'>> & Pick<Hands, 'undo'>;

export function nodeHands({
  workdir,
  within = [workdir],
  maxTextBytes = 10 * 1024 * 1024,
  maxOutputChars = 1024 * 1024,
  undo: undoOptions,
}: NodeHandsOptions): NodeHands {
  const at = (path: string) => reached({ workdir, within }, path);
  const undo = undoOptions && new Undo(undoOptions);
  return {
    read: async ({ path }) => readText(await at(path), maxTextBytes),
    async write({ path, content }, { chat_id, op_id }) {
      const file = await at(path);
      if (chat_id !== undefined && op_id !== undefined) {
        const edit = { chat_id, op_id, path: file, after: Buffer.from(content) };
        // What cannot be kept, such as where there is no git, is written all the same.
        await undo?.keep(edit).catch(() => {});
      }
      await writeWhole(file, content);
      return 'written';
    },
    async shell({ command, workdir = '.', timeout_secs }, { signal, progress }) {
      const cwd = await at(workdir);
      return runShell(command, { cwd, timeout_secs, maxChars: maxOutputChars, signal, progress });
    },
    async read_bytes({ path, offset, size }) {
      const { total, data } = await readBytes(await at(path), offset, size);
      return { total, data: data.toString('base64') };
    },
    async write_bytes({ path, offset, data, truncate }) {
      const file = await at(path);
      await makeFolder(file);
      return { total: await writeBytes(file, offset, bytesOf(data), truncate) };
    },
    find_bytes: async ({ path, data, offset, limit }) =>
      findBytes(await at(path), bytesOf(data), offset, limit),
    list_dir: async ({ path }) => listDir(await at(path)),
    // Not held to `within`: it reveals only which names exist, and looks for them up to the root.
    list_up: ({ path, names }) => listUp(resolve(workdir, fromHome(path)), names),
    ...(undo && {
      async undo({ mode, edits }, { chat_id = '' }) {
        return {
          files: await undo.undo({ chat_id, mode, edits }, { real: at, at: placeOf(at), put: writeWhole }),
        };
      },
    }),
  };
}

/** A path that leads elsewhere by now is none of the file that was kept. */
const placeOf =
  (at: (path: string) => Promise<string>): UndoDisk['at'] =>
  async (path, work) => {
    const real = await at(path);
    if (real !== path) throw new Error(`${path} is another file now.`);
    return work(real);
  };

/** Decodes strictly: Node's decoder skips what is no base64. */
function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new Error('data is no base64');
  return bytes;
}
