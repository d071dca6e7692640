/**
 * Defines the store: everything that survives the process, with one port per noun. Every writing method is one
 * transaction, which is on disk when its promise resolves. A store is used by one process at a time.
 */
import type { ApprovalStore } from './approvals.ts';
import type { ChatStore } from './chats.ts';
import type { FileStore } from './files.ts';
import type { FleetStore } from './fleet.ts';
import type { HandsStore } from './hands.ts';
import type { ImageStore } from './images.ts';
import type { MessageStore } from './messages.ts';
import type { ModuleStore } from './modules.ts';
import type { PersonStore } from './persons.ts';
import type { SearchStore } from './search.ts';
import type { SignInStore } from './sign-ins.ts';
import type { SleepStore } from './sleep.ts';
import type { SpendStore } from './spend.ts';
import type { TriageStore } from './triage.ts';
import type { TurnStore } from './turns.ts';
import type { VersionStore } from './versions.ts';

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
