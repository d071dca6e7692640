/** The machines that stand by: who is here, who was, and the way of operations to them (HANDS-1 to HANDS-4). */
import { type ForgottenHands, type HandsList, KernelError } from '@chat-kernel/protocol';
import { PerKey } from '../base/keyed-queue.ts';
import type { StandBy } from '../client-machine/ask-owner.ts';
import type { Reader } from '../feed/reader.ts';
import { type Clock, type HandsRecord, type Log, type Store, timestamp, Unanswered } from '../ports/index.ts';
import { Machine, notConnected } from './machine.ts';
import { MachineStream } from './machine-stream.ts';

interface MachinesDeps {
  store: Pick<Store, 'hands'>;
  clock: Clock;
  log: Log;
  /** How long an operation waits for its machine. */
  waitSecs: number;
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
  #closed = false;

  constructor(deps: MachinesDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    for (const record of await this.#deps.store.hands.list()) this.#add(record);
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
      machine.connect(stream, running);
      for (const tell of this.#arrivals) tell();
      return stream;
    });
  }

  /** @throws KernelError not_found */
  forget(client_id: string): Promise<ForgottenHands> {
    return this.#change(async () => {
      const machine = this.#machines.get(client_id);
      if (machine === undefined) throw new KernelError('not_found', 'No machine has this client_id.');
      await this.#deps.store.hands.delete(client_id);
      this.#machines.delete(client_id);
      machine.record = { ...machine.record };
      machine.forget();
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

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    for (const machine of this.#machines.values()) machine.close();
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
