/**
 * Reaches stand-by machines that are connected to other kernels on the same database: each kernel knows where each
 * machine is connected, and sends through that kernel (FLEET-4).
 */
import type { HandsEvent } from '@chat-kernel/protocol';
import type { FleetMessage, SharedLog } from '../fleet/shared-log.ts';
import type { SandboxKind } from '../ports/index.ts';
import type { MachineChannel } from './machine.ts';

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
