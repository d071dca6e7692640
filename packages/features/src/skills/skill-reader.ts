/**
 * Finds skills in the folders of the settings and of working directories (SKILL-1). It checks for changes at each turn,
 * and reads a file again only if its time or size has changed.
 */
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { BoundedMap } from '@chat-kernel/base';
import { isWithin, type MachinePaths, openFile, readPart } from '@chat-kernel/hands/own-machine';
import { type FolderEntry, type FolderReader, pathThere } from '@chat-kernel/kernel';
import { MAX_BYTES, type ParsedSkill, parseSkill } from './parse-skill.ts';
import type { BrokenSkill, FoundSkills, Skill } from './records.ts';

/** The name of the file that makes a folder a skill. */
const FILE = 'SKILL.md';
/** The maximum number of skills read per folder, and of skills returned. */
const MAX_SKILLS = 100;
/** The maximum number of cached files. */
const MAX_CACHED_FILES = 1000;

interface SkillReaderOptions {
  /** Folders, the nearest last. Relative folders belong to working directories. */
  places: readonly string[];
  /** The paths of the kernel's machine that are not accessible from a working directory. */
  paths: MachinePaths;
}
type Remembered = { mtime_ms: number; size: number; parsed: ParsedSkill | Error };
type Looked = FoundSkills & { skills: Skill[]; broken: BrokenSkill[] };

export class FolderSkills {
  readonly #places: readonly string[];
  readonly #paths: MachinePaths;
  readonly #read = new BoundedMap<string, Remembered>(MAX_CACHED_FILES);

  constructor({ places, paths }: SkillReaderOptions) {
    this.#places = places;
    this.#paths = paths;
  }

  /** Skills of the kernel's machine. @param workdir a working directory there; null: none is searched */
  async here(workdir: string | null): Promise<FoundSkills> {
    const found: Looked = { skills: [], broken: [] };
    for (const place of this.#places) {
      const own = isAbsolute(place);
      // Most users have no such folders, and a task for the thread pool would delay each of their turns.
      if (own ? !existsSync(place) : workdir === null) continue;
      const folder = own ? place : join(workdir as string, place);
      add(found, await this.#folder(folder, own ? null : (workdir as string)));
    }
    return found;
  }

  /** Skills of a working directory on a client's machine. @throws OperationError if its client cannot list folders */
  async there(workdir: string, machine: FolderReader): Promise<FoundSkills> {
    const found: Looked = { skills: [], broken: [] };
    for (const place of this.#places.filter(place => !isAbsolute(place))) {
      const folder = pathThere(workdir, place);
      add(found, await this.#remote(folder, await machine.listDir(folder), machine));
    }
    return found;
  }

  /**
   * Merges both. If several skills share a name, the nearest counts, and a working directory is nearer than the folders
   * for all chats.
   */
  nearest(here: FoundSkills, there: FoundSkills): FoundSkills {
    const found: Looked = { skills: [...here.skills], broken: [...here.broken] };
    add(found, there);
    return found;
  }

  /** The other files of a skill, within its folder. */
  async filesOf({ files, path }: Skill): Promise<readonly string[]> {
    return files ?? (await filesBelow(path)).filter(file => file !== FILE);
  }

  /** @param workdir set if the folder belongs to a working directory, which paths must not leave */
  async #folder(folder: string, workdir: string | null): Promise<Looked> {
    const found: Looked = { skills: [], broken: [] };
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort().slice(0, MAX_SKILLS)) {
      const path = join(folder, name, FILE);
      try {
        const real = await this.#paths.existing(path).catch(error => {
          // The user's skill folders may be inside the kernel's data directory, which is closed to tools.
          if (workdir === null) return realpath(path);
          throw error;
        });
        if (workdir !== null && !isWithin(real, await this.#paths.existing(workdir))) {
          throw new Error('it is outside of the working directory.');
        }
        await this.#paths.refuseSecret(real);
        const { mtimeMs, size } = await stat(real);
        const parsed = await this.#parsed(`server ${path}`, { mtime_ms: mtimeMs, size }, () =>
          readText(real),
        );
        const ofProject = workdir !== null;
        put(found, { ...parsed, path: join(folder, name), on: 'server', files: null, ofProject });
      } catch (error) {
        if (!isMissing(error)) found.broken.push({ path, reason: (error as Error).message });
      }
    }
    return found;
  }

  async #remote(folder: string, entries: readonly FolderEntry[], machine: FolderReader): Promise<Looked> {
    const found: Looked = { skills: [], broken: [] };
    const files = entries.filter(({ path, type }) => type === 'file' && /^[^/]+\/SKILL\.md$/.test(path));
    for (const entry of files.toSorted(byPath).slice(0, MAX_SKILLS)) {
      const path = pathThere(folder, entry.path);
      const name = entry.path.slice(0, -FILE.length - 1);
      try {
        const parsed = await this.#parsed(`client ${path}`, entry, () => machine.read(path));
        const inside = filesIn(entries, `${name}/`);
        const place = { path: pathThere(folder, name), on: 'client', ofProject: true } as const;
        put(found, { ...parsed, ...place, files: inside });
      } catch (error) {
        found.broken.push({ path, reason: (error as Error).message });
      }
    }
    return found;
  }

  /** @throws Error a description of the mistake */
  async #parsed(
    key: string,
    { mtime_ms, size }: Pick<FolderEntry, 'mtime_ms' | 'size'>,
    read: () => Promise<string>,
  ): Promise<ParsedSkill> {
    if (size > MAX_BYTES)
      throw new Error(`it is larger than ${MAX_BYTES} bytes. Move long parts into files next to it.`);
    let known = this.#read.get(key);
    if (known?.mtime_ms !== mtime_ms || known.size !== size) {
      const text = await read();
      known = { mtime_ms, size, parsed: tried(() => parseSkill(text)) };
      this.#read.set(key, known);
    }
    if (known.parsed instanceof Error) throw known.parsed;
    return known.parsed;
  }
}

/** Adds a skill of a folder, unless another one in it has the same name. */
function put({ skills }: Looked, skill: Skill): void {
  const other = skills.find(({ name }) => name === skill.name);
  if (other !== undefined) throw new Error(`${other.path} also has the name ${skill.name}.`);
  skills.push(skill);
}

/** Adds the results of a nearer folder, which replace skills of the same name. */
function add(found: Looked, { skills, broken }: FoundSkills): void {
  const nearer = skills.map((skill): Skill => {
    const other = found.skills.find(({ name }) => name === skill.name);
    const replacesOwn = skill.ofProject && other !== undefined && (!other.ofProject || other.replacesOwn);
    return replacesOwn ? { ...skill, replacesOwn } : skill;
  });
  const names = new Set(skills.map(({ name }) => name));
  const all = [...found.skills.filter(({ name }) => !names.has(name)), ...nearer];
  found.skills = all.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_SKILLS);
  found.broken.push(...broken);
}

const filesIn = (entries: readonly FolderEntry[], folder: string): string[] =>
  entries
    .filter(({ path, type }) => type === 'file' && path.startsWith(folder) && path !== `${folder}${FILE}`)
    .map(({ path }) => path.slice(folder.length))
    .sort();

async function readText(path: string): Promise<string> {
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

const MAX_FILES = 100;
const DEEPEST = 4;

/** Returns paths within the folder, up to limits of depth and number. Omits links and everything that cannot be listed. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  for (let depth = 0; depth < DEEPEST && level.length > 0 && files.length < MAX_FILES; depth++) {
    const next: string[] = [];
    for (const inside of level) {
      const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (entry.isFile()) files.push(path);
        else if (entry.isDirectory()) next.push(path);
      }
    }
    level = next;
  }
  return files.sort().slice(0, MAX_FILES);
}
