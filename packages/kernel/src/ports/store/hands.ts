/** Machines that were here once: their names, by the clients that are their hands (HANDS-1). */
import type { StandByHands } from '@chat-kernel/protocol';

export type HandsRecord = Omit<StandByHands, 'here'>;

export interface HandsStore {
  list(): Promise<HandsRecord[]>;
  /** Stores a machine in the place of an older record of the same client. */
  save(hands: HandsRecord): Promise<void>;
  /** Ignores a client that is not there. */
  delete(clientId: string): Promise<void>;
}
