/** Defines the parts of the kernel that features use. */
import type { TurnRequest } from '@chat-kernel/protocol';
import type { KernelEvents } from './events/kernel-events.ts';
import type { Files } from './files/files.ts';
import type { Ownership } from './fleet/ownership.ts';
import type { SharedLog } from './fleet/shared-log.ts';
import type {
  ChatRecord,
  Clock,
  Feature,
  HeldChat,
  Log,
  Models,
  RunClaim,
  RunDescription,
  RunRef,
  ScheduleGrant,
  Store,
  Tool,
} from './ports/index.ts';
import type { Spending } from './spend/spending.ts';

/** A running or just ended turn, as seen by its readers. */
export interface TurnActivity {
  /** True if a client reads its feed, or did when it ended. */
  read: boolean;
  /** The last text of its model. */
  said: string;
}

export interface FeatureHost {
  store: Store;
  models: Models;
  events: Pick<KernelEvents, 'chatCreated' | 'chatUpdated' | 'listen' | 'publish'>;
  /** The log of all kernels on the database; undefined if there are no other kernels. */
  shared: SharedLog | undefined;
  ownership: Pick<Ownership, 'place'>;
  spending: Pick<Spending, 'record' | 'reserveSide'>;
  /** A tool of the kernel, a module or a server; undefined if there is none with this name. */
  findTool(name: string): Pick<Tool, 'effects' | 'input_schema'> | undefined;
  /** Starts turns. Must not be called before `Feature.start`. */
  turns: TurnStarter;
  /** Undefined for a turn that ended a while ago, or does not run on this kernel. */
  seenTurn(chatId: string, turnId: string): TurnActivity | undefined;
  /** Undefined: no feature has schedules. */
  describeRun(run: RunRef): Promise<RunDescription | undefined>;
  /**
   * Runs work on a chat in which nothing else is in progress.
   * @throws KernelError turn_running, kernel_away
   */
  whileIdle<Result>(chatId: string, work: (chat: HeldChat) => Promise<Result>): Promise<Result>;
  /** Called when the feature has stored messages of a chat. */
  forgetHistory(chatId: string): void;
  /** Called when the feature changes how models see stored messages. */
  refreshHistories(): void;
  files: Files;
  /** Aborted when the kernel stops. */
  closing: AbortSignal;
  clock: Clock;
  log: Log;
}

export type OpenFeatures = (host: FeatureHost) => readonly Feature[];

/** Starts turns without a client request, as if the user had sent them. */
export interface TurnStarter {
  /**
   * Starts or queues the turn of a run. Resolves once the turn, its run and its new chat are stored, all of them or
   * none. If the database becomes unreachable, it may reject although they are stored: the same claim then fails.
   * @throws KernelError not_found if the chat does not exist, kernel_away if another kernel owns it, shutting_down, and
   * as for `startTurn`
   * @throws Error if the run is already claimed, or its schedule does not wait for it
   */
  startRun(run: NewRun): Promise<{ turn_id: string; chat_id: string }>;
}

/** A run of a schedule that becomes a turn. */
export interface NewRun {
  claim: Omit<RunClaim, 'chat' | 'owner'>;
  /** Null: in a new chat. */
  chat_id: string | null;
  /** The title of the new chat; null: none. */
  title: string | null;
  /** The maximum spend of the turn; null: only the caps apply. */
  max_cost_usd: number | null;
  /** The calls that the owner allows in the turn. */
  grants: readonly ScheduleGrant[];
  /** Returns the message for the chat in its state when the turn starts. */
  request(chat: Pick<ChatRecord, 'workdir_on'>): TurnRequest;
}
