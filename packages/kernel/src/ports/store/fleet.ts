/**
 * Defines the state that several kernels share in one database: living kernels, owners of chats, and messages
 * (FLEET-1).
 */
import type { AdvertisedTools, ToolAdvertisements } from '../remote-tools.ts';
import type { NotedEdit } from '../undo.ts';
import type { HeldChat } from './chats.ts';
import type { DaySpend } from './spend.ts';

/** A kernel as seen by the others. */
export interface KernelRecord {
  /** New with each start. */
  id: string;
  /** The address at which the others reach it. */
  url: string;
  /** The name of its machine. */
  name: string;
  version: string;
  /** When it started (RFC 3339). */
  since: string;
  /** The number of running turns of its chats. */
  turns: number;
  /** True if its last heartbeat is recent. */
  here: boolean;
}

/**
 * Requests another kernel at its address to confirm that it lives. False if there is anything but its valid answer.
 * Never rejects.
 */
export type IsAlive = (kernel: Pick<KernelRecord, 'id' | 'url'>) => Promise<boolean>;

export interface OwnedChat extends HeldChat {
  epoch: number;
}

/** The owner of a chat after an attempt to take it. */
export type ChatOwner = { epoch: number; other?: undefined } | { other: Pick<KernelRecord, 'id' | 'url'> };

/** A line of the log that all kernels write. */
export interface SharedLine {
  /** Its number, from 1, without gaps. */
  n: number;
  /** The id of the kernel that wrote it. */
  kernel: string;
  /** True for an event that is sent to clients; false for a message between kernels. */
  told: boolean;
  json: string;
}

export type NewSharedLine = Pick<SharedLine, 'told' | 'json'> & {
  /** Its chat: the line is dropped if another kernel has taken the chat since (FLEET-2). */
  of?: HeldChat;
};

/** The possible cost of provider requests: USD and tokens. */
export interface ReservedSum {
  usd: number;
  tokens: number;
}

/** The spend of all kernels, and the reservations of the others for provider requests in progress. */
export interface SpendStanding {
  /** Increases with each reservation of any kernel. */
  version: string;
  days: DaySpend[];
  /** The reservations of other living kernels. */
  reserved: ReservedSum & { count: number };
  /** The amounts by which the user has raised caps, by the name of the cap. */
  raised: { cap: string; by: number }[];
}

/**
 * Whether a write was refused because the chat has another owner than the writer. It has changed nothing, and all later
 * ones will be refused too (FLEET-2). The store creates the error; its code identifies it.
 */
export const isFenced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'fenced';

export interface FleetStore {
  /** The id of this kernel. */
  readonly id: string;
  /** The name of its machine. */
  readonly name: string;
  /** A secret known only to the kernels of the database. */
  readonly secret: string;
  /** The key pair with which push services identify the kernels, as JSON. */
  readonly pushKey: string;
  /** The id of the log that all kernels write. */
  readonly logId: string;
  /** The living kernels, oldest first. */
  list(): Promise<KernelRecord[]>;
  /** Sends a heartbeat of this kernel. False if the others had considered it dead: it has rejoined. */
  beat(): Promise<boolean>;
  /**
   * Removes dead kernels, so that their chats have no owner. Returns the ids of those that were removed since the last
   * call, by any kernel.
   * @param isAlive decides about a kernel that has lost its connections to the database
   */
  bury(isAlive: IsAlive): Promise<string[]>;
  /** True if another kernel was registered when the dead ones were last removed. */
  knows(id: string): boolean;
  /**
   * Takes a chat, unless another living kernel owns it. Undefined if there is no such chat, or this kernel itself is
   * considered dead.
   */
  take(chatId: string): Promise<ChatOwner | undefined>;
  /** The other living kernel that owns a chat; does not take the chat. */
  otherOwner(chatId: string): Promise<ChatOwner['other']>;
  /**
   * Takes chats with open turns that have no living owner, at most this many, those with running turns first. An empty
   * result means that there are no more.
   * @param except the ids of chats to leave
   */
  takeOrphans(most: number, except: readonly string[]): Promise<OwnedChat[]>;
  /** Those of these chats that this kernel still owns with these epochs. */
  stillOwned(chats: readonly OwnedChat[]): Promise<OwnedChat[]>;
  /** The ids of the chats with open turns that belong to this kernel according to the database. */
  openChats(): Promise<string[]>;
  /** Releases chats that this kernel owns with these epochs. */
  release(chats: readonly OwnedChat[]): Promise<void>;
  /** Releases all chats and removes this kernel. */
  leave(): Promise<void>;
  /** Appends to the log, in one piece and in this order. */
  append(lines: readonly NewSharedLine[]): Promise<void>;
  /** The lines after a number, oldest first. */
  linesAfter(n: number, most: number): Promise<SharedLine[]>;
  /** The number of the newest line; 0 if there is none. */
  lastLine(): Promise<number>;
  /** Spend and reservations. @param from the first day, YYYY-MM-DD */
  spendStanding(from: string): Promise<SpendStanding>;
  /**
   * Reserves the possible cost of a provider request. Returns false and changes nothing if any kernel has reserved
   * something since this version.
   */
  reserveSpend(id: string, cost: ReservedSum, version: string): Promise<boolean>;
  /** Releases a reservation once the cost of its request is stored. */
  freeSpend(id: string): Promise<void>;
  /** Adds to a cap. @param cap its name in the current period; older periods of it are deleted */
  raiseSpend(cap: string, by: number): Promise<void>;
  /** Records that this kernel asks about a cap. False while another living kernel does. */
  askSpend(cap: string): Promise<boolean>;
  /** Records that this kernel no longer asks about the cap. */
  askedSpend(cap: string): Promise<void>;
  /** Replaces the tools that this kernel publishes. Rejects if the others consider it dead. */
  bringTools(groups: readonly ToolAdvertisements[]): Promise<void>;
  /** The tools that the other kernels publish, those of the oldest kernel first. */
  toolsBrought(): Promise<AdvertisedTools[]>;
  /** Records an edit of a file for all kernels, until its chat is deleted. */
  noteEdit(chatId: string, edit: NotedEdit): Promise<void>;
  /** Removes an edit that was not made because the user denied it. */
  refusedEdit(opId: string): Promise<void>;
  /** The recorded edits of a chat, each with the machine of its kernel. */
  edits(chatId: string): Promise<NotedEdit[]>;
  /** Calls back when there may be new lines, or kernels that have left. Hints may be lost. */
  onHint(what: 'lines' | 'kernels', callback: () => void): void;
}
