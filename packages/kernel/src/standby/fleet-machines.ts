/**
 * Exchanges messages about stand-by machines with the other kernels on the same database: which machines each of them
 * has, and operations for their machines (FLEET-4).
 */
import type { HandsEvent } from '@chat-kernel/protocol';
import type { FleetMessage, SharedLog } from '../fleet/shared-log.ts';
import type { HandsRecord, SandboxKind } from '../ports/index.ts';
import type { Machine, MachineChannel } from './machine.ts';
import { MachineStream } from './machine-stream.ts';

/** The channel to a machine whose stream another kernel has. That kernel ends the stream. */
export class RemoteMachineChannel implements MachineChannel {
  readonly kernel: string;
  /** The time in the record of the machine when it connected to that kernel. */
  readonly since: string;
  readonly sandbox: SandboxKind | undefined;
  readonly #shared: SharedLog;
  readonly #client_id: string;

  constructor(
    shared: SharedLog,
    { kernel, record, sandbox }: Pick<FleetMessage & { what: 'machine' }, 'kernel' | 'record' | 'sandbox'>,
  ) {
    this.#shared = shared;
    this.kernel = kernel;
    this.since = record.since;
    this.sandbox = sandbox;
    this.#client_id = record.client_id;
  }

  push(event: HandsEvent): void {
    this.#shared.publish({ what: 'for_machine', to: this.kernel, client_id: this.#client_id, event });
  }

  close(): void {}
}

/** The list of machines, as messages of other kernels read and change it. */
interface MachineList {
  all(): Iterable<Machine>;
  get(client_id: string): Machine | undefined;
  add(record: HandsRecord): Machine;
  connect(machine: Machine, stream: RemoteMachineChannel, running: readonly string[]): void;
  remove(machine: Machine): void;
}

export class FleetMachines {
  /** Undefined if no other kernel uses this database. */
  readonly #shared: SharedLog | undefined;
  readonly #machines: MachineList;
  /** The operations that connected machines reported when they connected, and those that other kernels sent since. */
  readonly #running = new WeakMap<MachineStream, readonly string[]>();
  #started = false;

  constructor(shared: SharedLog | undefined, machines: MachineList) {
    this.#shared = shared;
    this.#machines = machines;
    shared?.onWord(message => {
      // Skip earlier messages: their streams may be over. All kernels publish their machines after the start.
      if (this.#started) this.#onMessage(message, shared);
    });
    shared?.onGap(async () => this.republish());
  }

  /** Asks the other kernels for their machines, once the list is loaded. */
  start(): void {
    this.#started = true;
    this.#requestMachines();
  }

  /** Publishes all machines again: others had considered this kernel dead, and it may have missed messages. */
  republish(): void {
    this.#publishAll();
    this.#requestMachines();
  }

  /** Publishes a machine that has connected to this kernel. */
  connected(machine: Machine, stream: MachineStream, running: readonly string[]): void {
    this.#running.set(stream, running);
    this.#publish(machine, stream);
  }

  /** Publishes that a machine has disconnected from this kernel. */
  disconnected(record: HandsRecord): void {
    const shared = this.#shared;
    shared?.publish({ what: 'machine_left', kernel: shared.own, record });
    // The machine may have moved to another kernel, whose message arrived before this end.
    this.#requestMachines();
  }

  /** Publishes that the owner has removed a machine. */
  removed(client_id: string): void {
    this.#shared?.publish({ what: 'machine_forgotten', client_id });
  }

  #onMessage(message: FleetMessage, shared: SharedLog): void {
    if (message.what === 'which_machines') {
      this.#publishAll();
    } else if (message.what === 'machine') {
      const machine = this.#machines.get(message.record.client_id) ?? this.#machines.add(message.record);
      const { stream } = machine;
      const { kernel, record } = message;
      if (stream instanceof RemoteMachineChannel && stream.kernel === kernel && stream.since === record.since)
        return;
      if (stream instanceof MachineStream && machine.record.since > record.since) return;
      machine.record = record;
      this.#machines.connect(machine, new RemoteMachineChannel(shared, message), message.running);
    } else if (message.what === 'machine_left') {
      const machine = this.#machines.get(message.record.client_id);
      if (!(machine?.stream instanceof RemoteMachineChannel) || machine.stream.kernel !== message.kernel)
        return;
      machine.record = message.record;
      machine.disconnect(machine.stream);
    } else if (message.what === 'machine_forgotten') {
      const machine = this.#machines.get(message.client_id);
      if (machine) this.#machines.remove(machine);
    } else if (message.what === 'for_machine' && message.to === shared.own) {
      const stream = this.#machines.get(message.client_id)?.stream;
      if (!(stream instanceof MachineStream)) return;
      this.#noteOperation(stream, message.event);
      stream.push(message.event);
    }
  }

  #requestMachines(): void {
    this.#shared?.publish({ what: 'which_machines' });
  }

  #publishAll(): void {
    for (const machine of this.#machines.all())
      if (machine.stream instanceof MachineStream) this.#publish(machine, machine.stream);
  }

  #publish({ record }: Machine, stream: MachineStream): void {
    const shared = this.#shared;
    const running = this.#running.get(stream) ?? [];
    const { sandbox } = stream;
    shared?.publish({
      what: 'machine',
      kernel: shared.own,
      record,
      running,
      ...(sandbox !== undefined && { sandbox }),
    });
  }

  #noteOperation(stream: MachineStream, event: HandsEvent): void {
    const others = (this.#running.get(stream) ?? []).filter(id => id !== event.id);
    this.#running.set(stream, event.type === 'client_op' ? [...others, event.id] : others);
  }
}
