/**
 * The shadow repository of one chat: of each edit of a file a commit under a ref of its own, which has the file as it was
 * before, and in its message what is known of the edit. All of it is there, or nothing.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';

/** What is known of an edit. */
interface EditFacts {
  /** The real path of the file. */
  path: string;
  /** SHA-256 of the file before and after; null: there was none. */
  before: string | null;
  after: string;
  /** The rights before, such as 0o644. */
  mode?: number;
  /** The content before is not kept, for this reason. */
  not_kept?: string;
}

export interface KeptEdit extends EditFacts {
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
   * Keeps an edit that is about to be made. Where its id is kept already, by a process that was killed before it made the
   * edit, or told of it, that stays: it is the older state of the file.
   * @param content of the file before, where it is kept
   */
  async keep(id: string, facts: EditFacts, content: Uint8Array | null): Promise<void> {
    // The first time also finishes a repository whose making was cut; later it may have been removed to make room.
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
    // Without its last line, as where this process was killed, nothing of the input counts.
    const lines = ['feature done\n', ...(blob ?? []), ...commit, 'done\n'];
    try {
      await git(this.directory, ['fast-import', '--quiet', '--done'], joined(lines));
    } catch (error) {
      // Git does not put a commit in the place of one that is not its parent.
      if (!(await this.edits([id])).has(id)) throw error;
    }
  }

  /** The edits of these ids, as far as they are here. */
  async edits(ids: readonly string[]): Promise<Map<string, KeptEdit>> {
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

  /** The content of a file before an edit. @throws Error where it is gone */
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

  /** Forgets edits, and frees their room. */
  async drop(ids: readonly string[]): Promise<void> {
    const lines = ids.map(id => `delete ${REFS}${id}\n`).join('');
    await git(this.directory, ['update-ref', '--stdin'], Buffer.from(lines));
    await this.pack();
  }

  /** Makes one pack of all, without what no edit has any more. */
  async pack(): Promise<void> {
    await git(this.directory, ['repack', '-a', '-d', '-q']);
  }

  #isThere(): boolean {
    return existsSync(join(this.directory, 'HEAD'));
  }

  async #make(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await git(this.directory, ['init', '--bare', '--quiet', '--template=']);
  }

  /** The contents of objects; undefined where there is none of a name. */
  async #objects(names: readonly string[]): Promise<(Buffer | undefined)[]> {
    // Nothing was ever kept here, and a directory that is not there cannot be worked in.
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
