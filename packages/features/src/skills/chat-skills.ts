/**
 * Finds the skills of a chat: those of the kernel's machine, and those of its working directory on any machine
 * (SKILL-1).
 */
import { BoundedMap } from '@chat-kernel/base';
import {
  type ChatRecord,
  type FolderReader,
  isId,
  OperationError,
  oneLine,
  type PromptSection,
  type PromptTurn,
  type Store,
  type TurnKey,
  type WorkdirView,
} from '@chat-kernel/kernel';
import type { SkillList } from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';
import type { FoundSkills, OpenedSkill, Skill } from './records.ts';
import type { FolderSkills } from './skill-reader.ts';

/** The number of chats whose client skills are cached, for requests that cannot read the client's machine. */
const MAX_CACHED_CHATS = 100;
const NONE: FoundSkills = { skills: [], broken: [] };

export class ChatSkills {
  readonly #reader: FolderSkills;
  readonly #store: Pick<Store, 'chats'>;
  /** Chat → its working directory, and the skills found there on a client's machine. */
  readonly #known = new BoundedMap<string, { workdir: string; found: FoundSkills }>(MAX_CACHED_CHATS);
  /** The skills in the prompt of each turn, which its model can open. */
  readonly #ofTurns = new WeakMap<TurnKey, readonly Skill[]>();

  constructor(reader: FolderSkills, store: Pick<Store, 'chats'>) {
    this.#reader = reader;
    this.#store = store;
  }

  /** Finds the skills of the turn and returns the block of the prompt; undefined if there are none. */
  async promptSection({ key, chat, view }: PromptTurn): Promise<PromptSection | undefined> {
    const { skills } = await this.#find(chat, view);
    this.#ofTurns.set(key, skills);
    const text = skillLines(skills);
    if (text === undefined) return undefined;
    const { workdir } = chat;
    const isForeign = workdir !== null && skills.some(({ ofProject }) => ofProject);
    return { text, ...(isForeign && { projects: [workdir] }) };
  }

  /** Opens a skill of the turn. @throws Error a sentence for the model: no skill has this name */
  async open(name: string, turn: TurnKey): Promise<OpenedSkill> {
    const skills = this.#ofTurns.get(turn) ?? [];
    const skill = skills.find(each => each.name === name);
    if (skill !== undefined) return { ...skill, files: await this.#filesOf(skill) };
    throw new Error(
      `there is no skill ${name}. Skills: ${skills.map(each => each.name).join(', ') || 'none'}`,
    );
  }

  /** Lists skills for the API. @param chatId absent: only the skills of all chats @throws KernelError not_found */
  async list(chatId?: string): Promise<SkillList> {
    const chat = chatId === undefined || !isId(chatId) ? undefined : await this.#store.chats.get(chatId);
    if (chatId !== undefined && chat === undefined) {
      throw new KernelError('not_found', `There is no chat ${chatId}.`);
    }
    const nowhere = { id: '', workdir: null };
    const { skills, broken } = await this.#find(
      chat ?? nowhere,
      chat?.workdir_on === 'server' ? 'server' : 'remembered',
    );
    return {
      skills: skills.map(({ name, description, path, on }) => ({ name, description, path, on })),
      broken: [...broken],
    };
  }

  /** The other files of a skill, with full paths. */
  async #filesOf(skill: Skill): Promise<string[]> {
    const separator = skill.path.includes('\\') && !skill.path.includes('/') ? '\\' : '/';
    const files = await this.#reader.filesOf(skill);
    return files.map(file => [skill.path, ...file.split('/')].join(separator));
  }

  forget(chatId: string): void {
    this.#known.delete(chatId);
  }

  /** The skills of a chat, by name. */
  async #find(chat: Pick<ChatRecord, 'id' | 'workdir'>, view: WorkdirView): Promise<FoundSkills> {
    const here = await this.#reader.here(view === 'server' ? chat.workdir : null);
    if (view === 'server' || view === 'none' || chat.workdir === null) return here;
    return this.#reader.nearest(here, await this.#there(chat.id, chat.workdir, view));
  }

  async #there(chatId: string, workdir: string, view: FolderReader | 'remembered'): Promise<FoundSkills> {
    const known = this.#known.get(chatId);
    const remembered = known?.workdir === workdir ? known.found : NONE;
    if (view === 'remembered') return remembered;
    try {
      const found = await this.#reader.there(workdir, view);
      this.#known.set(chatId, { workdir, found });
      return found;
    } catch (error) {
      // A client that cannot list folders has no skills; one that does not answer must not block the turn.
      if (error instanceof OperationError) return remembered;
      throw error;
    }
  }
}

/** The same skills produce the same text. */
function skillLines(skills: readonly Skill[]): string | undefined {
  if (skills.length === 0) return undefined;
  const lines = skills.map(
    skill => `- ${skill.name}: ${oneLine(skill.description, MAX_TOLD)}${describeOrigin(skill)}`,
  );
  return [
    '[skills]',
    'Instructions for kinds of work. Before you start such work, open its skill with the skill tool:',
    ...lines,
  ].join('\n');
}

/** Marks skills of a project: its authors wrote them, and the user may not know them. */
function describeOrigin({ ofProject, replacesOwn }: Skill): string {
  if (!ofProject) return '';
  return replacesOwn ? " [from the project, replaces the user's own skill]" : ' [from the project]';
}

/** The maximum length of a description in the prompt, in characters. */
const MAX_TOLD = 500;
