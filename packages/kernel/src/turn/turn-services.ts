/**
 * The parts of the kernel that turns work with. Only the code that makes a turn takes all of them; functions name
 * those that they use.
 */
import type { Settings } from '@chat-kernel/protocol';
import type { Books } from '../books/books.ts';
import type { Grants } from '../client-machine/grants.ts';
import type { Projects } from '../client-machine/project-docs.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { Ticks } from '../feed/ticks.ts';
import type { Ownership } from '../fleet/ownership.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import type { Histories } from '../history/histories.ts';
import type { Journal } from '../journal/journal.ts';
import type { Memory } from '../memory/memory.ts';
import type { ToolsElsewhere } from '../modules/elsewhere.ts';
import type { Notebooks } from '../notebooks/notebooks.ts';
import type { Clock, Log, Models, OwnMachine, Stages, Store, Tracing, Undo } from '../ports/index.ts';
import type { Requests } from '../requests/requests.ts';
import type { Schedules } from '../schedules/schedules.ts';
import type { ChatSkills } from '../skills/chat-skills.ts';
import type { Sleeper } from '../sleep/sleeper.ts';
import type { Spending } from '../spend/spending.ts';
import type { Machines } from '../standby/machines.ts';
import type { Titles } from '../titles/titles.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import type { Checkpoints } from './checkpoints.ts';

export interface TurnServices {
  store: Store;
  models: Models;
  toolbox: Toolbox;
  /** Tools of other kernels on the database; undefined: there are no others. */
  elsewhere: ToolsElsewhere | undefined;
  histories: Histories;
  events: KernelEvents;
  /** The log of all kernels on the database; undefined: there are no others. */
  shared: SharedLog | undefined;
  journal: Journal;
  ownership: Ownership;
  ticks: Ticks;
  checkpoints: Checkpoints;
  titles: Titles;
  requests: Requests;
  machines: Machines;
  grants: Grants;
  projects: Projects;
  notebooks: Notebooks;
  memory: Memory;
  skills: ChatSkills;
  books: Books;
  machine: OwnMachine;
  undo: Undo;
  sleeper: Sleeper;
  schedules: Schedules;
  spending: Spending;
  stages: Stages;
  tracing: Tracing;
  clock: Clock;
  log: Log;
  /** Whole sections of the settings, so that a new setting needs no line here. */
  settings: Pick<Settings, 'llm' | 'requests' | 'compaction' | 'memory'>;
}
