/**
 * Implements the membership of this kernel among those on its database: which chats it owns, and what it does for other
 * kernels.
 */
import { v4 as uuidv4 } from 'uuid';
import { Fleet } from '../fleet/fleet.ts';
import type { OtherKernel } from '../fleet/ownership.ts';
import { IncomingCalls } from '../modules/incoming-calls.ts';
import { type KernelRecord, timestamp } from '../ports/index.ts';
import type { KernelParts, KernelServices } from '../services.ts';
import type { TurnServices } from '../turn/turn-services.ts';

export class Membership {
  /** The id of this kernel, new with each start. */
  readonly id: string;
  /** Undefined if no other kernel uses the database. */
  readonly fleet: Fleet | undefined;
  /** Calls of local modules and guests by other kernels. */
  readonly callsForOthers: IncomingCalls;
  readonly #services: Pick<TurnServices, 'ownership' | 'store'>;
  readonly #since: string;

  constructor(
    { id, store, extensions, isAlive = async () => false, clock, log }: KernelParts,
    { services, elsewhere }: Pick<KernelServices, 'elsewhere' | 'services'>,
  ) {
    const { ownership } = services;
    const { standby } = services.machines;
    this.#services = services;
    this.#since = timestamp(clock);
    this.id = store.fleet?.id ?? id ?? uuidv4();
    this.fleet = store.fleet ? new Fleet({ store: store.fleet, ownership, isAlive, clock, log }) : undefined;
    this.callsForOthers = new IncomingCalls(extensions, clock);
    this.fleet?.onDeath(gone => {
      standby.lost(gone);
      elsewhere?.lost(gone);
      this.callsForOthers.lost(gone);
    });
    this.fleet?.onReturn(() => {
      elsewhere?.republish();
      standby.republish();
    });
  }

  /**
   * The other kernel that owns a chat; null if it is this one, which takes a chat without an owner.
   * @throws KernelError kernel_away
   */
  place(chatId: string): Promise<OtherKernel | null> | null {
    return this.#services.ownership.place(chatId);
  }

  /** The record of a kernel without other kernels on its database. */
  async alone(): Promise<Pick<KernelRecord, 'here' | 'id' | 'since' | 'turns'>> {
    const { turns } = await this.#services.store.chats.count();
    return { id: this.id, since: this.#since, turns: turns.running, here: true };
  }
}
