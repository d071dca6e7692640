/** Defines the store of machines that have connected at least once: their names, by client (HANDS-1). */
import type { StandByHands } from '@chat-kernel/protocol';

export interface HandsRecord extends Omit<StandByHands, 'here'> {
  /** The hash of the machine's secret, without which nothing connects under its client_id; absent: it has none. */
  secret_hash?: string | undefined;
}

export interface HandsStore {
  list(): Promise<HandsRecord[]>;
  /** Stores a machine; replaces an older record of the same client. */
  save(hands: HandsRecord): Promise<void>;
  /** Ignores an unknown client. */
  delete(clientId: string): Promise<void>;
}
