/** The parts that a kernel is made of, and the services for turns that are made of them. */
import type { Chat, Settings } from '@chat-kernel/protocol';
import { memoryBudget } from './base/memory-budget.ts';
import { Books } from './books/books.ts';
import { Grants } from './client-machine/grants.ts';
import { Projects } from './client-machine/project-docs.ts';
import { KernelEvents } from './events/kernel-events.ts';
import { Ticks } from './feed/ticks.ts';
import { Ownership } from './fleet/ownership.ts';
import { SharedLog } from './fleet/shared-log.ts';
import { Histories } from './history/histories.ts';
import { Journal } from './journal/journal.ts';
import { Memory } from './memory/memory.ts';
import { ToolsElsewhere } from './modules/elsewhere.ts';
import { Notebooks } from './notebooks/notebooks.ts';
import {
  type CallElsewhere,
  type Clock,
  type Extensions,
  type JournalFile,
  type Log,
  type Models,
  NO_TRACING,
  NO_UNDO,
  type OwnMachine,
  type PushSender,
  type SkillReader,
  type Store,
  type Tool,
  type ToolGroup,
  type Tracing,
  type Undo,
  type VoiceModels,
} from './ports/index.ts';
import { Requests } from './requests/requests.ts';
import { Schedules } from './schedules/schedules.ts';
import { ChatSkills } from './skills/chat-skills.ts';
import { parseSchedule } from './sleep/schedule.ts';
import { Sleeper } from './sleep/sleeper.ts';
import { Spending } from './spend/spending.ts';
import { Machines } from './standby/machines.ts';
import { Titles } from './titles/titles.ts';
import { Toolbox } from './toolbox/toolbox.ts';
import { Checkpoints } from './turn/checkpoints.ts';
import { NO_STAGES } from './turn/stages.ts';
import type { TurnServices } from './turn/turn-services.ts';
import { sharedNotes } from './undo/shared-notes.ts';

export interface KernelParts {
  /** The id of the kernel, where it has its database for itself; absent: a new one. */
  id?: string;
  store: Store;
  /** Absent: what a crash leaves of a running step is what the store has of it, at most 250 ms old. */
  journal?: JournalFile;
  models: Models;
  /** Models that hear and speak. Absent: there are none. */
  voice?: VoiceModels;
  tools: readonly Tool[];
  /** The groups of the tools, with their descriptions. */
  groups: readonly ToolGroup[];
  machine: OwnMachine;
  /** What undoes edits of files. Absent: nothing does. */
  undo?: Undo;
  /** Absent: there are no skills. */
  skills?: SkillReader;
  /** Modules and guests. */
  extensions?: Extensions;
  /** Calls tools of other kernels on the database. Absent: theirs are not offered. */
  callElsewhere?: CallElsewhere | undefined;
  /** How word leaves for the owner. Absent: nobody gets any. */
  push?: PushSender;
  /** Absent: nobody wants spans. */
  tracing?: Tracing;
  clock: Clock;
  log: Log;
  settings: Pick<
    Settings,
    'server' | 'llm' | 'tools' | 'requests' | 'compaction' | 'titles' | 'sleep' | 'spend' | 'memory'
  >;
  /** The secrets that no snapshot of a client's work may show. */
  secrets: readonly string[];
}

/** Makes the services that all turns work with. @param turnOf the turn that a chat is shown with */
export function createServices(parts: KernelParts, turnOf: (chatId: string) => Chat['turn']): TurnServices {
  const { store, models, extensions, machine, clock, log, settings, secrets } = parts;
  const shared = store.fleet ? new SharedLog({ store: store.fleet, clock, log }) : undefined;
  const elsewhere = elsewhereOf(parts, shared);
  const toolbox = toolboxOf(parts, elsewhere);
  const events = new KernelEvents(turnOf, shared);
  const { schedule, timezone } = settings.sleep;
  const hours = schedule === null ? null : parseSchedule(schedule, timezone);
  const sleeper = new Sleeper(store, clock, log, hours, shared);
  sleeper.watch(state => events.sleepChanged(state));
  const journal = new Journal(parts.journal, log);
  const spending = new Spending({ store, models, clock }, settings.spend);
  const memory = new Memory(store, clock, settings.memory, shared);
  const histories = new Histories(
    store,
    memory,
    name => toolbox.hasOutsideEffect(name),
    memoryBudget(settings.memory).histories,
  );
  memory.watch(({ lost, here }) => {
    if (lost) histories.memoryLost();
    if (here) events.memoryChanged();
  });
  return {
    events,
    shared,
    titles: new Titles({ store, models, events, spending, clock, log }, settings.titles),
    store,
    models,
    toolbox,
    elsewhere,
    histories,
    memory,
    skills: new ChatSkills(parts.skills, store),
    clock,
    log,
    journal,
    ownership: new Ownership(store.fleet, clock),
    ticks: new Ticks(() => journal.flush()),
    checkpoints: new Checkpoints(journal, { store, clock, log }),
    requests: new Requests(clock, secrets, events),
    machines: new Machines({ store, clock, log, shared, waitSecs: settings.requests.hands_wait_secs }),
    grants: new Grants(store, clock, log, shared),
    projects: new Projects(),
    notebooks: new Notebooks(store, clock),
    books: new Books(store, events, clock),
    machine,
    undo: store.fleet ? sharedNotes(parts.undo ?? NO_UNDO, store.fleet) : (parts.undo ?? NO_UNDO),
    sleeper,
    schedules: new Schedules({ store, models, events, clock, shared }),
    spending,
    stages: extensions?.stages ?? NO_STAGES,
    tracing: parts.tracing ?? NO_TRACING,
    settings,
  };
}

/** The tools that other kernels bring; undefined where there are no others. */
function elsewhereOf(
  { store, extensions, callElsewhere: call, clock, log }: KernelParts,
  shared: SharedLog | undefined,
): ToolsElsewhere | undefined {
  if (!store.fleet || !shared || !extensions || !call) return undefined;
  return new ToolsElsewhere({ extensions, store: store.fleet, shared, call, clock, log });
}

/** The toolbox: the tools of the kernel, and those that modules and guests bring at the time. */
function toolboxOf(
  { tools, groups, extensions, settings }: KernelParts,
  elsewhere: ToolsElsewhere | undefined,
): Toolbox {
  const toolbox = new Toolbox(tools, { ...settings.tools, groups });
  if (extensions === undefined) return toolbox;
  const extend = () => toolbox.extend(elsewhere?.joined() ?? extensions.tools());
  extend();
  extensions.onChange(extend);
  elsewhere?.onChange(extend);
  return toolbox;
}
