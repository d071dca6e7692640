/** Creates, reads, changes and lists chats. The changes that a turn makes to its chat are in `turn/`. */
import {
  type ChatPage,
  type CreateChat,
  invalidValue,
  KernelError,
  newChatSettings,
  type PatchChat,
} from '@chat-kernel/protocol';
import { checkCursor, isId, newId } from '../base/ids.ts';
import { unknownModelError } from '../model/choice.ts';
import {
  type ChatChanges,
  type ChatFilter,
  type ChatRecord,
  type ChatRef,
  type Clock,
  type Models,
  type Store,
  timestamp,
} from '../ports/index.ts';
import { editSummary } from './summary.ts';

/** The fields that a client may change. */
export type ChatPatch = PatchChat & Partial<Pick<ChatRecord, 'workdir' | 'workdir_on' | 'hands'>>;

export class Chats {
  readonly #store: Pick<Store, 'chats' | 'fleet'>;
  readonly #models: Models;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'chats' | 'fleet'>, models: Models, clock: Clock) {
    this.#store = store;
    this.#models = models;
    this.#clock = clock;
  }

  /** @throws KernelError unknown_model, invalid_value */
  async create(body: CreateChat): Promise<ChatRecord> {
    const chat = this.made(body);
    await this.#store.chats.create(chat);
    return chat;
  }

  /** A new chat that is not stored yet. @throws KernelError unknown_model */
  made(body: CreateChat): ChatRecord {
    this.#checkModel(body.model);
    checkHands(body);
    return newChat(body, { now: timestamp(this.#clock), home: homeKernelFor(body.workdir_on, this.#store) });
  }

  /** @throws KernelError not_found */
  async get(id: string): Promise<ChatRecord> {
    const chat = isId(id) ? await this.#store.chats.get(id) : undefined;
    if (chat === undefined) throw noChat(id);
    return chat;
  }

  /** Newest first. @throws KernelError malformed_cursor, unknown_cursor */
  async list(filter: ChatFilter): Promise<{ chats: ChatRecord[]; next_before: ChatPage['next_before'] }> {
    if (filter.before !== undefined) {
      checkCursor(filter.before, 'a chat id');
      if ((await this.#store.chats.get(filter.before)) === undefined) {
        throw new KernelError('unknown_cursor', `before: there is no chat ${filter.before}.`);
      }
    }
    const chats = await this.#store.chats.list(filter);
    return { chats, next_before: chats.at(-1)?.id ?? null };
  }

  /** @throws KernelError not_found, unknown_model, invalid_value */
  async patch(id: string, { summary, ...patch }: ChatPatch, chat: ChatRef = id): Promise<ChatRecord> {
    this.#checkModel(patch.model);
    checkHands(patch);
    const changes: ChatChanges = {
      ...patch,
      ...(patch.workdir_on !== undefined && { home: homeKernelFor(patch.workdir_on, this.#store) }),
      ...(summary !== undefined && editSummary(await this.get(id), summary)),
      updated_at: timestamp(this.#clock),
    };
    const changed = isId(id) ? await this.#store.chats.update(chat, changes) : undefined;
    if (changed === undefined) throw noChat(id);
    return changed;
  }

  #checkModel(model: string | null | undefined): void {
    if (typeof model === 'string' && this.#models.find(model) === undefined) {
      throw unknownModelError(model, this.#models, '/model');
    }
  }
}

/** Checks that only a client's machine is named as stand-by machine (HANDS-2). @throws KernelError invalid_value */
function checkHands({ hands, workdir_on }: Pick<ChatPatch, 'hands' | 'workdir_on'>): void {
  if (hands == null || workdir_on !== 'server') return;
  throw invalidValue(
    '/hands',
    'hands names a client machine, but workdir_on is server. Set workdir_on to client, or leave out hands.',
  );
}

export const noChat = (id: string): KernelError => new KernelError('not_found', `There is no chat ${id}.`);

/** The record of a new chat with the defaults of the API. @param now RFC 3339 @param home see `homeKernelFor` */
export const newChat = (
  body: CreateChat,
  { now, home }: { now: string; home: string | null },
): ChatRecord => ({
  ...newChatSettings(body),
  id: newId(),
  created_at: now,
  updated_at: now,
  last_message_at: null,
  workdir: body.workdir ?? null,
  workdir_on: body.workdir_on ?? 'client',
  hands: body.hands ?? null,
  home,
  forked_from: null,
  forked_at_message: null,
  summary: null,
  plan: [],
  notebook: '',
  notebook_at: null,
  prefix_tokens: 0,
  context_tokens: 0,
});

/** The home of a chat whose working directory was set by this kernel; null: it works on any kernel. */
export const homeKernelFor = (
  workdir_on: ChatRecord['workdir_on'] | undefined,
  { fleet }: Pick<Store, 'fleet'>,
): string | null => (workdir_on === 'server' ? (fleet?.name ?? null) : null);

/** Whether a chat works on the machine of another kernel. That kernel is unreachable: else it would own the chat. */
export const isHomeUnreachable = (
  { home }: Pick<ChatRecord, 'home'>,
  { fleet }: Pick<Store, 'fleet'>,
): boolean => fleet !== null && home !== null && home !== fleet.name;

/** The text for the model if a tool needs this machine. */
export const unreachableText = ({ home }: Pick<ChatRecord, 'home'>): string =>
  `This chat works on the machine ${home}, which is unreachable. Nothing was done; other tools still work.`;
