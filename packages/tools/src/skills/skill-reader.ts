/**
 * Finds skills in the folders of the settings and of working directories (SKILL-1). It looks at each turn, and reads a
 * file again only when its time or its size is another one.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import {
  type BrokenSkill,
  type FolderEntry,
  type FoundSkills,
  pathThere,
  type Skill,
  type SkillMachine,
  type SkillReader,
} from '@chat-kernel/kernel';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';
import { openFile, readPart } from '../machine/plain-file.ts';
import { filesBelow } from './files-below.ts';
import { MAX_BYTES, type ParsedSkill, parseSkill } from './parse-skill.ts';

/** The name of the file that makes a folder a skill. */
const FILE = 'SKILL.md';
/** The most skills of a folder that are looked at, and the most that are told. */
const MOST = 100;
/** The most files that are remembered. */
const KEPT = 1000;

interface SkillReaderOptions {
  /** Folders, the nearest last; relative ones are of working directories. */
  places: readonly string[];
  /** What of the kernel's machine is out of reach for a working directory. */
  paths: MachinePaths;
}
type Remembered = { mtime_ms: number; size: number; parsed: ParsedSkill | Error };
type Looked = FoundSkills & { skills: Skill[]; broken: BrokenSkill[] };

export class FolderSkills implements SkillReader {
  readonly #places: readonly string[];
  readonly #paths: MachinePaths;
  readonly #read = new Map<string, Remembered>();

  constructor({ places, paths }: SkillReaderOptions) {
    this.#places = places;
    this.#paths = paths;
  }

  async here(workdir: string | null): Promise<FoundSkills> {
    const found: Looked = { skills: [], broken: [] };
    for (const place of this.#places) {
      const own = isAbsolute(place);
      if (!own && workdir === null) continue;
      const folder = own ? place : join(workdir as string, place);
      add(found, await this.#folder(folder, own ? null : (workdir as string)));
    }
    return found;
  }

  async there(workdir: string, machine: SkillMachine): Promise<FoundSkills> {
    const found: Looked = { skills: [], broken: [] };
    for (const place of this.#places.filter(place => !isAbsolute(place))) {
      const folder = pathThere(workdir, place);
      add(found, await this.#remote(folder, await machine.listDir(folder), machine));
    }
    return found;
  }

  nearest(here: FoundSkills, there: FoundSkills): FoundSkills {
    const found: Looked = { skills: [...here.skills], broken: [...here.broken] };
    add(found, there);
    return found;
  }

  async filesOf({ files, path }: Skill): Promise<readonly string[]> {
    return files ?? (await filesBelow(path)).filter(file => file !== FILE);
  }

  /** @param workdir set where the folder belongs to a working directory, out of which nothing may lead */
  async #folder(folder: string, workdir: string | null): Promise<Looked> {
    const found: Looked = { skills: [], broken: [] };
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort().slice(0, MOST)) {
      const path = join(folder, name, FILE);
      try {
        const real = await this.#paths.existing(path).catch(error => {
          // The owner's own folders may lie with the kernel's data, where no tool may look.
          if (workdir === null) return realpath(path);
          throw error;
        });
        if (workdir !== null && !isWithin(real, await this.#paths.existing(workdir))) {
          throw new Error('it leads out of the working directory.');
        }
        const { mtimeMs, size } = await stat(real);
        const parsed = await this.#parsed(`server ${path}`, { mtime_ms: mtimeMs, size }, () => textOf(real));
        put(found, { ...parsed, path: join(folder, name), on: 'server', files: null });
      } catch (error) {
        if (!isMissing(error)) found.broken.push({ path, reason: (error as Error).message });
      }
    }
    return found;
  }

  async #remote(folder: string, entries: readonly FolderEntry[], machine: SkillMachine): Promise<Looked> {
    const found: Looked = { skills: [], broken: [] };
    const files = entries.filter(({ path, type }) => type === 'file' && /^[^/]+\/SKILL\.md$/.test(path));
    for (const entry of files.toSorted(byPath).slice(0, MOST)) {
      const path = pathThere(folder, entry.path);
      const name = entry.path.slice(0, -FILE.length - 1);
      try {
        const parsed = await this.#parsed(`client ${path}`, entry, () => machine.read(path));
        const inside = filesIn(entries, `${name}/`);
        put(found, { ...parsed, path: pathThere(folder, name), on: 'client', files: inside });
      } catch (error) {
        found.broken.push({ path, reason: (error as Error).message });
      }
    }
    return found;
  }

  /** @throws Error what is wrong with it */
  async #parsed(
    key: string,
    { mtime_ms, size }: Pick<FolderEntry, 'mtime_ms' | 'size'>,
    read: () => Promise<string>,
  ): Promise<ParsedSkill> {
    if (size > MAX_BYTES)
      throw new Error(`it has more than ${MAX_BYTES} bytes: move what is long into files beside it.`);
    let known = this.#read.get(key);
    if (known?.mtime_ms !== mtime_ms || known.size !== size) {
      const text = await read();
      known = { mtime_ms, size, parsed: tried(() => parseSkill(text)) };
      this.#read.delete(key);
      this.#read.set(key, known);
      if (this.#read.size > KEPT) this.#read.delete(this.#read.keys().next().value as string);
    }
    if (known.parsed instanceof Error) throw known.parsed;
    return known.parsed;
  }
}

/** Puts a skill of a folder in, unless another one there has its name. */
function put({ skills }: Looked, skill: Skill): void {
  const other = skills.find(({ name }) => name === skill.name);
  if (other !== undefined) throw new Error(`${other.path} has the name ${skill.name}, too.`);
  skills.push(skill);
}

/** Adds what was found nearer, which counts where a name is there already. */
function add(found: Looked, { skills, broken }: FoundSkills): void {
  const names = new Set(skills.map(({ name }) => name));
  const all = [...found.skills.filter(({ name }) => !names.has(name)), ...skills];
  found.skills = all.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST);
  found.broken.push(...broken);
}

const filesIn = (entries: readonly FolderEntry[], folder: string): string[] =>
  entries
    .filter(({ path, type }) => type === 'file' && path.startsWith(folder) && path !== `${folder}${FILE}`)
    .map(({ path }) => path.slice(folder.length))
    .sort();

async function textOf(path: string): Promise<string> {
  const file = await openFile(path);
  try {
    return (await readPart(file, 0, MAX_BYTES)).toString('utf8').toWellFormed();
  } finally {
    await file.close();
  }
}

function tried<Value>(work: () => Value): Value | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

const byPath = (a: FolderEntry, b: FolderEntry): number => (a.path < b.path ? -1 : 1);

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
