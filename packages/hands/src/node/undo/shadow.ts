/**
 * The shadow repository of one chat. Each edit of a file is a commit under its own ref, with the file as it was before,
 * and facts about the edit in the commit message. An edit is stored completely or not at all.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';

/** Facts about an edit. */
interface EditFacts {
  /** The real path of the file. */
  path: string;
  /** SHA-256 of the file before and after; null: it did not exist. */
  before: string | null;
  after: string;
  /** The permissions before, such as 0o644. */
  mode?: number;
  /** Why the content before is not stored. */
  not_kept?: string;
}

export interface StoredEdit extends EditFacts {
  id: string;
}

const REFS = 'refs/edits/';
/** The name of the content in the tree of a commit. */
const CONTENT = 'before';

export class Shadow {
  readonly directory: string;
  #made = false;

  constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Stores an edit that is about to be made. If its id is already stored, the old entry stays: a process was killed
   * before it made or reported the edit, so the entry has the older state of the file.
   * @param content the file before, if it is stored
   */
  async keep(id: string, facts: EditFacts, content: Uint8Array | null): Promise<void> {
    // The first call also repairs a partly created repository. Later the repository may have been removed to free
    // space.
    if (!this.#made || !this.#isThere()) await this.#make();
    this.#made = true;
    const message = Buffer.from(JSON.stringify(facts));
    const blob = content && [`blob\nmark :1\ndata ${content.length}\n`, content, '\n'];
    const commit = [
      `commit ${REFS}${id}\ncommitter kernel <> ${Math.floor(Date.now() / 1000)} +0000\n`,
      `data ${message.length}\n`,
      message,
      content ? `\nM 100644 :1 ${CONTENT}\n` : '\n',
    ];
    // Without the last line, for example after a crash, git ignores the whole input.
    const lines = ['feature done\n', ...(blob ?? []), ...commit, 'done\n'];
    try {
      await git(this.directory, ['fast-import', '--quiet', '--done'], joined(lines));
    } catch (error) {
      // Git refuses to replace a commit by one that is not its child.
      if (!(await this.edits([id])).has(id)) throw error;
    }
  }

  /** Returns the stored edits with these ids. */
  async edits(ids: readonly string[]): Promise<Map<string, StoredEdit>> {
    const found = await this.#objects(ids.map(id => REFS + id));
    return new Map(
      ids.flatMap((id, index) => {
        const commit = found[index]?.toString('utf8');
        if (commit === undefined) return [];
        const facts = JSON.parse(commit.slice(commit.indexOf('\n\n') + 2)) as EditFacts;
        return [[id, { ...facts, id }]];
      }),
    );
  }

  /** Returns the content of a file before an edit. @throws Error if it is deleted */
  async contentBefore(id: string): Promise<Uint8Array> {
    const [content] = await this.#objects([`${REFS}${id}:${CONTENT}`]);
    if (content === undefined) throw new Error('what was kept of it is gone');
    return content;
  }

  /** Ids of all edits, the oldest first. */
  async ids(): Promise<string[]> {
    const format = '--format=%(refname:lstrip=2)';
    const listed = await git(this.directory, ['for-each-ref', '--sort=committerdate', format, REFS]);
    return listed.toString('utf8').split('\n').filter(Boolean);
  }

  /** Deletes edits and frees their space. */
  async drop(ids: readonly string[]): Promise<void> {
    const lines = ids.map(id => `delete ${REFS}${id}\n`).join('');
    await git(this.directory, ['update-ref', '--stdin'], Buffer.from(lines));
    await this.pack();
  }

  /** Merges all packs into one, without objects that no edit needs. */
  async pack(): Promise<void> {
    await git(this.directory, ['repack', '-a', '-d', '-q']);
  }

  /** A process may be killed while git creates the repository. Of that, this directory is the last. */
  #isThere(): boolean {
    return existsSync(join(this.directory, 'objects/info'));
  }

  async #make(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    // Git then ignores the umask: it holds contents of files that only their owner may be able to read.
    await git(this.directory, ['init', '--bare', '--quiet', '--template=', '--shared=0600']);
  }

  /** Returns the contents of objects; undefined for names that do not exist. */
  async #objects(names: readonly string[]): Promise<(Buffer | undefined)[]> {
    // Git cannot run in a missing directory, which has no edits anyway.
    if (!this.#isThere()) return names.map(() => undefined);
    const output = await git(this.directory, ['cat-file', '--batch'], Buffer.from(`${names.join('\n')}\n`));
    let at = 0;
    return names.map(() => {
      const end = output.indexOf('\n', at);
      const [, , size] = output.toString('utf8', at, end).split(' ');
      at = end + 1;
      if (size === undefined) return undefined;
      const content = output.subarray(at, at + Number(size));
      at += Number(size) + 1;
      return content;
    });
  }
}

const joined = (parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));

/** No background processes, no later packing, and everything reported as stored is on the disk. */
const CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsync=all',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.logAllRefUpdates=false',
  // Each edit is stored as a separate pack, which no clean-up removes before its ref exists.
  'fastimport.unpackLimit=1',
];

/** An unresponsive disk must not block the edit forever. */
const GIT_TIMEOUT_MS = 60_000;

/**
 * Runs git on a shadow repository, which is independent of the user's repositories: it ignores their settings, hooks,
 * filters and variables.
 * @throws Error with git's message; ENOENT if git is not installed
 */
function git(directory: string, args: readonly string[], input?: Uint8Array): Promise<Buffer> {
  const child = spawn('git', [...CONFIG.flatMap(each => ['-c', each]), ...args], {
    cwd: directory,
    env: environmentFor(directory),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: GIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  child.on('error', reject);
  // If git ends early, it reports why; the broken input adds nothing.
  child.stdin.on('error', () => {});
  child.on('close', code => {
    const message = Buffer.concat(stderr).toString('utf8').trim();
    if (code === 0) resolve(Buffer.concat(stdout));
    else reject(new Error(`git ${args[0]}: ${message || (code ?? 'it took too long')}`));
  });
  child.stdin.end(input);
  return promise;
}

/** Passes on only the path to programs: variables such as GIT_DIR would lead to the user's repository. */
const environmentFor = (directory: string): NodeJS.ProcessEnv => ({
  ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
  ...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
  GIT_DIR: directory,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  HOME: directory,
  XDG_CONFIG_HOME: directory,
  LC_ALL: 'C',
});
