/** The chats that this kernel owns, where several share a database, and by which epochs (FLEET-2). */
import { KernelError } from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { PerKey } from '../base/keyed-queue.ts';
import type { Clock, FleetStore, KernelRecord, OwnedChat } from '../ports/index.ts';

/** A chat that was not asked for in so long goes back, unless something in it is under way. */
const KEEP_MS = 5 * 60_000;

/** Another kernel, and where it is reached. */
export type OtherKernel = Pick<KernelRecord, 'id' | 'url'>;

/** The turns of chats, as far as their owner has to take them up and let them go. */
interface Keeper {
  /** Goes on with the open turns of a chat that is now owned. */
  adopt(chatId: string): Promise<void>;
  /** Forgets a chat that belongs to another kernel by now; its turns end without a word. */
  lose(chatId: string): void;
  /** Whether nothing of a chat is under way, and nobody follows it. */
  isIdle(chatId: string): boolean;
  /** Whether it has turns of a chat that have not ended in the store. */
  hasTurns(chatId: string): boolean;
}

interface Owned {
  epoch: number;
  /** False while its open turns are being taken up. */
  isReady: boolean;
  asked_at: number;
}

export class Ownership {
  readonly #store: FleetStore | null;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #owned = new Map<string, Owned>();
  readonly #inTurn = new PerKey();
  /** Chats with open turns that were nobody's in memory when the database was last looked at. */
  #astray: ReadonlySet<string> = new Set();
  #keeper: Keeper | undefined;
  #refuses = false;

  /** @param store null: no other kernel has the database, so that all chats are this kernel's */
  constructor(store: FleetStore | null, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Chats that this kernel owns; 0 where no other kernel has the database. */
  get size(): number {
    return this.#owned.size;
  }

  /** Called once, before any chat is asked for. */
  keptBy(keeper: Keeper): void {
    this.#keeper = keeper;
  }

  /** Takes no chats any more. */
  refuse(): void {
    this.#refuses = true;
  }

  /** Whether the state of a chat in memory is that of its owner. */
  has(chatId: string): boolean {
    return this.#store === null || this.#owned.get(chatId)?.isReady === true;
  }

  /**
   * The epoch for the writes of a turn that begins; undefined where no other kernel has the database.
   * @throws KernelError kernel_away where the chat is not this kernel's any more
   */
  epochOf(chatId: string): number | undefined {
    if (this.#store === null) return undefined;
    const owned = this.#owned.get(chatId);
    if (owned === undefined)
      throw new KernelError('kernel_away', 'The chat has another owner by now: try again.');
    return owned.epoch;
  }

  /** Notes a chat that was made here. */
  made(chatId: string): void {
    if (this.#store !== null) this.#note({ chat_id: chatId, epoch: 1 }, true);
  }

  /** Takes `made` back, for a chat that could not be stored. */
  unmade(chatId: string): void {
    if (this.#owned.has(chatId)) this.#lose(chatId);
  }

  /**
   * The kernel to which a chat belongs, where that is another one that lives; null where it is this one, which takes
   * it if need be.
   * @throws KernelError kernel_away where nobody can have it now
   */
  place(chatId: string): Promise<OtherKernel | null> | null {
    if (this.#store === null || !isId(chatId)) return null;
    const owned = this.#owned.get(chatId);
    if (!owned?.isReady) return this.#inTurn.run(chatId, () => this.#take(chatId));
    owned.asked_at = this.#clock.now();
    return null;
  }

  /** Goes on with the open turns of a chat that was taken. */
  adopt(chat: OwnedChat): Promise<void> {
    return this.#inTurn.run(chat.chat_id, () => this.#adopt(chat));
  }

  /** A write of this epoch was refused. Does nothing where the chat has come back since. */
  refused(chatId: string, epoch: number | undefined): void {
    if (this.#owned.get(chatId)?.epoch === epoch) this.#lose(chatId);
  }

  /** Lets go of the chats that were taken while this kernel was taken for dead. */
  async check(): Promise<void> {
    const all = this.#all();
    if (this.#store === null || all.length === 0) return;
    const still = new Set((await this.#store.stillOwned(all)).map(({ chat_id }) => chat_id));
    for (const { chat_id, epoch } of all) if (!still.has(chat_id)) this.refused(chat_id, epoch);
  }

  /**
   * Goes on with turns that are this kernel's by the database alone: the answer to a write got lost that took their chat,
   * or stored them, or gave it back. A chat counts once it was found so twice: a turn may just be on its way.
   */
  async findAstray(): Promise<void> {
    if (this.#store === null || this.#refuses) return;
    const astray = (await this.#store.openChats()).filter(id => this.#isAstray(id));
    const again = astray.filter(id => this.#astray.has(id));
    this.#astray = new Set(astray);
    for (const id of again) await this.#inTurn.run(id, () => this.#takeAgain(id));
  }

  /** Gives back the chats that nobody has asked for lately, so that they go where they are asked for next. */
  async giveBack(): Promise<void> {
    if (this.#store === null) return;
    const before = this.#clock.now() - KEEP_MS;
    const quiet = ({ chat_id }: OwnedChat) =>
      (this.#owned.get(chat_id)?.asked_at ?? before) < before && this.#keeper?.isIdle(chat_id) !== false;
    const idle = this.#all().filter(quiet);
    for (const { chat_id } of idle) this.#lose(chat_id);
    if (idle.length > 0) await this.#store.release(idle);
  }

  #isAstray(chatId: string): boolean {
    const owned = this.#owned.get(chatId);
    return owned === undefined || (owned.isReady && this.#keeper?.hasTurns(chatId) === false);
  }

  async #takeAgain(chatId: string): Promise<void> {
    if (!this.#isAstray(chatId)) return;
    if (this.#owned.has(chatId)) this.#lose(chatId);
    await this.#take(chatId);
  }

  async #take(chatId: string): Promise<OtherKernel | null> {
    if (this.has(chatId)) return null;
    if (this.#refuses) return this.#other(chatId);
    const owner = await this.#store?.take(chatId);
    // Whoever handles the request says that there is no such chat.
    if (owner === undefined) return null;
    if (owner.other !== undefined) return owner.other;
    await this.#adopt({ chat_id: chatId, epoch: owner.epoch });
    return null;
  }

  async #other(chatId: string): Promise<OtherKernel> {
    const other = await this.#store?.otherOwner(chatId);
    if (other) return other;
    throw new KernelError('kernel_away', 'This kernel is shutting down, and takes no chats: try again.');
  }

  async #adopt(chat: OwnedChat): Promise<void> {
    const known = this.#owned.get(chat.chat_id);
    // It may have been asked for between the two, and been taken once more.
    if (known !== undefined && known.epoch >= chat.epoch) return;
    if (known !== undefined) this.#lose(chat.chat_id);
    const owned = this.#note(chat, false);
    try {
      await this.#keeper?.adopt(chat.chat_id);
      owned.isReady = true;
    } catch (error) {
      this.#lose(chat.chat_id);
      // Nobody's again, so that it is tried again, here or elsewhere.
      await this.#store?.release([chat]);
      throw error;
    }
  }

  #note({ chat_id, epoch }: OwnedChat, isReady: boolean): Owned {
    const owned = { epoch, isReady, asked_at: this.#clock.now() };
    this.#owned.set(chat_id, owned);
    return owned;
  }

  #lose(chatId: string): void {
    this.#owned.delete(chatId);
    this.#keeper?.lose(chatId);
  }

  #all(): OwnedChat[] {
    return [...this.#owned].map(([chat_id, { epoch }]) => ({ chat_id, epoch }));
  }
}
