/** Assembles the kernel: everything that the layers above can request, by noun. */
import { KernelError } from '@chat-kernel/protocol';
import { Archive } from './api/archive.ts';
import { ChatChanges } from './api/chat-changes.ts';
import { ChatsApi } from './api/chats-api.ts';
import { HistoryApi } from './api/history-api.ts';
import { Membership } from './api/membership.ts';
import { ChangedModules, ModuleQuestions } from './api/module-questions.ts';
import { Operations } from './api/operations.ts';
import { ServiceApi } from './api/service-api.ts';
import { SleepApi } from './api/sleep-api.ts';
import { TurnsApi } from './api/turns-api.ts';
import { Chats } from './chats/chats.ts';
import type { Reader } from './feed/reader.ts';
import { Files } from './files/files.ts';
import { Modules } from './modules/modules.ts';
import { Persons } from './persons/persons.ts';
import { type Guests, NO_GUESTS } from './ports/index.ts';
import { createServices, type KernelParts, type KernelServices } from './services.ts';
import type { Machines } from './standby/machines.ts';
import type { TurnServices } from './turn/turn-services.ts';
import { Turns } from './turns/turns.ts';

/** Opens a kernel: closes turns that a crash left open, and continues those that waited. */
export const openKernel = (parts: KernelParts): Promise<Kernel> => Kernel.open(parts);

/** The methods of all nouns throw a KernelError for a client's mistake, with not_found for any unknown id. */
export class Kernel {
  readonly chats: ChatsApi;
  readonly history: HistoryApi;
  readonly turns: TurnsApi;
  /** Operations that clients are requested to execute. */
  readonly operations: Operations;
  readonly sleep: SleepApi;
  /** Stand-by machines. */
  readonly machines: Pick<Machines, 'connect' | 'list' | 'forget'>;
  readonly files: Files;
  readonly persons: Persons;
  readonly modules: Modules;
  /** Third-party tool servers. */
  readonly guests: Guests;
  /** The tools and models of the kernel, whether it is ready, and its statistics. */
  readonly service: ServiceApi;
  /** This kernel among those on its database. */
  readonly membership: Membership;
  /** Search and export of all messages. */
  readonly archive: Archive;
  readonly #services: TurnServices;
  readonly #shared: KernelServices['shared'];
  readonly #elsewhere: KernelServices['elsewhere'];
  readonly #turns: Turns;
  readonly #changes: ChatChanges;
  /** Undefined for a kernel without extensions. */
  readonly #changedModules: ChangedModules | undefined;
  readonly #moduleQuestions: ModuleQuestions | undefined;
  readonly #closing = new AbortController();

  /** See `openKernel`. */
  static async open(parts: KernelParts): Promise<Kernel> {
    const kernel = new Kernel(parts);
    await kernel.#recover();
    return kernel;
  }

  private constructor(parts: KernelParts) {
    const { services, shared, elsewhere } = createServices(
      parts,
      {
        current: chatId => this.#turns.queues.current(chatId),
        seen: (chatId, turnId) => this.#turns.seen(chatId, turnId),
        startRun: run => this.turns.startRun(run),
        whileIdle: (chatId, work) =>
          this.#changes.run(chatId, async () => {
            if ((await services.ownership.place(chatId)) !== null)
              throw new KernelError('kernel_away', 'Another kernel owns this chat.');
            await this.#changes.settleHistory(chatId);
            return work(services.ownership.hold(chatId));
          }),
      },
      this.#closing.signal,
    );
    const { store, models, clock, log, extensions, settings } = parts;
    const { signal: closing } = this.#closing;
    const chats = new Chats(store, models, clock);
    const turns = new Turns(services);
    const changes = new ChatChanges(turns);
    this.#services = services;
    this.#shared = shared;
    this.#elsewhere = elsewhere;
    this.#turns = turns;
    this.#changes = changes;
    const { ownership } = services;
    ownership.keptBy(turns);
    this.membership = new Membership(parts, { services, elsewhere });
    const apiParts = { chats, turns, changes, services };
    this.chats = new ChatsApi(apiParts);
    this.history = new HistoryApi(apiParts, closing);
    this.turns = new TurnsApi(apiParts);
    this.operations = new Operations(apiParts);
    this.machines = services.machines.standby;
    this.sleep = new SleepApi(apiParts);
    this.files = new Files(store, clock);
    this.persons = new Persons(store, clock);
    this.modules = new Modules(extensions, shared, store.fleet);
    this.guests = extensions?.guests ?? NO_GUESTS;
    const { question_timeout_secs: timeout_secs } = settings.requests;
    const { requests } = services;
    this.#changedModules = extensions && new ChangedModules({ extensions, requests, timeout_secs, log });
    this.#moduleQuestions = extensions && new ModuleQuestions({ extensions, requests, timeout_secs });
    this.service = new ServiceApi(apiParts, this.modules);
    this.archive = new Archive(apiParts);
  }

  async #recover(): Promise<void> {
    await this.#services.machines.grants.load();
    await this.#shared?.start();
    await this.#services.machines.standby.load();
    await this.#elsewhere?.start();
    await this.#services.sleeper.load();
    await this.#services.spending.load();
    for (const feature of this.#services.features) await feature.load?.();
    await this.#turns.recover(() => this.membership.fleet?.start());
    for (const feature of this.#services.features) feature.start?.();
  }

  /** The reader behind GET /v1/events. @param after Last-Event-ID */
  events(after?: string): Reader {
    return this.#services.events.reader(after);
  }

  /**
   * Stops the kernel: starts no more turns; running ones get this many seconds, then they are closed as after a crash.
   */
  async shutdown(graceSecs: number): Promise<void> {
    const graceMs = graceSecs * 1000;
    this.#turns.refuse();
    this.membership.fleet?.drain();
    this.#changedModules?.stop();
    this.#moduleQuestions?.stop();
    for (const feature of this.#services.features) await feature.drain?.();
    this.#closing.abort();
    await this.#changes.settled();
    await this.#elsewhere?.withdraw();
    await Promise.all([this.#turns.stop(graceMs), this.membership.callsForOthers.stop(graceMs)]);
    await this.#elsewhere?.stop();
    this.#services.sleeper.stop();
    for (const feature of this.#services.features) await feature.stop?.();
    this.#services.machines.standby.close();
    await this.#shared?.stop();
    this.#services.events.close();
    await this.membership.fleet?.stop();
  }
}
