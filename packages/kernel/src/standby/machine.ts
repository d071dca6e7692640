/**
 * Manages one stand-by machine: its stream while it is connected, and the operations that were sent to it. Operations
 * are never sent twice: if the machine does not know a sent operation when it reconnects, the operation ends (HANDS-4).
 */
import { BoundedMap } from '@chat-kernel/base';
import {
  type HandsEvent,
  NOWHERE_ID,
  type PendingRequest,
  type Resolution,
  type StandByHands,
} from '@chat-kernel/protocol';
import type { StandBy } from '../client-machine/question.ts';
import type { Clock, HandsRecord, RequestChannel } from '../ports/index.ts';
import type { MachineStream } from './machine-stream.ts';

/** The channel for events to a machine: its stream, or the kernel that has it. */
export type MachineChannel = Pick<MachineStream, 'push' | 'close' | 'sandbox'>;

/** The maximum number of ended operations that are kept, so that a machine that reconnects learns how they ended. */
const MAX_HISTORY = 200;

/** An operation that waits for the machine or runs on it. */
interface DispatchedOperation {
  readonly request: PendingRequest;
  readonly fail: (reason: string) => void;
  sent: boolean;
  stopTimer: () => void;
}

export class Machine {
  record: HandsRecord;
  #stream: MachineChannel | null = null;
  readonly #given = new Map<string, DispatchedOperation>();
  readonly #ended = new BoundedMap<string, HandsEvent>(MAX_HISTORY);
  readonly #clock: Clock;
  readonly #waitSecs: number;

  /** @param waitSecs the time for which an operation waits for the machine to reconnect */
  constructor(record: HandsRecord, clock: Clock, waitSecs: number) {
    this.record = record;
    this.#clock = clock;
    this.#waitSecs = waitSecs;
  }

  get shown(): StandByHands {
    const { secret_hash: _, ...shown } = this.record;
    return { ...shown, here: this.#stream !== null };
  }

  get here(): boolean {
    return this.#stream !== null;
  }

  /** The current channel; null if the machine is not connected. */
  get stream(): MachineChannel | null {
    return this.#stream;
  }

  /**
   * Connects the machine by this stream.
   * @param running the operations that the machine reports as running
   * @param isAlone false if another kernel may have sent it operations
   */
  connect(stream: MachineChannel, running: readonly string[], isAlone = true): void {
    this.#stream?.close();
    this.#stream = stream;
    for (const [id, operation] of this.#given) {
      operation.stopTimer();
      if (!operation.sent) this.#send(operation);
      else if (!running.includes(id)) operation.fail(lost(this.record.name));
    }
    for (const id of running.filter(id => !this.#given.has(id))) {
      const ended = this.#ended.get(id) ?? (isAlone ? unknown(id) : undefined);
      if (ended) stream.push(ended);
    }
  }

  /** Removes the ended stream; returns false if a newer one has replaced it. */
  disconnect(stream: MachineChannel): boolean {
    if (this.#stream !== stream) return false;
    this.#stream = null;
    for (const operation of this.#given.values()) this.#await(operation);
    return true;
  }

  /** Ends all operations of the machine, because it must not reconnect. */
  forget(): void {
    this.#stream?.close();
    this.#stream = null;
    for (const operation of [...this.#given.values()]) operation.fail(notConnected(this.record.name));
  }

  close(): void {
    this.#stream?.close();
  }

  /** The channel for one operation to this machine. */
  way(): ReturnType<StandBy['way']> {
    let failure: string | undefined;
    const channel: RequestChannel = {
      opened: (request, expire) => {
        const fail = (reason: string) => {
          failure = reason;
          expire();
        };
        const operation: DispatchedOperation = { request, fail, sent: false, stopTimer() {} };
        this.#given.set(request.id, operation);
        if (this.#stream) this.#send(operation);
        else this.#await(operation);
      },
      resolved: resolution => this.#end(resolution),
    };
    return { channel, failure: () => failure, sandbox: this.#stream?.sandbox };
  }

  #send(operation: DispatchedOperation): void {
    const { chat_id, turn_id, event } = operation.request;
    if (event.type !== 'client_op') return;
    operation.sent = true;
    this.#stream?.push({ ...event, chat_id, turn_id });
  }

  #await(operation: DispatchedOperation): void {
    const fail = () => operation.fail(notConnected(this.record.name));
    operation.stopTimer = this.#clock.after(this.#waitSecs * 1000, fail);
  }

  #end(resolution: Resolution): void {
    const operation = this.#given.get(resolution.id);
    if (operation === undefined) return;
    operation.stopTimer();
    this.#given.delete(resolution.id);
    if (!operation.sent) return;
    const { chat_id, turn_id } = operation.request;
    const event: HandsEvent = { type: 'request_resolved', chat_id, turn_id, ...resolution };
    this.#ended.set(resolution.id, event);
    this.#stream?.push(event);
  }
}

/** The text for the model (HANDS-4). */
export const notConnected = (name: string): string => `The machine ${name} is not connected.`;

const lost = (name: string): string =>
  `The machine ${name} reconnected without this operation. It may have run partly or completely.`;

/** For an operation that is unknown, for example after a restart of the kernel. */
const unknown = (id: string): HandsEvent => ({
  type: 'request_resolved',
  chat_id: NOWHERE_ID,
  turn_id: NOWHERE_ID,
  id,
  kind: 'op',
  reason: 'turn_ended',
});
