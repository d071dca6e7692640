/**
 * One machine that stands by: its stream while it is here, and the operations that it was given. None is sent twice: one
 * that was sent, and that the machine does not know of when it comes back, ends (HANDS-4).
 */
import {
  type HandsEvent,
  NOWHERE_ID,
  type PendingRequest,
  type Resolution,
  type StandByHands,
} from '@chat-kernel/protocol';
import type { Clock, HandsRecord, RequestChannel } from '../ports/index.ts';
import type { MachineStream } from './machine-stream.ts';

/** The way of events to a machine: its stream, or the kernel that has it. */
export type MachineWay = Pick<MachineStream, 'push' | 'close'>;

/** The ended operations that are remembered, to tell a machine that comes back how they ended. */
const REMEMBERED = 200;

/** An operation that waits for the machine, or is done by it. */
interface Given {
  readonly request: PendingRequest;
  readonly fail: (reason: string) => void;
  sent: boolean;
  stopTimer: () => void;
}

export class Machine {
  record: HandsRecord;
  #stream: MachineWay | null = null;
  readonly #given = new Map<string, Given>();
  readonly #ended = new Map<string, HandsEvent>();
  readonly #clock: Clock;
  readonly #waitSecs: number;

  /** @param waitSecs how long an operation waits for the machine to come back */
  constructor(record: HandsRecord, clock: Clock, waitSecs: number) {
    this.record = record;
    this.#clock = clock;
    this.#waitSecs = waitSecs;
  }

  get shown(): StandByHands {
    return { ...this.record, here: this.#stream !== null };
  }

  get here(): boolean {
    return this.#stream !== null;
  }

  /** How it is reached now; null: it is not here. */
  get stream(): MachineWay | null {
    return this.#stream;
  }

  /**
   * The machine is here, by this stream.
   * @param running the operations that it says it is at
   * @param isAlone false where another kernel may have given it operations
   */
  connect(stream: MachineWay, running: readonly string[], isAlone = true): void {
    this.#stream?.close();
    this.#stream = stream;
    for (const [id, given] of this.#given) {
      given.stopTimer();
      if (!given.sent) this.#send(given);
      else if (!running.includes(id)) given.fail(lost(this.record.name));
    }
    for (const id of running.filter(id => !this.#given.has(id))) {
      const ended = this.#ended.get(id) ?? (isAlone ? unknown(id) : undefined);
      if (ended) stream.push(ended);
    }
  }

  /** The stream is over; false where a newer one has taken its place. */
  disconnect(stream: MachineWay): boolean {
    if (this.#stream !== stream) return false;
    this.#stream = null;
    for (const given of this.#given.values()) this.#await(given);
    return true;
  }

  /** The machine is not to come back: what it was given ends. */
  forget(): void {
    this.#stream?.close();
    this.#stream = null;
    for (const given of [...this.#given.values()]) given.fail(notConnected(this.record.name));
  }

  close(): void {
    this.#stream?.close();
  }

  /** The way of one operation to this machine. */
  way(): { channel: RequestChannel; failure(): string | undefined } {
    let failure: string | undefined;
    const channel: RequestChannel = {
      opened: (request, expire) => {
        const fail = (reason: string) => {
          failure = reason;
          expire();
        };
        const given: Given = { request, fail, sent: false, stopTimer() {} };
        this.#given.set(request.id, given);
        if (this.#stream) this.#send(given);
        else this.#await(given);
      },
      resolved: resolution => this.#end(resolution),
    };
    return { channel, failure: () => failure };
  }

  #send(given: Given): void {
    const { chat_id, turn_id, event } = given.request;
    if (event.type !== 'client_op') return;
    given.sent = true;
    this.#stream?.push({ ...event, chat_id, turn_id });
  }

  #await(given: Given): void {
    const fail = () => given.fail(notConnected(this.record.name));
    given.stopTimer = this.#clock.after(this.#waitSecs * 1000, fail);
  }

  #end(resolution: Resolution): void {
    const given = this.#given.get(resolution.id);
    if (given === undefined) return;
    given.stopTimer();
    this.#given.delete(resolution.id);
    if (!given.sent) return;
    const { chat_id, turn_id } = given.request;
    const event: HandsEvent = { type: 'request_resolved', chat_id, turn_id, ...resolution };
    this.#ended.set(resolution.id, event);
    if (this.#ended.size > REMEMBERED) this.#ended.delete(this.#ended.keys().next().value as string);
    this.#stream?.push(event);
  }
}

/** The words for the model (HANDS-4). */
export const notConnected = (name: string): string => `The machine ${name} is not connected.`;

const lost = (name: string): string =>
  `The machine ${name} lost its connection and came back without this operation: it may have been done, in part or whole.`;

/** For an operation that is no more, such as after a restart of the kernel. */
const unknown = (id: string): HandsEvent => ({
  type: 'request_resolved',
  chat_id: NOWHERE_ID,
  turn_id: NOWHERE_ID,
  id,
  kind: 'op',
  reason: 'turn_ended',
});
