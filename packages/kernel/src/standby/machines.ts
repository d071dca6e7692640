/** Manages stand-by machines: the connected and the known ones, and their operations (HANDS-1 to HANDS-4). */
import { type ForgottenHands, type HandsList, KernelError } from '@chat-kernel/protocol';
import { KeyedQueue } from '../base/keyed-queue.ts';
import type { StandBy } from '../client-machine/question.ts';
import type { Reader } from '../feed/reader.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import {
  type Clock,
  type HandsRecord,
  type Log,
  type SandboxKind,
  type Store,
  timestamp,
  Unanswered,
} from '../ports/index.ts';
import { FleetMachines, RemoteMachineChannel } from './fleet-machines.ts';
import { Machine, notConnected } from './machine.ts';
import { MachineSecrets } from './machine-secrets.ts';
import { MachineStream } from './machine-stream.ts';

/** Each stays listed until its owner removes it, so that programs cannot fill the list (CONSENT-12). */
const MAX_MACHINES = 64;

interface MachinesDeps {
  store: Pick<Store, 'hands'>;
  clock: Clock;
  log: Log;
  /** The time for which an operation waits for its machine. */
  waitSecs: number;
  /** Absent: no other kernel uses this database. */
  shared: SharedLog | undefined;
}

/** A machine that connects. */
interface Arrival extends Pick<HandsRecord, 'client_id' | 'name' | 'platform'> {
  /** The ids of its running operations. */
  running: readonly string[];
  /** The sandbox of its commands, if it reports one. */
  sandbox?: SandboxKind | undefined;
  /** A secret that it chose at its first connection. */
  secret?: string | undefined;
}

export class Machines {
  readonly #deps: MachinesDeps;
  /** By client_id. */
  readonly #machines = new Map<string, Machine>();
  /** Serializes connects, disconnects and deletions. */
  readonly #changes = new KeyedQueue();
  readonly #secrets = new MachineSecrets();
  #arrivals = new Set<() => void>();
  readonly #fleet: FleetMachines;
  #closed = false;

  constructor(deps: MachinesDeps) {
    this.#deps = deps;
    this.#fleet = new FleetMachines(deps.shared, {
      all: () => this.#machines.values(),
      get: clientId => this.#machines.get(clientId),
      add: record => this.#add(record),
      connect: (machine, stream, running) => this.#arrived(machine, stream, running),
      remove: machine => this.#forgotten(machine),
    });
  }

  async load(): Promise<void> {
    for (const record of await this.#deps.store.hands.list()) this.#add(record);
    this.#fleet.start();
  }

  /** Sorted by name. */
  list(): HandsList {
    const all = [...this.#machines.values()].map(({ shown }) => shown);
    return { hands: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** Whether the machine with this name is connected. */
  isHere(name: string): boolean {
    return this.#find(name)?.here ?? false;
  }

  /**
   * Opens the stream of a machine; ends an older one of the same client.
   * @throws KernelError name_taken, too_many_machines, shutting_down
   */
  connect({ running, sandbox, secret, ...said }: Arrival): Promise<Reader> {
    return this.#change(async () => {
      const { client_id, name } = said;
      const other = this.#find(name);
      if (other !== undefined && other.record.client_id !== client_id) {
        const detail = `Another machine is named ${name}. Choose another name, or remove that machine.`;
        throw new KernelError('name_taken', detail);
      }
      const proof = this.#secrets.check(client_id, secret, this.#machines.get(client_id)?.record);
      if (!this.#machines.has(client_id) && this.#machines.size >= MAX_MACHINES) {
        const detail = `There are ${MAX_MACHINES} machines, and no more are possible. Remove one first.`;
        throw new KernelError('too_many_machines', detail);
      }
      const record = { ...said, ...proof, since: timestamp(this.#deps.clock) };
      await this.#deps.store.hands.save(record);
      if (this.#closed) throw new KernelError('shutting_down', 'The kernel is shutting down.');
      const machine = this.#machines.get(client_id) ?? this.#add(record);
      machine.record = record;
      const stream = new MachineStream(ended => this.#left(machine, ended), sandbox);
      this.#fleet.connected(machine, stream, running);
      this.#arrived(machine, stream, running);
      return stream;
    });
  }

  /** @throws KernelError not_found */
  forget(client_id: string): Promise<ForgottenHands> {
    return this.#change(async () => {
      const machine = this.#machines.get(client_id);
      if (machine === undefined)
        throw new KernelError('not_found', 'There is no machine with this client_id.');
      await this.#deps.store.hands.delete(client_id);
      this.#fleet.removed(client_id);
      this.#forgotten(machine);
      return { deleted: true, client_id } as const;
    });
  }

  /** The machine of a chat, which may never have been connected. */
  named(name: string): StandBy {
    return {
      name,
      client: () => this.#clientOf(name),
      way: clientId => {
        const machine = this.#machines.get(clientId);
        if (machine === undefined) throw new Unanswered(notConnected(name));
        return machine.way();
      },
    };
  }

  /** Removes the streams of machines on dead kernels. */
  lost(kernels: readonly string[]): void {
    for (const machine of this.#machines.values()) {
      const { stream } = machine;
      if (stream instanceof RemoteMachineChannel && kernels.includes(stream.kernel))
        machine.disconnect(stream);
    }
  }

  /** Publishes all machines again: others had considered this kernel dead, and it may have missed messages. */
  republish(): void {
    this.#fleet.republish();
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    for (const machine of this.#machines.values()) machine.close();
  }

  #arrived(machine: Machine, stream: MachineStream | RemoteMachineChannel, running: readonly string[]): void {
    machine.connect(stream, running, this.#deps.shared === undefined);
    for (const tell of this.#arrivals) tell();
  }

  #forgotten(machine: Machine): void {
    this.#machines.delete(machine.record.client_id);
    this.#secrets.removed(machine.record);
    machine.record = { ...machine.record };
    machine.forget();
  }

  #add(record: HandsRecord): Machine {
    const machine = new Machine(record, this.#deps.clock, this.#deps.waitSecs);
    this.#machines.set(record.client_id, machine);
    return machine;
  }

  #find(name: string): Machine | undefined {
    return [...this.#machines.values()].find(({ record }) => record.name === name);
  }

  /** Waits for a machine that was never connected. @throws Unanswered */
  #clientOf(name: string): Promise<string> {
    const known = this.#find(name);
    if (known !== undefined) return Promise.resolve(known.record.client_id);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const look = () => {
      const found = this.#find(name);
      if (found === undefined) return;
      stop();
      resolve(found.record.client_id);
    };
    const stopTimer = this.#deps.clock.after(this.#deps.waitSecs * 1000, () => {
      stop();
      reject(new Unanswered(notConnected(name)));
    });
    const stop = () => {
      stopTimer();
      this.#arrivals.delete(look);
    };
    this.#arrivals.add(look);
    return promise;
  }

  #left(machine: Machine, stream: MachineStream): void {
    if (!machine.disconnect(stream)) return;
    const record = { ...machine.record, since: timestamp(this.#deps.clock) };
    machine.record = record;
    this.#fleet.disconnected(record);
    if (this.#closed || this.#machines.get(record.client_id) !== machine) return;
    const save = async () => {
      // The machine may have reconnected or been deleted by now.
      if (machine.record === record) await this.#deps.store.hands.save(record);
    };
    void this.#change(save).catch(error =>
      this.#deps.log.warn({ err: error }, 'storing the disconnect time of a machine failed'),
    );
  }

  #change<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#changes.run('machines', change);
  }
}
