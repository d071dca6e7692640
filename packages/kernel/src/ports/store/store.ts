/**
 * Defines the store: everything that survives the process, with one port per noun. Every writing method is one
 * transaction, which is on disk when its promise resolves. A store is used by one process at a time.
 */
import type { StandByHands } from '@chat-kernel/protocol';
import type { ApprovalStore } from './approvals.ts';
import type { ChatStore } from './chats.ts';
import type { FileStore } from './files.ts';
import type { FleetStore } from './fleet.ts';
import type { MessageStore } from './messages.ts';
import type { ModuleStore } from './modules.ts';
import type { PersonStore } from './persons.ts';
import type { SpendStore } from './spend.ts';
import type { TurnStore } from './turns.ts';
import type { VersionStore } from './versions.ts';

/** The number of messages that a judge of a surface engaged, and how many of them got a reply (API-3). */
export interface TriageCounts {
  engaged: number;
  responded: number;
}

export interface TriageStore {
  get(): Promise<TriageCounts>;
  /** Adds to the totals, and returns them. */
  add(counts: TriageCounts): Promise<TriageCounts>;
}

/** The sleep of the whole kernel, in which new turns wait. */
export interface KernelSleep {
  since: string;
  until: string | null;
  reason: string | null;
}

export interface SleepStore {
  /** Returns null if the kernel is awake. */
  get(): Promise<KernelSleep | null>;
  /** Stores the sleep; null means awake from now on. */
  save(sleep: KernelSleep | null): Promise<void>;
  /** Like `save`, but only if `before` is the stored value; returns whether it was. */
  swap(before: KernelSleep | null, sleep: KernelSleep | null): Promise<boolean>;
}

export interface SearchHit {
  chat_id: string;
  message_id: string;
  /** A line around the matches, which are marked with **. */
  snippet: string;
  /** Set if the message waits with its turn (WAIT-3). */
  waiting?: true;
}

/**
 * Full-text search. A result contains every term of the query; the last term may be a prefix. Any text is a valid query,
 * and a query without terms has no results.
 */
export interface SearchStore {
  /** Finds messages of people and models in all chats, newest first. */
  messages(query: string, limit: number): Promise<SearchHit[]>;
}

/** Credentials of guests (MCP-5): secrets that only guests read. */
export interface SignInStore {
  /** Returns the stored credentials of a guest; null if there are none. */
  get(guest: string): Promise<string | null>;
  /**
   * Replaces the stored credentials if they are still `before`; null means none. Resolves with false if they are not:
   * if several kernels renew or end a sign-in, only one succeeds.
   */
  swap(guest: string, before: string | null, after: string | null): Promise<boolean>;
}

/** An image that was attached in a chat or generated in it. */
export interface ImageRecord {
  id: string;
  /** The chat of the image, which may be deleted. */
  chat_id: string;
  media_type: string;
  created_at: string;
}

export interface ImageStore {
  /** Stores an image. Throws and stores nothing if the chat is deleted or an image with this id exists. */
  save(image: ImageRecord, bytes: Uint8Array): Promise<void>;
  get(id: string): Promise<(ImageRecord & { bytes: Uint8Array }) | undefined>;
}

/** A machine that has connected at least once (HANDS-1). */
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

export interface Store {
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  readonly versions: VersionStore;
  readonly turns: TurnStore;
  readonly spend: SpendStore;
  readonly images: ImageStore;
  readonly files: FileStore;
  readonly approvals: ApprovalStore;
  readonly hands: HandsStore;
  readonly search: SearchStore;
  readonly persons: PersonStore;
  readonly modules: ModuleStore;
  readonly signIns: SignInStore;
  readonly triage: TriageStore;
  readonly sleep: SleepStore;
  /** Null: no other kernel uses this database. */
  readonly fleet: FleetStore | null;
  /** Resolves when the database answers; rejects if it does not. */
  ping(): Promise<void>;
  /** The size of the write-ahead log of SQLite in bytes; 0 with another database. */
  logSize(): number;
  /** Closes the store: earlier calls end normally, later ones are refused. */
  close(): Promise<void>;
}
