/** The parts of the kernel that telemetry sees, and what it needs to know of the kernel. */
import type { Clock, Log, Models, Store, Tracing } from '@chat-kernel/kernel';

export interface Telemetry {
  tracing: Tracing;
  /** Returns the store, each call of which is a span where it is made for a turn. */
  store(store: Store): Store;
  /** Returns the models, each request to which is a span. */
  models<Found extends Models>(models: Found): Found;
  /** Sends what is left. Never rejects, and takes no longer than some seconds. */
  stop(): Promise<void>;
}

/** What the spans say of the kernel, and what they need of it. */
export interface TelemetryDeps {
  version: string;
  /** The id of the kernel, new with each start. */
  id: string;
  /** The database, by the name that OpenTelemetry has for it. */
  database: 'postgresql' | 'sqlite';
  log: Log;
  clock: Clock;
}
