/** Several kernels on one database: who lives, whose each chat is, and what all of them are told (FLEET-1). */
import type { SharedTools, ToolsAt } from '../elsewhere.ts';
import type { NotedEdit } from '../undo.ts';
import type { DaySpend } from './spend.ts';

/** A kernel as the others see it. */
export interface KernelRecord {
  /** New with each start. */
  id: string;
  /** Where the others reach it. */
  url: string;
  /** The name of its machine. */
  name: string;
  version: string;
  /** When it started (RFC 3339). */
  since: string;
  /** The turns of its chats that run. */
  turns: number;
  /** It has said lately that it lives. */
  here: boolean;
}

/** A chat that a kernel owns. Each change of owner raises the epoch. */
export interface OwnedChat {
  chat_id: string;
  epoch: number;
}

/** Whose a chat is, once it was tried to take it. */
export type ChatOwner = { epoch: number; other?: undefined } | { other: Pick<KernelRecord, 'id' | 'url'> };

/** A line of the log that all kernels write. */
export interface SharedLine {
  /** Its number, from 1, without gaps. */
  n: number;
  /** The id of the kernel that wrote it. */
  kernel: string;
  /** True for an event that clients are told; false for what kernels tell each other. */
  told: boolean;
  json: string;
}

/** What trips to the provider may cost: USD, and tokens. */
export interface ReservedSum {
  usd: number;
  tokens: number;
}

/** What all kernels have spent, and what the others have reserved for trips that are under way. */
export interface SpendStanding {
  /** Grows with each reservation of any kernel. */
  version: string;
  days: DaySpend[];
  /** The reservations of other kernels that live. */
  reserved: ReservedSum & { count: number };
}

/**
 * Whether a write was refused because it came in the name of an owner that the chat no longer has. It has changed
 * nothing, and no later one will (FLEET-2). The store makes the error, which is known by its code.
 */
export const isFenced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'fenced';

export interface FleetStore {
  /** The id of this kernel. */
  readonly id: string;
  /** The name of its machine. */
  readonly name: string;
  /** Known to all kernels of the database, and to nobody else. */
  readonly secret: string;
  /** The key pair by which push services know the kernels, as JSON. */
  readonly pushKey: string;
  /** The id of the log that all kernels write. */
  readonly logId: string;
  /** The kernels that live, the oldest first. */
  list(): Promise<KernelRecord[]>;
  /** Says that this kernel lives. False where the others had taken it for dead: it is among them again. */
  beat(): Promise<boolean>;
  /**
   * Strikes out the kernels that are dead, so that their chats are nobody's. Returns the ids of those that have gone
   * since the last call, whoever struck them out.
   */
  bury(): Promise<string[]>;
  /**
   * Takes a chat, where no other kernel that lives owns it. Undefined where there is no such chat, or this kernel is
   * taken for dead itself.
   */
  take(chatId: string): Promise<ChatOwner | undefined>;
  /** The other kernel that lives to which a chat belongs; takes nothing. */
  otherOwner(chatId: string): Promise<ChatOwner['other']>;
  /**
   * Takes chats with open turns that nobody alive owns, at most so many at a time, those with running turns first;
   * none: there are no more.
   * @param except the ids of chats that stay
   */
  takeOrphans(most: number, except: readonly string[]): Promise<OwnedChat[]>;
  /** Of these chats, those that this kernel still owns by these epochs. */
  stillOwned(chats: readonly OwnedChat[]): Promise<OwnedChat[]>;
  /** The ids of the chats with open turns that belong to this kernel by the database. */
  openChats(): Promise<string[]>;
  /** Gives chats back that this kernel owns by these epochs. */
  release(chats: readonly OwnedChat[]): Promise<void>;
  /** Gives all chats back, and strikes out this kernel. */
  leave(): Promise<void>;
  /** Appends to the log, in one piece and in this order. */
  append(lines: readonly Pick<SharedLine, 'told' | 'json'>[]): Promise<void>;
  /** The lines behind one number, the oldest first. */
  linesAfter(n: number, most: number): Promise<SharedLine[]>;
  /** The number of the newest line; 0: there is none. */
  lastLine(): Promise<number>;
  /** What is spent and reserved. @param from the first day, YYYY-MM-DD */
  spendStanding(from: string): Promise<SpendStanding>;
  /** Reserves what a trip may cost. False where anybody has reserved anything since this version: nothing is changed. */
  reserveSpend(id: string, cost: ReservedSum, version: string): Promise<boolean>;
  /** Takes a reservation back, once the cost of its trip is stored. */
  freeSpend(id: string): Promise<void>;
  /** Replaces the tools that this kernel tells the others of. Rejects where they take it for dead. */
  bringTools(groups: readonly SharedTools[]): Promise<void>;
  /** The tools that the other kernels have told of, those of the oldest kernel first. */
  toolsBrought(): Promise<ToolsAt[]>;
  /** Notes an edit of a file for all kernels, until its chat goes. */
  noteEdit(chatId: string, edit: NotedEdit): Promise<void>;
  /** The owner said no: the edit was not made. */
  refusedEdit(opId: string): Promise<void>;
  /** The edits of a chat that were noted, each with the machine of its kernel. */
  edits(chatId: string): Promise<NotedEdit[]>;
  /** Calls back when there may be new lines, or kernels that have left. A hint can get lost. */
  onHint(what: 'lines' | 'kernels', callback: () => void): void;
}
