/** The skills of a chat: those of the kernel's machine, and those of its working directory, wherever that is (SKILL-1). */
import { KernelError, type SkillList } from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { oneLine } from '../base/one-line.ts';
import {
  type ChatRecord,
  type FoundSkills,
  OperationError,
  type Skill,
  type SkillMachine,
  type SkillReader,
  type Store,
} from '../ports/index.ts';

/** The most chats whose client's skills are remembered, for whoever cannot look. */
const REMEMBERED = 100;
const NONE: FoundSkills = { skills: [], broken: [] };

/** Where a turn may look for the skills of its working directory. */
type SkillSight = 'server' | SkillMachine | 'remembered' | 'none';

export class ChatSkills {
  readonly #reader: SkillReader | undefined;
  readonly #store: Pick<Store, 'chats'>;
  /** Chat → its working directory, and what was found there on a client's machine. */
  readonly #known = new Map<string, { workdir: string; found: FoundSkills }>();

  /** @param reader absent: there are no skills */
  constructor(reader: SkillReader | undefined, store: Pick<Store, 'chats'>) {
    this.#reader = reader;
    this.#store = store;
  }

  /** The skills of a turn, by name. */
  async of(chat: Pick<ChatRecord, 'id' | 'workdir'>, sight: SkillSight): Promise<FoundSkills> {
    if (this.#reader === undefined) return NONE;
    const here = await this.#reader.here(sight === 'server' ? chat.workdir : null);
    if (sight === 'server' || sight === 'none' || chat.workdir === null) return here;
    return this.#reader.nearest(here, await this.#there(chat.id, chat.workdir, sight, this.#reader));
  }

  /** As the API lists them. @param chatId absent: those that every chat has @throws KernelError not_found */
  async list(chatId?: string): Promise<SkillList> {
    const chat = chatId === undefined || !isId(chatId) ? undefined : await this.#store.chats.get(chatId);
    if (chatId !== undefined && chat === undefined) {
      throw new KernelError('not_found', `There is no chat ${chatId}.`);
    }
    const nowhere = { id: '', workdir: null };
    const { skills, broken } = await this.of(
      chat ?? nowhere,
      chat?.workdir_on === 'server' ? 'server' : 'remembered',
    );
    return {
      skills: skills.map(({ body: _, files: __, ...shown }) => shown),
      broken: [...broken],
    };
  }

  /** The other files of a skill, by their whole paths. */
  async filesOf(skill: Skill): Promise<string[]> {
    const separator = skill.path.includes('\\') && !skill.path.includes('/') ? '\\' : '/';
    const files = (await this.#reader?.filesOf(skill)) ?? [];
    return files.map(file => [skill.path, ...file.split('/')].join(separator));
  }

  forget(chatId: string): void {
    this.#known.delete(chatId);
  }

  async #there(
    chatId: string,
    workdir: string,
    sight: SkillMachine | 'remembered',
    reader: SkillReader,
  ): Promise<FoundSkills> {
    const known = this.#known.get(chatId);
    const remembered = known?.workdir === workdir ? known.found : NONE;
    if (sight === 'remembered') return remembered;
    try {
      const found = await reader.there(workdir, sight);
      this.#known.delete(chatId);
      this.#known.set(chatId, { workdir, found });
      if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value as string);
      return found;
    } catch (error) {
      // A client that cannot list folders has no skills; one that is silent keeps no turn from its work.
      if (error instanceof OperationError) return remembered;
      throw error;
    }
  }
}

/** The block of the prompt; undefined where there are none. The same skills give the same text. */
export function skillLines(skills: readonly Skill[]): string | undefined {
  if (skills.length === 0) return undefined;
  const lines = skills.map(({ name, description }) => `- ${name}: ${oneLine(description, MAX_TOLD)}`);
  return [
    '[skills]',
    'How kinds of work are done here. Open one with the tool skill before you begin such work:',
    ...lines,
  ].join('\n');
}

/** The most characters that a prompt has of a description. */
const MAX_TOLD = 500;
