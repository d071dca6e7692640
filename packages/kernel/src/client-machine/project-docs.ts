/**
 * Builds the [project] block of the prompt: the working directory of the chat, and the files with instructions of its
 * project for models (OP-11, TURN-5).
 */
import { BoundedMap } from '@chat-kernel/base';
import { renderSections, type Section } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import {
  type ChatRecord,
  type Level,
  OperationError,
  type ProjectFiles,
  Unanswered,
} from '../ports/index.ts';
import { isWithinThere, pathThere } from './client-path.ts';

/** The file names to look for at each level, in this order. */
const NAMES = ['AGENTS.md', '.service/MEMORY.md'] as const;
/** Limits in characters for one file and for all of them; the nearest files are kept. */
const MAX_FILE_CHARS = 32_000;
const MAX_CHARS = 64_000;
const MAX_LEVELS = 100;
/** No operating system permits a longer path. */
const MAX_PATH_CHARS = 32_768;
/** The maximum number of chats whose block is cached, for turns that cannot read the files. */
const MAX_CACHED_CHATS = 100;

interface Known {
  place: string;
  docs: ProjectDocs;
}

interface ProjectDocs {
  sections: string;
  /** The directories that contain the files. */
  dirs: readonly string[];
}

const NO_DOCS: ProjectDocs = { sections: '', dirs: [] };

export interface ProjectBlock {
  text: string;
  /** The directories of the instruction files in it, whose authors may be others than the owner (CONSENT-4). */
  dirs: readonly string[];
}

/** The machine whose files a turn may read. `remembered` uses the last known content, `none` reads nothing. */
type ProjectView = ProjectFiles | 'remembered' | 'none';

export class Projects {
  readonly #known = new BoundedMap<string, Known>(MAX_CACHED_CHATS);

  /**
   * The block; undefined if the chat has no working directory. The same files give the same text, so that the prompt
   * keeps its prefix.
   * @param standby the name of the stand-by machine, if the client's machine is one
   */
  async blockFor(chat: ChatRecord, sight: ProjectView, standby?: string): Promise<ProjectBlock | undefined> {
    const { id, workdir, workdir_on } = chat;
    if (workdir === null) return undefined;
    const place = JSON.stringify([workdir_on, standby, workdir]);
    const users = standby === undefined ? "the user's machine" : `the user's machine ${standby}`;
    const machine = workdir_on === 'server' ? "the kernel's machine" : users;
    const opening = `[project]\nThe working directory is ${workdir}, on ${machine}.`;
    const { sections, dirs } = sight === 'none' ? NO_DOCS : await this.#docs(id, place, workdir, sight);
    if (sections === '') return { text: opening, dirs: [] };
    const text = `${opening} Instruction files of the project, the most specific last:\n\n${sections}`;
    return { text, dirs };
  }

  forget(chatId: string): void {
    this.#known.delete(chatId);
  }

  async #docs(
    chatId: string,
    place: string,
    workdir: string,
    sight: Exclude<ProjectView, 'none'>,
  ): Promise<ProjectDocs> {
    const known = this.#known.get(chatId);
    const remembered = known?.place === place ? known.docs : NO_DOCS;
    if (sight === 'remembered') return remembered;
    try {
      const docs = await look(workdir, sight);
      this.#known.set(chatId, { place, docs });
      return docs;
    } catch (error) {
      // A client that does not answer must not prevent the turn from running.
      if (error instanceof OperationError) return remembered;
      throw error;
    }
  }
}

/**
 * The sources of instruction files and skills of projects (CONSENT-4): a cloned repository brings those of its authors.
 * @param trusted the directories whose files count as the owner's words
 */
export const projectSources = (dirs: readonly string[], trusted: readonly string[]): string[] =>
  [...new Set(dirs)]
    .filter(dir => !trusted.some(each => isWithinThere(each, dir)))
    .map(dir => `project:${dir}`);

async function look(workdir: string, files: ProjectFiles): Promise<ProjectDocs> {
  const levels = (await files.listUp(workdir, NAMES)).slice(0, MAX_LEVELS).reverse();
  const sections: Section[] = [];
  const dirs = new Set<string>();
  for (const { dir, path } of listPaths(levels)) {
    const section = await readSection(path, files);
    if (section === null) continue;
    sections.push(section);
    dirs.add(dir);
  }
  let left = MAX_CHARS;
  for (const section of sections.toReversed()) {
    const shown = cutText(section.content, Math.min(left, MAX_FILE_CHARS));
    left -= shown.length;
    if (shown !== section.content) section.content = `${shown}\n[truncated: read the file for the rest]`;
  }
  return { sections: renderSections(sections), dirs: [...dirs] };
}

/** Null: the file is empty or cannot be read. @throws Unanswered, because the next file would wait as long */
async function readSection(path: string, files: ProjectFiles): Promise<Section | null> {
  try {
    const content = (await files.read(path)).toWellFormed().trim();
    return content === '' ? null : { title: path, content };
  } catch (error) {
    if (!(error instanceof OperationError) || error instanceof Unanswered) throw error;
    return null;
  }
}

/** The paths of files to read: only requested names count, whatever a client reports. */
const listPaths = (levels: readonly Level[]): { dir: string; path: string }[] =>
  levels
    .filter(({ dir }) => dir.length <= MAX_PATH_CHARS)
    .flatMap(({ dir, found }) =>
      NAMES.filter(name => found.includes(name)).map(name => ({ dir, path: pathThere(dir, name) })),
    );
