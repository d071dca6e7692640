/** Defines skills: folders with a SKILL.md, which describes to models how to do a kind of work (SKILL-1). */
import type { Skill as SkillShown } from '@chat-kernel/protocol';

export interface Skill extends SkillShown {
  /** The text of its SKILL.md after the front matter. */
  body: string;
  /** Its other files, as paths within its folder; null if they are listed on demand. */
  files: readonly string[] | null;
  /** Whether its folder belongs to a working directory, instead of the user's folders for all chats. */
  ofProject: boolean;
  /** The project's skill has replaced one of the user with the same name. */
  replacesOwn?: true;
}

/** A skill that a tool has opened, with the full paths of its other files. */
export type OpenedSkill = Pick<Skill, 'path' | 'on' | 'body'> & { files: readonly string[] };

/** An invalid SKILL.md, which is left out. */
export interface BrokenSkill {
  path: string;
  /** A sentence that says what to change. */
  reason: string;
}

/** The skills that were found, each name once. */
export interface FoundSkills {
  skills: readonly Skill[];
  broken: readonly BrokenSkill[];
}
