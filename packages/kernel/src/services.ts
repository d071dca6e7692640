/** Assembles the parts of a kernel into the services for turns. */
import type { Chat, Settings } from '@chat-kernel/protocol';
import { KnownSecrets } from './base/known-secrets.ts';
import { MEMORY_BYTES } from './base/memory-budget.ts';
import { Grants } from './client-machine/grants.ts';
import { Projects } from './client-machine/project-docs.ts';
import { KernelEvents } from './events/kernel-events.ts';
import type { FeatureHost, OpenFeatures, TurnStarter } from './feature-host.ts';
import { FlushScheduler } from './feed/flush-scheduler.ts';
import { Files } from './files/files.ts';
import { Ownership } from './fleet/ownership.ts';
import { SharedLog } from './fleet/shared-log.ts';
import { Histories } from './history/histories.ts';
import { Journal } from './journal/journal.ts';
import { RemoteTools } from './modules/remote-tools.ts';
import {
  type CallElsewhere,
  type Clock,
  type Extensions,
  type Feature,
  type IsAlive,
  type JournalFile,
  type LocalMachine,
  type Log,
  type Models,
  NO_OBSERVER,
  NO_UNDO,
  type Store,
  type Tool,
  type ToolGroup,
  type TurnObserver,
  type Undo,
} from './ports/index.ts';
import { Attendance } from './requests/attendance.ts';
import { Requests } from './requests/requests.ts';
import { parseSchedule } from './sleep/schedule.ts';
import { Sleeper } from './sleep/sleeper.ts';
import { Spending } from './spend/spending.ts';
import { Machines } from './standby/machines.ts';
import { Toolbox } from './toolbox/toolbox.ts';
import { Checkpoints } from './turn/checkpoints.ts';
import { NO_STAGES } from './turn/stages.ts';
import type { TurnServices } from './turn/turn-services.ts';
import { sharedNotes } from './undo/shared-notes.ts';

export interface KernelParts {
  /** The id of the kernel if no other kernel uses its database; absent: a new one. */
  id?: string;
  store: Store;
  /** Absent: after a crash, the copy of a running step in the store is used, which is at most 250 ms old. */
  journal?: JournalFile;
  models: Models;
  tools: readonly Tool[];
  groups: readonly ToolGroup[];
  machine: LocalMachine;
  /** Undoes edits of files. Absent: edits cannot be undone. */
  undo?: Undo;
  /** Modules and guests. */
  extensions?: Extensions;
  /** Calls tools of other kernels on the database. Absent: their tools are not offered. */
  callElsewhere?: CallElsewhere | undefined;
  /** Absent: a kernel without connections to the database counts as dead. */
  isAlive?: IsAlive | undefined;
  /** Absent: there are no features. */
  openFeatures?: OpenFeatures;
  /** Absent: nothing observes turns. */
  observer?: TurnObserver | undefined;
  clock: Clock;
  log: Log;
  settings: Pick<
    Settings,
    'server' | 'llm' | 'tools' | 'requests' | 'compaction' | 'titles' | 'sleep' | 'spend' | 'memory'
  >;
  /** The secrets that outputs of tools and snapshots of a client's work must not show. */
  secrets: readonly string[];
}

/** The part of the turns that services use: turns are created after their services. */
interface LaterTurns extends TurnStarter {
  /** The turn with which a chat is shown. */
  current(chatId: string): Chat['turn'];
  seen: FeatureHost['seenTurn'];
  whileIdle: FeatureHost['whileIdle'];
}

/** The services of turns, and the parts shared with other kernels on the database. */
export interface KernelServices {
  services: TurnServices;
  /** The log of all kernels on the database; undefined if there are no other kernels. */
  shared: SharedLog | undefined;
  /** Tools of other kernels on the database; undefined if there are no other kernels. */
  elsewhere: RemoteTools | undefined;
}

/** Creates the services that all turns use. @param closing aborted when the kernel stops */
export function createServices(parts: KernelParts, turns: LaterTurns, closing: AbortSignal): KernelServices {
  const { store, models, extensions, machine, clock, log, settings, secrets } = parts;
  const shared = store.fleet ? new SharedLog({ store: store.fleet, clock, log }) : undefined;
  const elsewhere = createRemoteTools(parts, shared);
  const toolbox = createToolbox(parts, elsewhere);
  const events = new KernelEvents(turns.current, shared);
  const { schedule, timezone } = settings.sleep;
  const hours = schedule === null ? null : parseSchedule(schedule, timezone);
  const sleeper = new Sleeper(store, clock, log, hours, shared);
  sleeper.watch(state => events.sleepChanged(state));
  const journal = new Journal(parts.journal, log);
  const spending = new Spending({ store, models, clock, shared }, settings.spend, timezone);
  const ownership = new Ownership(store.fleet, clock);
  let histories: Histories;
  const features: readonly Feature[] =
    parts.openFeatures?.({
      store,
      models,
      events,
      shared,
      ownership,
      findTool: name => toolbox.find(name),
      turns,
      seenTurn: turns.seen,
      describeRun: async run => features.find(({ describeRun }) => describeRun)?.describeRun?.(run),
      files: new Files(store, clock),
      spending,
      closing,
      whileIdle: turns.whileIdle,
      forgetHistory: chatId => histories.forget(chatId),
      refreshHistories: () => histories.refresh(),
      clock,
      log,
    }) ?? [];
  histories = new Histories(store, features, name => toolbox.hasOutsideEffect(name), MEMORY_BYTES.histories);
  const undo = parts.undo ?? NO_UNDO;
  const services: TurnServices = {
    events,
    store,
    models,
    toolbox,
    histories,
    features,
    clock,
    log,
    steps: {
      journal,
      checkpoints: new Checkpoints(journal, { store, clock, log }),
      ticks: new FlushScheduler(() => journal.flush()),
    },
    ownership,
    secrets: new KnownSecrets(secrets),
    requests: new Requests(
      clock,
      secrets,
      events,
      // Other kernels on the database may have readers, too.
      new Attendance(() => shared !== undefined || events.readers > 0 || notifiesOfRequests(features)),
      decided => {
        for (const feature of features) feature.operationDecided?.(decided);
      },
    ),
    machines: {
      local: machine,
      standby: new Machines({ store, clock, log, shared, waitSecs: settings.requests.hands_wait_secs }),
      grants: new Grants(store, clock, log, shared),
      projects: new Projects(),
      undo: store.fleet ? sharedNotes(undo, store.fleet) : undo,
    },
    sleeper,
    spending,
    stages: extensions?.stages ?? NO_STAGES,
    observer: parts.observer ?? NO_OBSERVER,
    settings,
  };
  return { services, shared, elsewhere };
}

/** Whether any feature notifies the owner of requests. */
const notifiesOfRequests = (features: readonly Feature[]): boolean =>
  features.some(feature => feature.notifiesOfRequests?.() === true);

/** The tools of other kernels; undefined if there are no other kernels. */
function createRemoteTools(
  { store, extensions, callElsewhere: call, clock, log }: KernelParts,
  shared: SharedLog | undefined,
): RemoteTools | undefined {
  if (!store.fleet || !shared || !extensions || !call) return undefined;
  return new RemoteTools({ extensions, store: store.fleet, shared, call, clock, log });
}

/** The toolbox with the tools of the kernel, and the current ones of modules and guests. */
function createToolbox(
  { tools, groups, extensions, settings }: KernelParts,
  elsewhere: RemoteTools | undefined,
): Toolbox {
  const toolbox = new Toolbox(tools, { ...settings.tools, groups });
  if (extensions === undefined) return toolbox;
  const extend = () => toolbox.extend(elsewhere?.joined() ?? extensions.tools());
  extend();
  extensions.onChange(extend);
  elsewhere?.onChange(extend);
  return toolbox;
}
