/** The kernel: everything that the layers above may ask of it, by noun. */
import { KernelError, type ModelList, type ToolList } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { ChangedModules } from './api/changed-modules.ts';
import { ChatChanges } from './api/chat-changes.ts';
import { ChatsApi } from './api/chats-api.ts';
import { HistoryApi } from './api/history-api.ts';
import { Operations } from './api/operations.ts';
import { TurnsApi } from './api/turns-api.ts';
import { Archive } from './archive/archive.ts';
import { Imports } from './archive/imports.ts';
import { isId } from './base/ids.ts';
import type { Books } from './books/books.ts';
import { Chats } from './chats/chats.ts';
import { Completions } from './completions/completions.ts';
import type { Reader } from './feed/reader.ts';
import { Files } from './files/files.ts';
import { Fleet } from './fleet/fleet.ts';
import type { OtherKernel } from './fleet/ownership.ts';
import type { Memory } from './memory/memory.ts';
import { CallsForOthers } from './modules/calls-for-others.ts';
import { Modules } from './modules/modules.ts';
import type { Notebooks } from './notebooks/notebooks.ts';
import { Persons } from './persons/persons.ts';
import { type Guests, type KernelRecord, NO_GUESTS, NO_VOICE, timestamp } from './ports/index.ts';
import { Push } from './push/push.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import type { Schedules } from './schedules/schedules.ts';
import { createServices, type KernelParts } from './services.ts';
import type { ChatSkills } from './skills/chat-skills.ts';
import { SleepApi } from './sleep/sleep-api.ts';
import type { Machines } from './standby/machines.ts';
import { Statistics } from './statistics/statistics.ts';
import type { TurnServices } from './turn/turn-services.ts';
import { Turns } from './turns/turns.ts';
import { Videos } from './video/videos.ts';
import { Voice } from './voice/voice.ts';

/** Opens a kernel: turns that a crash left open are closed, and those that waited go on. */
export async function openKernel(parts: KernelParts): Promise<Kernel> {
  const kernel = new Kernel(parts);
  await kernel.recover();
  return kernel;
}

/** Every method of every noun throws a KernelError for a client's mistake: not_found for any id that names nothing. */
export class Kernel {
  readonly chats: ChatsApi;
  readonly history: HistoryApi;
  readonly turns: TurnsApi;
  /** Operations that clients are asked to do. */
  readonly operations: Operations;
  readonly sleep: SleepApi;
  /** Machines that stand by. */
  readonly machines: Pick<Machines, 'connect' | 'list' | 'forget'>;
  readonly schedules: Schedules;
  /** Starts what is due. */
  readonly scheduler: Scheduler;
  readonly notebooks: Notebooks;
  /** What is remembered across chats. */
  readonly memory: Memory;
  readonly skills: ChatSkills;
  readonly books: Books;
  readonly files: Files;
  readonly persons: Persons;
  readonly modules: Modules;
  /** Calls of modules and guests here that other kernels make. */
  readonly callsForOthers: CallsForOthers;
  /** Third-party tool servers. */
  readonly guests: Guests;
  readonly statistics: Statistics;
  /** Calls to a model outside of any chat. */
  readonly completions: Completions;
  /** Audio that becomes text, and text that becomes audio. */
  readonly voice: Voice;
  /** Messages of all chats, searched and exported. */
  readonly archive: Archive;
  /** Conversations from elsewhere. */
  readonly imports: Imports;
  /** Videos that were watched, and channels that are followed. */
  readonly videos: Videos;
  /** Word to the owner when something waits or has ended. */
  readonly push: Push;
  readonly #services: TurnServices;
  readonly #turns: Turns;
  readonly #changes: ChatChanges;
  /** Undefined for a kernel without extensions. */
  readonly #changedModules: ChangedModules | undefined;
  readonly #closing = new AbortController();
  /** New with each start. */
  readonly id: string;
  readonly #since: string;
  /** Undefined for a kernel that has its database for itself. */
  readonly fleet: Fleet | undefined;

  constructor(parts: KernelParts) {
    const services = createServices(parts, chatId => this.#turns.queues.current(chatId));
    const { store, models, clock, log, extensions, settings } = parts;
    const { spending } = services;
    const { signal: closing } = this.#closing;
    const chats = new Chats(store, models, clock);
    const turns = new Turns(services);
    const changes = new ChatChanges(turns);
    this.id = store.fleet?.id ?? parts.id ?? uuidv4();
    this.#since = timestamp(clock);
    this.#services = services;
    this.#turns = turns;
    this.#changes = changes;
    const { ownership } = services;
    ownership.keptBy(turns);
    this.fleet = store.fleet ? new Fleet({ store: store.fleet, ownership, clock, log }) : undefined;
    this.callsForOthers = new CallsForOthers(extensions, clock);
    this.fleet?.onDeath(gone => {
      services.machines.lost(gone);
      services.elsewhere?.lost(gone);
      this.callsForOthers.lost(gone);
    });
    this.fleet?.onReturn(() => {
      services.elsewhere?.tellAnew();
      services.machines.tellAnew();
    });
    this.chats = new ChatsApi(chats, turns, changes, services);
    this.history = new HistoryApi(chats, turns, changes, services, closing);
    this.turns = new TurnsApi(chats, turns, changes);
    this.operations = new Operations(services, turns.queues, chats);
    this.machines = services.machines;
    this.sleep = new SleepApi(services.sleeper, turns.shown, clock);
    this.schedules = services.schedules;
    this.scheduler = new Scheduler({ services, chats, turns, changes });
    this.notebooks = services.notebooks;
    this.memory = services.memory;
    this.skills = services.skills;
    this.books = services.books;
    this.files = new Files(store, clock);
    this.persons = new Persons(store, clock);
    this.modules = new Modules(extensions, services.shared, store.fleet);
    this.guests = extensions?.guests ?? NO_GUESTS;
    const { question_timeout_secs: timeout_secs } = settings.requests;
    const { requests } = services;
    this.#changedModules = extensions && new ChangedModules({ extensions, requests, timeout_secs, log });
    this.statistics = new Statistics({ store, models, modules: this.modules, spending, clock });
    this.completions = new Completions(store, models, spending, closing);
    this.voice = new Voice(store, parts.voice ?? NO_VOICE, spending, closing);
    this.archive = new Archive(store, chats, id => turns.queues.running(id));
    this.imports = new Imports(store, clock, {
      created: chat => services.events.chatCreated(chat),
      grown(chat) {
        services.histories.forget(chat.id);
        services.events.chatUpdated(chat);
      },
      whileIdle: (chatId, work) =>
        changes.run(chatId, async () => {
          if ((await this.place(chatId)) !== null)
            throw new KernelError('kernel_away', 'Another kernel has this chat.');
          await changes.settleHistory(chatId);
          return work(ownership.epochOf(chatId));
        }),
    });
    this.videos = new Videos(store, services.events, clock);
    this.push = new Push({
      store,
      sender: parts.push,
      events: services.events,
      clock,
      log,
      publicUrl: settings.server.public_url,
      seen: (chatId, turnId) => turns.seen(chatId, turnId),
      shared: services.shared,
    });
  }

  async recover(): Promise<void> {
    await this.#services.grants.load();
    await this.#services.shared?.start();
    await this.#services.machines.load();
    await this.#services.elsewhere?.start();
    await this.#services.sleeper.load();
    await this.#services.spending.load();
    await this.memory.load();
    await this.push.load();
    await this.#turns.recover(() => this.fleet?.start());
    this.scheduler.begin();
  }

  /** The reader behind GET /v1/events. @param after Last-Event-ID */
  events(after?: string): Reader {
    return this.#services.events.reader(after);
  }

  /**
   * The kernel to which a chat belongs, where that is another one; null where it is this one, which takes a chat that
   * nobody has.
   * @throws KernelError kernel_away
   */
  place(chatId: string): Promise<OtherKernel | null> | null {
    return this.#services.ownership.place(chatId);
  }

  /** As `place`, for a run of a schedule by hand: the kernel to which its chat belongs. @throws KernelError kernel_away */
  async placeOfRun(scheduleId: string): Promise<OtherKernel | null> {
    const schedule = isId(scheduleId) ? await this.#services.store.schedules.get(scheduleId) : undefined;
    return schedule?.chat_id ? this.place(schedule.chat_id) : null;
  }

  /** This kernel as one that has its database for itself. */
  async alone(): Promise<Pick<KernelRecord, 'here' | 'id' | 'since' | 'turns'>> {
    const { turns } = await this.#services.store.chats.count();
    return { id: this.id, since: this.#since, turns: turns.running, here: true };
  }

  /** All tools, as models get them (API-4). */
  tools(): ToolList {
    return this.#services.toolbox.list();
  }

  models(): ModelList {
    return this.#services.models.list();
  }

  /** Resolves when work can be taken. @throws KernelError shutting_down, storage_unavailable */
  async ready(): Promise<void> {
    if (this.#turns.refuses) throw new KernelError('shutting_down', 'The kernel is shutting down.');
    await this.#services.store.ping();
  }

  /**
   * Stops the kernel: no turn starts any more; running ones get this many seconds, then they are closed as after a
   * crash.
   */
  async shutdown(graceSecs: number): Promise<void> {
    this.#turns.refuse();
    this.fleet?.drain();
    this.#changedModules?.stop();
    await this.scheduler.stop();
    this.#closing.abort();
    await this.#changes.settled();
    await this.#services.elsewhere?.withdraw();
    await Promise.all([this.#turns.stop(graceSecs * 1000), this.callsForOthers.stop(graceSecs * 1000)]);
    await this.#services.elsewhere?.stop();
    this.#services.sleeper.stop();
    await this.#services.titles.stop();
    this.push.stop();
    this.#services.machines.close();
    await this.#services.shared?.stop();
    this.#services.events.close();
    await this.fleet?.stop();
  }
}
