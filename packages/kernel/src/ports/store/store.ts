/**
 * The store: everything that outlives the process, a port for each noun. Every method that writes is one transaction
 * and has reached the disk when its promise resolves. A single process uses a store at a time.
 */
import type { ApprovalStore } from './approvals.ts';
import type { BookStore } from './books.ts';
import type { ChatStore } from './chats.ts';
import type { FileStore } from './files.ts';
import type { FleetStore } from './fleet.ts';
import type { HandsStore } from './hands.ts';
import type { ImageStore } from './images.ts';
import type { ImportStore } from './imports.ts';
import type { MemoryStore } from './memory.ts';
import type { MessageStore } from './messages.ts';
import type { ModuleStore } from './modules.ts';
import type { PersonStore } from './persons.ts';
import type { PushSubscriptionStore } from './push-subscriptions.ts';
import type { ScheduleStore } from './schedules.ts';
import type { SearchStore } from './search.ts';
import type { SignInStore } from './sign-ins.ts';
import type { SleepStore } from './sleep.ts';
import type { SpendStore } from './spend.ts';
import type { SubscriptionStore } from './subscriptions.ts';
import type { TriageStore } from './triage.ts';
import type { TurnStore } from './turns.ts';
import type { VideoStore } from './videos.ts';

export interface Store {
  readonly chats: ChatStore;
  readonly messages: MessageStore;
  readonly turns: TurnStore;
  readonly spend: SpendStore;
  readonly images: ImageStore;
  readonly imports: ImportStore;
  readonly files: FileStore;
  readonly approvals: ApprovalStore;
  readonly hands: HandsStore;
  readonly search: SearchStore;
  readonly books: BookStore;
  readonly videos: VideoStore;
  readonly subscriptions: SubscriptionStore;
  readonly pushSubscriptions: PushSubscriptionStore;
  readonly memory: MemoryStore;
  readonly persons: PersonStore;
  readonly schedules: ScheduleStore;
  readonly modules: ModuleStore;
  readonly signIns: SignInStore;
  readonly triage: TriageStore;
  readonly sleep: SleepStore;
  /** Null: no other kernel has this database. */
  readonly fleet: FleetStore | null;
  /** Resolves when the database answers; rejects where it does not. */
  ping(): Promise<void>;
  /** Closes the store: calls that were made before end as they would, later ones are refused. */
  close(): Promise<void>;
}
