/** Tracks the chats that this kernel owns if several kernels share a database, with their epochs (FLEET-2). */
import { KernelError } from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import { KeyedQueue } from '../base/keyed-queue.ts';
import type { Clock, FleetStore, HeldChat, KernelRecord, OwnedChat } from '../ports/index.ts';

/** A chat that was not requested for this long is released, unless something in it is in progress. */
const KEEP_MS = 5 * 60_000;

/** Another kernel and its address. */
export type OtherKernel = Pick<KernelRecord, 'id' | 'url'>;

/** The operations on turns that their owner needs to adopt and release chats. */
interface Keeper {
  /** Continues the open turns of a chat that is now owned. */
  adopt(chatId: string): Promise<void>;
  /** Drops a chat that now belongs to another kernel; its turns end without an event. */
  lose(chatId: string): void;
  /** Whether nothing of a chat is in progress and it has no followers. */
  isIdle(chatId: string): boolean;
  /** Whether it has turns of a chat that have not ended in the store. */
  hasTurns(chatId: string): boolean;
}

interface Owned {
  epoch: number;
  /** False while its open turns are being restored. */
  isReady: boolean;
  asked_at: number;
}

export class Ownership {
  readonly #store: FleetStore | null;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #owned = new Map<string, Owned>();
  readonly #inTurn = new KeyedQueue();
  /** Chats with open turns that were not in memory at the last check of the database. */
  #astray: ReadonlySet<string> = new Set();
  #keeper: Keeper | undefined;
  #refuses = false;

  /** @param store null: no other kernel uses the database, so all chats belong to this kernel */
  constructor(store: FleetStore | null, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The number of chats that this kernel owns; 0 if no other kernel uses the database. */
  get size(): number {
    return this.#owned.size;
  }

  /** Called once, before the first request for a chat. */
  keptBy(keeper: Keeper): void {
    this.#keeper = keeper;
  }

  /** Stops taking chats. */
  refuse(): void {
    this.#refuses = true;
  }

  /** Whether the state of a chat in memory is that of its owner. */
  has(chatId: string): boolean {
    return this.#store === null || this.#owned.get(chatId)?.isReady === true;
  }

  /**
   * The chat for all writes of a turn, or of other work, that begins now.
   * @throws KernelError kernel_away if the chat no longer belongs to this kernel
   */
  hold(chatId: string): HeldChat {
    if (this.#store === null) return { chat_id: chatId, epoch: undefined };
    const owned = this.#owned.get(chatId);
    if (owned === undefined)
      throw new KernelError('kernel_away', 'The chat has moved to another kernel. Try again.');
    return { chat_id: chatId, epoch: owned.epoch };
  }

  /** Records a chat that was created on this kernel. */
  made(chatId: string): void {
    if (this.#store !== null) this.#note({ chat_id: chatId, epoch: 1 }, true);
  }

  /** Reverts `made` for a chat that could not be stored. */
  unmade(chatId: string): void {
    if (this.#owned.has(chatId)) this.#lose(chatId);
  }

  /**
   * The living kernel that owns a chat; null if it is this kernel, which takes the chat if needed.
   * @throws KernelError kernel_away if no kernel can own it now
   */
  place(chatId: string): Promise<OtherKernel | null> | null {
    if (this.#store === null || !isId(chatId)) return null;
    const owned = this.#owned.get(chatId);
    if (!owned?.isReady) return this.#inTurn.run(chatId, () => this.#take(chatId));
    owned.asked_at = this.#clock.now();
    return null;
  }

  /** Continues the open turns of a chat that was taken. */
  adopt(chat: OwnedChat): Promise<void> {
    return this.#inTurn.run(chat.chat_id, () => this.#adopt(chat));
  }

  /** Handles the refusal of a write. Ignored if the chat has been taken again since it was held. */
  refused({ chat_id, epoch }: HeldChat): void {
    if (this.#owned.get(chat_id)?.epoch === epoch) this.#lose(chat_id);
  }

  /** Drops the chats that were taken by others while they considered this kernel dead. */
  async check(): Promise<void> {
    const all = this.#all();
    if (this.#store === null || all.length === 0) return;
    const still = new Set((await this.#store.stillOwned(all)).map(({ chat_id }) => chat_id));
    for (const chat of all) if (!still.has(chat.chat_id)) this.refused(chat);
  }

  /**
   * Restores turns that belong to this kernel only in the database: the response to a write was lost that took their
   * chat, stored them, or released the chat. A chat must be found twice, because a turn may be in the middle of its
   * start.
   */
  async findAstray(): Promise<void> {
    if (this.#store === null || this.#refuses) return;
    const astray = (await this.#store.openChats()).filter(id => this.#isAstray(id));
    const again = astray.filter(id => this.#astray.has(id));
    this.#astray = new Set(astray);
    for (const id of again) await this.#inTurn.run(id, () => this.#takeAgain(id));
  }

  /**
   * Releases the chats that were not requested recently, so that the kernel that gets the next request can own them.
   */
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
    // The handler of the request reports that there is no such chat.
    if (owner === undefined) return null;
    if (owner.other !== undefined) return owner.other;
    await this.#adopt({ chat_id: chatId, epoch: owner.epoch });
    return null;
  }

  async #other(chatId: string): Promise<OtherKernel> {
    const other = await this.#store?.otherOwner(chatId);
    if (other) return other;
    throw new KernelError('kernel_away', 'This kernel is shutting down and accepts no chats. Try again.');
  }

  async #adopt(chat: OwnedChat): Promise<void> {
    const known = this.#owned.get(chat.chat_id);
    // The chat may have been requested and taken again in between.
    if (known !== undefined && known.epoch >= chat.epoch) return;
    if (known !== undefined) this.#lose(chat.chat_id);
    const owned = this.#note(chat, false);
    try {
      await this.#keeper?.adopt(chat.chat_id);
      owned.isReady = true;
    } catch (error) {
      this.#lose(chat.chat_id);
      // Release it so that this or another kernel can try again.
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
