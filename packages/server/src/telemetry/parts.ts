/** Defines the parts of the kernel that telemetry observes, and its dependencies. */
import type { Clock, Log, Models, TurnObserver } from '@chat-kernel/kernel';
import type { Forwarder } from './traced-store.ts';

export interface Telemetry {
  /** Records turns and their calls as spans; absent if there are no spans. */
  observer?: TurnObserver;
  /** Returns the store, or another object with parts, and records each call as a span if it is made for a turn. */
  store<Parts extends object>(parts: Parts): Parts;
  /** Returns the models, and records each request as a span. */
  models<Found extends Models>(models: Found): Found;
  /** Returns the sender of requests to other kernels, and records each forwarded one as a span. */
  hops<Sender extends Forwarder>(hops: Sender): Sender;
  /** Sends the remaining spans. Never rejects, and takes at most a few seconds. */
  stop(): Promise<void>;
}

/** The facts about the kernel in the spans, and the dependencies of telemetry. */
export interface TelemetryDeps {
  version: string;
  /** The id of the kernel, new with each start. */
  id: string;
  /** The database, by its OpenTelemetry name. */
  database: 'postgresql' | 'sqlite';
  log: Log;
  clock: Clock;
}
