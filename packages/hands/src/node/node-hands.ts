/** Implements all actions of hands on a machine with Node. */
import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import type { FolderEntry, Hands, SandboxKind } from '@chat-kernel/client';
import { findBytes, readBytes, writeBytes } from './bytes.ts';
import {
  fromHome,
  resolveAllowedPath,
  resolveReadablePath,
  resolveWritablePath,
  writableRoot,
} from './resolve-path.ts';
import { type CommandSandbox, runShell } from './shell.ts';
import { encodeFor, readText, writeWhole } from './text-files.ts';
import type { UndoDisk } from './undo/plan.ts';
import { Undo, type UndoOptions } from './undo/undo.ts';

const MAX_ENTRIES = 1000;
const MAX_DEPTH = 4;

/** Skips links, which could lead anywhere. A missing folder has no entries. */
async function listDir(folder: string): Promise<{ entries: FolderEntry[] }> {
  const entries: FolderEntry[] = [];
  let level = [''];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const inside of level) {
      const found = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
      for (const each of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (entries.length === MAX_ENTRIES) return { entries };
        if (!each.isFile() && !each.isDirectory()) continue;
        const path = inside === '' ? each.name : `${inside}/${each.name}`;
        const facts = await stat(join(folder, path)).catch(() => undefined);
        if (facts === undefined) continue;
        const type = each.isDirectory() ? 'directory' : 'file';
        entries.push({ path, type, size: facts.size, mtime_ms: Math.floor(facts.mtimeMs) });
        if (type === 'directory') next.push(path);
      }
    }
    level = next;
  }
  return { entries };
}

/** The kernel's folder in a project. */
const SERVICE = `${sep}.service${sep}`;

/** Creates the folder of a file. If that creates a folder `.service`, git is configured to ignore it. */
async function makeFolder(file: string): Promise<void> {
  const made = await mkdir(dirname(file), { recursive: true });
  const at = file.lastIndexOf(SERVICE);
  // Leave an existing folder as the user has set it up.
  if (made === undefined || at < 0 || !`${file.slice(0, at)}${SERVICE}`.startsWith(made + sep)) return;
  await writeFile(`${file.slice(0, at)}${SERVICE}.gitignore`, '*\n', { flag: 'wx' }).catch(error => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** How commands run. */
export interface CommandOptions {
  /** Commands write only in `workdir`, or in the directory of `within` that they start in. Default: no sandbox. */
  sandbox?: CommandSandbox | undefined;
  /** The environment of commands. Default: that of this process, except the token of this client. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The sandbox of commands, for the owner who is asked about one. */
export const sandboxKind = async ({ sandbox }: CommandOptions = {}): Promise<SandboxKind> =>
  (await sandbox?.kind()) ?? 'none';

export interface NodeHandsOptions extends CommandOptions {
  /** The base of relative paths, and the default directory of commands. */
  workdir: string;
  /**
   * The directories whose files may be touched; default: only `workdir`; `['/']` for all. Paths are checked after links
   * are resolved, and so is the directory of a command. A file with several names (hard links) is refused. The effects of
   * the command itself are up to the approval.
   */
  within?: readonly string[] | undefined;
  /** Maximum bytes of a file that is read as text; default 10 MiB. */
  maxTextBytes?: number | undefined;
  /** Maximum characters of a command's output, from its beginning and its end; default 1 Mi. */
  maxOutputChars?: number | undefined;
  /** Where the states of files before edits are stored, for `undo`. Default: nowhere, and `undo` is omitted. */
  undo?: UndoOptions | undefined;
}

/** All actions; `undo` only if earlier states are stored. */
export type NodeHands = Required<Omit<Hands, 'undo'>> & Pick<Hands, 'undo'>;

export function nodeHands({
  workdir,
  within = [workdir],
  maxTextBytes = 10 * 1024 * 1024,
  maxOutputChars = 1024 * 1024,
  sandbox,
  env = withoutToken(),
  undo: undoOptions,
}: NodeHandsOptions): NodeHands {
  const at = (path: string) => resolveAllowedPath({ workdir, within }, path);
  const readable = (path: string) => resolveReadablePath({ workdir, within }, path);
  const links = within.some(directory => parse(directory).root === directory) ? 'any' : 'one';
  const undo = undoOptions && new Undo(undoOptions);
  return {
    read: async ({ path }) => readText(await readable(path), maxTextBytes, links),
    async write({ path, content, exact = false }, { chat_id, op_id }) {
      const file = await resolveWritablePath({ workdir, within }, path);
      const bytes = await encodeFor(file, content, { maxBytes: maxTextBytes, links, exact });
      if (chat_id !== undefined && op_id !== undefined) {
        const edit = { chat_id, op_id, path: file, after: bytes };
        // The write proceeds even if the earlier state cannot be stored, for example without git.
        await undo?.keep(edit).catch(() => {});
      }
      await writeWhole(file, bytes);
      return 'written';
    },
    async shell(
      { command, workdir = '.', timeout_secs, ...exceptions },
      { by_prefix = false, signal, progress },
    ) {
      const cwd = await at(workdir);
      const root = await writableRoot(cwd, [workdir, ...within]);
      const limits = { timeout_secs, maxChars: maxOutputChars };
      return runShell(command, {
        cwd,
        root,
        sandbox,
        exceptions,
        env,
        ...limits,
        plainGit: by_prefix,
        signal,
        progress,
      });
    },
    async read_bytes({ path, offset, size }) {
      const { total, data } = await readBytes(await readable(path), offset, size, links);
      return { total, data: data.toString('base64') };
    },
    async write_bytes({ path, offset, data, truncate }) {
      const file = await at(path);
      await makeFolder(file);
      return { total: await writeBytes(file, offset, decodeBase64(data), truncate, links) };
    },
    find_bytes: async ({ path, data, offset, limit }) =>
      findBytes(await readable(path), decodeBase64(data), offset, limit, links),
    list_dir: async ({ path }) => listDir(await at(path)),
    // Not restricted to `within`: it reveals only which names exist, and searches for them up to the root.
    list_up: ({ path, names }) => listUp(resolve(workdir, fromHome(path)), names),
    ...(undo && {
      async undo({ mode, edits }, { chat_id = '' }) {
        return {
          files: await undo.undo({ chat_id, mode, edits }, { real: at, at: guardPath(at), put: writeWhole }),
        };
      },
    }),
  };
}

/** The model reads the output of commands. */
function withoutToken(): NodeJS.ProcessEnv {
  const { CHAT_KERNEL_TOKEN: _, ...others } = process.env;
  return others;
}

/** If a path leads to another file now, that file is not the one whose state was stored. */
const guardPath =
  (at: (path: string) => Promise<string>): UndoDisk['at'] =>
  async (path, work) => {
    const real = await at(path);
    if (real !== path) throw new Error(`${path} is now a different file.`);
    return work(real);
  };

/** Decodes strictly: Node's decoder skips invalid characters. */
function decodeBase64(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new Error('data is no base64');
  return bytes;
}

/** Searches for names in a directory and in each directory above it. The kernel finds project files this way. */
async function listUp(
  directory: string,
  names: readonly string[],
): Promise<{ dirs: { dir: string; found: string[] }[] }> {
  const dirs = upwards(directory).map(async dir => ({ dir, found: await existing(dir, names) }));
  return { dirs: await Promise.all(dirs) };
}

function upwards(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwards(parent)];
}

/**
 * Returns the names that exist. A name that may not be read counts as absent, and so does a link out of the directory:
 * otherwise a project could bring any file of its reader into a prompt.
 */
async function existing(directory: string, names: readonly string[]): Promise<string[]> {
  const looks = await Promise.allSettled(names.map(name => isInside(directory, name)));
  return names.filter((_, index) => {
    const look = looks[index];
    return look?.status === 'fulfilled' && look.value;
  });
}

async function isInside(directory: string, name: string): Promise<boolean> {
  const [home, real] = await Promise.all([realpath(directory), realpath(join(directory, name))]);
  return real.startsWith(home.endsWith(sep) ? home : home + sep);
}
