/**
 * Lists the parts of the kernel that turns use. Only the code that creates a turn needs all of them; functions name
 * those that they use.
 */
import type { Settings } from '@chat-kernel/protocol';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Grants } from '../client-machine/grants.ts';
import type { Projects } from '../client-machine/project-docs.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { FlushScheduler } from '../feed/flush-scheduler.ts';
import type { Ownership } from '../fleet/ownership.ts';
import type { Histories } from '../history/histories.ts';
import type { Journal } from '../journal/journal.ts';
import type {
  Clock,
  Feature,
  LocalMachine,
  Log,
  Models,
  Stages,
  Store,
  TurnObserver,
  Undo,
} from '../ports/index.ts';
import type { Requests } from '../requests/requests.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { Spending } from '../spend/spending.ts';
import type { Machines } from '../standby/machines.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import type { Checkpoints } from './checkpoints.ts';

/** The machines on which tools work, and what the kernel stores about the work there. */
interface MachineServices {
  local: LocalMachine;
  standby: Machines;
  /** The approvals of the user that are valid more than once. */
  grants: Grants;
  projects: Projects;
  undo: Undo;
}

/** How running steps are kept for a restart and sent to followers. */
interface StepServices {
  journal: Journal;
  checkpoints: Checkpoints;
  ticks: FlushScheduler;
}

export interface TurnServices {
  store: Store;
  models: Models;
  toolbox: Toolbox;
  histories: Histories;
  events: KernelEvents;
  steps: StepServices;
  ownership: Ownership;
  requests: Requests;
  /** Secrets that no output of a tool may show. */
  secrets: KnownSecrets;
  machines: MachineServices;
  features: readonly Feature[];
  sleeper: Sleeper;
  spending: Spending;
  stages: Stages;
  observer: TurnObserver;
  clock: Clock;
  log: Log;
  /** Whole sections of the settings, so that a new setting needs no change here. */
  settings: Pick<Settings, 'llm' | 'requests' | 'compaction' | 'memory' | 'tools'>;
}
