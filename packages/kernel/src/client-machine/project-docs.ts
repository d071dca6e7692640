/**
 * The [project] block of the prompt: where the chat works, and the files by which its project speaks to models
 * (OP-11, TURN-5).
 */
import { cutText, renderSections, type Section } from '@chat-kernel/protocol';
import {
  type ChatRecord,
  type Level,
  OperationError,
  type ProjectFiles,
  Unanswered,
} from '../ports/index.ts';
import { pathThere } from './client-path.ts';

/** The files that are looked for at each level, in this order. */
const NAMES = ['AGENTS.md', '.service/MEMORY.md'] as const;
/** Limits in characters, of one file and of all of them; the nearest files are kept. */
const MAX_FILE_CHARS = 32_000;
const MAX_CHARS = 64_000;
const MAX_LEVELS = 100;
/** A path that is longer exists on no system. */
const MAX_PATH_CHARS = 32_768;
/** The most chats whose block is remembered, for turns that cannot look. */
const REMEMBERED = 100;

interface Known {
  place: string;
  sections: string;
}

/** The machine where a turn may look. `remembered` takes what was last seen there, `none` looks at nothing. */
type ProjectView = ProjectFiles | 'remembered' | 'none';

export class Projects {
  readonly #known = new Map<string, Known>();

  /**
   * The block; undefined where the chat has no working directory. The same files give the same text, so that the
   * prompt keeps its prefix.
   * @param standby the name of the machine that stands by, where that is the client's
   */
  async blockFor(chat: ChatRecord, sight: ProjectView, standby?: string): Promise<string | undefined> {
    const { id, workdir, workdir_on } = chat;
    if (workdir === null) return undefined;
    const place = JSON.stringify([workdir_on, standby, workdir]);
    const users = standby === undefined ? "the user's machine" : `the user's machine ${standby}`;
    const machine = workdir_on === 'server' ? "the kernel's machine" : users;
    const opening = `[project]\nThe working directory is ${workdir}, on ${machine}.`;
    const sections = sight === 'none' ? '' : await this.#sections(id, place, workdir, sight);
    if (sections === '') return opening;
    return `${opening} The files of the project that speak to you, the nearest last:\n\n${sections}`;
  }

  forget(chatId: string): void {
    this.#known.delete(chatId);
  }

  async #sections(
    chatId: string,
    place: string,
    workdir: string,
    sight: Exclude<ProjectView, 'none'>,
  ): Promise<string> {
    const known = this.#known.get(chatId);
    const remembered = known?.place === place ? known.sections : '';
    if (sight === 'remembered') return remembered;
    try {
      const sections = await look(workdir, sight);
      this.#known.delete(chatId);
      this.#known.set(chatId, { place, sections });
      if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value as string);
      return sections;
    } catch (error) {
      // A client that does not answer must not keep the turn from its work.
      if (error instanceof OperationError) return remembered;
      throw error;
    }
  }
}

async function look(workdir: string, files: ProjectFiles): Promise<string> {
  const levels = (await files.listUp(workdir, NAMES)).slice(0, MAX_LEVELS).reverse();
  const sections: Section[] = [];
  for (const path of pathsOf(levels)) {
    const section = await sectionOf(path, files);
    if (section !== null) sections.push(section);
  }
  let left = MAX_CHARS;
  for (const section of sections.toReversed()) {
    const shown = cutText(section.content, Math.min(left, MAX_FILE_CHARS));
    left -= shown.length;
    if (shown !== section.content) section.content = `${shown}\n[cut here: read the file for the rest]`;
  }
  return renderSections(sections);
}

/** Null: the file is empty, or cannot be read. @throws Unanswered, for the next file would wait as long */
async function sectionOf(path: string, files: ProjectFiles): Promise<Section | null> {
  try {
    const content = (await files.read(path)).toWellFormed().trim();
    return content === '' ? null : { title: path, content };
  } catch (error) {
    if (!(error instanceof OperationError) || error instanceof Unanswered) throw error;
    return null;
  }
}

/** The paths of files to read: only names that were looked for count, whatever a client says it found. */
const pathsOf = (levels: readonly Level[]): string[] =>
  levels
    .filter(({ dir }) => dir.length <= MAX_PATH_CHARS)
    .flatMap(({ dir, found }) =>
      NAMES.filter(name => found.includes(name)).map(name => pathThere(dir, name)),
    );
