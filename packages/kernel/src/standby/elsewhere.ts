/**
 * Machines that stand by at other kernels on the same database: each kernel knows where each machine is, and what one has
 * for a machine goes through the kernel that has its stream (FLEET-4).
 */
import type { HandsEvent } from '@chat-kernel/protocol';
import type { FleetWord, SharedLog } from '../fleet/shared-log.ts';
import type { MachineWay } from './machine.ts';

/** The way to a machine whose stream another kernel has. That one ends the stream. */
export class WayElsewhere implements MachineWay {
  readonly kernel: string;
  /** As in the record of the machine when it came there. */
  readonly since: string;
  readonly #shared: SharedLog;
  readonly #client_id: string;

  constructor(
    shared: SharedLog,
    { kernel, record }: Pick<FleetWord & { what: 'machine' }, 'kernel' | 'record'>,
  ) {
    this.#shared = shared;
    this.kernel = kernel;
    this.since = record.since;
    this.#client_id = record.client_id;
  }

  push(event: HandsEvent): void {
    this.#shared.tell({ what: 'for_machine', to: this.kernel, client_id: this.#client_id, event });
  }

  close(): void {}
}
