/** Skills: folders with a SKILL.md, by which their owner tells models how a kind of work is done (SKILL-1). */
import type { Skill as SkillShown } from '@chat-kernel/protocol';

export interface Skill extends SkillShown {
  /** The text of its SKILL.md behind the front matter. */
  body: string;
  /** Its other files, as paths within its folder; null: they are looked for when they are wanted. */
  files: readonly string[] | null;
}

/** A skill as a tool opens it, with its other files by their whole paths. */
export type OpenedSkill = Pick<Skill, 'path' | 'on' | 'body'> & { files: readonly string[] };

/** A SKILL.md that is left out. */
export interface BrokenSkill {
  path: string;
  /** A sentence that says what to change. */
  reason: string;
}

/** What was found, each name once. */
export interface FoundSkills {
  skills: readonly Skill[];
  broken: readonly BrokenSkill[];
}

/** An entry of a folder. */
export interface FolderEntry {
  /** Within the folder, with slashes. */
  path: string;
  type: 'file' | 'directory';
  /** In bytes. */
  size: number;
  /** When it was last changed, in milliseconds since 1970. */
  mtime_ms: number;
}

/** A client's machine, where skills of a working directory are. Both throw OperationError. */
export interface SkillMachine {
  /** All that is in the folder, what lies deeper last, and not more than a thousand entries. */
  listDir(path: string): Promise<FolderEntry[]>;
  read(path: string): Promise<string>;
}

/** The reader of skills. What has not changed since is not read again. */
export interface SkillReader {
  /** Skills of the kernel's machine. @param workdir a working directory there; null: none is looked into */
  here(workdir: string | null): Promise<FoundSkills>;
  /** Skills of a working directory on a client's machine. @throws OperationError where its client cannot list folders */
  there(workdir: string, machine: SkillMachine): Promise<FoundSkills>;
  /** Both as one: of a name the nearest counts, and a working directory is nearer than what is set for all chats. */
  nearest(here: FoundSkills, there: FoundSkills): FoundSkills;
  /** The other files of a skill, within its folder. */
  filesOf(skill: Skill): Promise<readonly string[]>;
}
