/** The machines that stand by: who is here, who was, and the way of operations to them (HANDS-1 to HANDS-4). */
import { type ForgottenHands, type HandsEvent, type HandsList, KernelError } from '@chat-kernel/protocol';
import { PerKey } from '../base/keyed-queue.ts';
import type { StandBy } from '../client-machine/ask-owner.ts';
import type { Reader } from '../feed/reader.ts';
import type { FleetWord, SharedLog } from '../fleet/shared-log.ts';
import { type Clock, type HandsRecord, type Log, type Store, timestamp, Unanswered } from '../ports/index.ts';
import { WayElsewhere } from './elsewhere.ts';
import { Machine, notConnected } from './machine.ts';
import { MachineStream } from './machine-stream.ts';

interface MachinesDeps {
  store: Pick<Store, 'hands'>;
  clock: Clock;
  log: Log;
  /** How long an operation waits for its machine. */
  waitSecs: number;
  /** Absent: no other kernel has this database. */
  shared: SharedLog | undefined;
}

/** A machine that says it is here. */
interface Arrival extends Pick<HandsRecord, 'client_id' | 'name' | 'platform'> {
  /** The ids of the operations that it is at. */
  running: readonly string[];
}

export class Machines {
  readonly #deps: MachinesDeps;
  /** By client_id. */
  readonly #machines = new Map<string, Machine>();
  /** Changes of who there is come one after the other. */
  readonly #changes = new PerKey();
  #arrivals = new Set<() => void>();
  /** What the machines that are here said they were at when they came, and what other kernels gave them since. */
  readonly #running = new WeakMap<MachineStream, readonly string[]>();
  #loaded = false;
  #closed = false;

  constructor(deps: MachinesDeps) {
    this.#deps = deps;
    deps.shared?.onWord(word => {
      // Words from before are of streams that may be over: who has some is asked behind them.
      if (this.#loaded) this.#hear(word);
    });
    deps.shared?.onGap(async () => this.tellAnew());
  }

  async load(): Promise<void> {
    for (const record of await this.#deps.store.hands.list()) this.#add(record);
    this.#loaded = true;
    this.#deps.shared?.tell({ what: 'which_machines' });
  }

  /** By name. */
  list(): HandsList {
    const all = [...this.#machines.values()].map(({ shown }) => shown);
    return { hands: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** Whether the machine of this name is connected. */
  isHere(name: string): boolean {
    return this.#find(name)?.here ?? false;
  }

  /** The stream of a machine, which ends an older one of the same client. @throws KernelError name_taken, shutting_down */
  connect({ running, ...said }: Arrival): Promise<Reader> {
    return this.#change(async () => {
      const { client_id, name } = said;
      const other = this.#find(name);
      if (other !== undefined && other.record.client_id !== client_id) {
        const detail = `The machine ${name} is another one: choose another name, or have the kernel forget that machine.`;
        throw new KernelError('name_taken', detail);
      }
      const record = { ...said, since: timestamp(this.#deps.clock) };
      await this.#deps.store.hands.save(record);
      if (this.#closed) throw new KernelError('shutting_down', 'The kernel is shutting down.');
      const machine = this.#machines.get(client_id) ?? this.#add(record);
      machine.record = record;
      const stream = new MachineStream(ended => this.#left(machine, ended));
      this.#running.set(stream, running);
      this.#tellOf(machine, stream);
      this.#arrived(machine, stream, running);
      return stream;
    });
  }

  /** @throws KernelError not_found */
  forget(client_id: string): Promise<ForgottenHands> {
    return this.#change(async () => {
      const machine = this.#machines.get(client_id);
      if (machine === undefined) throw new KernelError('not_found', 'No machine has this client_id.');
      await this.#deps.store.hands.delete(client_id);
      this.#deps.shared?.tell({ what: 'machine_forgotten', client_id });
      this.#forgotten(machine);
      return { deleted: true, client_id } as const;
    });
  }

  /** The machine of a chat, which may not have been here yet. */
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

  /** Kernels are gone, and with them the streams of machines. */
  lost(kernels: readonly string[]): void {
    for (const machine of this.#machines.values()) {
      const { stream } = machine;
      if (stream instanceof WayElsewhere && kernels.includes(stream.kernel)) machine.disconnect(stream);
    }
  }

  /** The other kernels had taken this one for dead, and its machines for gone; and it may have missed words of theirs. */
  tellAnew(): void {
    this.#tellOfAll();
    this.#deps.shared?.tell({ what: 'which_machines' });
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    for (const machine of this.#machines.values()) machine.close();
  }

  #hear(word: FleetWord): void {
    const { shared } = this.#deps;
    if (shared === undefined) return;
    if (word.what === 'which_machines') {
      this.#tellOfAll();
    } else if (word.what === 'machine') {
      const machine = this.#machines.get(word.record.client_id) ?? this.#add(word.record);
      const { stream } = machine;
      const { kernel, record } = word;
      if (stream instanceof WayElsewhere && stream.kernel === kernel && stream.since === record.since) return;
      if (stream instanceof MachineStream && machine.record.since > record.since) return;
      machine.record = record;
      this.#arrived(machine, new WayElsewhere(shared, word), word.running);
    } else if (word.what === 'machine_left') {
      const machine = this.#machines.get(word.record.client_id);
      if (!(machine?.stream instanceof WayElsewhere) || machine.stream.kernel !== word.kernel) return;
      machine.record = word.record;
      machine.disconnect(machine.stream);
    } else if (word.what === 'machine_forgotten') {
      const machine = this.#machines.get(word.client_id);
      if (machine) this.#forgotten(machine);
    } else if (word.what === 'for_machine' && word.to === shared.own) {
      const stream = this.#machines.get(word.client_id)?.stream;
      if (!(stream instanceof MachineStream)) return;
      this.#noteGiven(stream, word.event);
      stream.push(word.event);
    }
  }

  #tellOfAll(): void {
    for (const machine of this.#machines.values())
      if (machine.stream instanceof MachineStream) this.#tellOf(machine, machine.stream);
  }

  #noteGiven(stream: MachineStream, event: HandsEvent): void {
    const others = (this.#running.get(stream) ?? []).filter(id => id !== event.id);
    this.#running.set(stream, event.type === 'client_op' ? [...others, event.id] : others);
  }

  #tellOf({ record }: Machine, stream: MachineStream): void {
    const { shared } = this.#deps;
    const running = this.#running.get(stream) ?? [];
    shared?.tell({ what: 'machine', kernel: shared.own, record, running });
  }

  #arrived(machine: Machine, stream: MachineStream | WayElsewhere, running: readonly string[]): void {
    machine.connect(stream, running, this.#deps.shared === undefined);
    for (const tell of this.#arrivals) tell();
  }

  #forgotten(machine: Machine): void {
    this.#machines.delete(machine.record.client_id);
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

  /** Waits for a machine that was never here. @throws Unanswered */
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
    const { shared } = this.#deps;
    shared?.tell({ what: 'machine_left', kernel: shared.own, record });
    // It may have gone to another kernel, whose word came before this end.
    shared?.tell({ what: 'which_machines' });
    if (this.#closed || this.#machines.get(record.client_id) !== machine) return;
    const save = async () => {
      // It may have come back, or be forgotten, by now.
      if (machine.record === record) await this.#deps.store.hands.save(record);
    };
    void this.#change(save).catch(error =>
      this.#deps.log.warn({ err: error }, 'when a machine left could not be stored'),
    );
  }

  #change<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#changes.run('machines', change);
  }
}
