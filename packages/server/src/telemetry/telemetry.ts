/**
 * What is told to an OpenTelemetry collector: nothing of this folder but this file is loaded where the settings name none
 * (docs/decisions/0046).
 */
import { type Clock, type Log, type Models, NO_TRACING, type Store, type Tracing } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';

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

const OFF: Telemetry = {
  tracing: NO_TRACING,
  store: store => store,
  models: models => models,
  stop: async () => {},
};

export async function openTelemetry(
  { otlp_url, headers }: Settings['telemetry'],
  deps: TelemetryDeps,
): Promise<Telemetry> {
  if (otlp_url === null) return OFF;
  const { openSpans } = await import('./open-spans.ts');
  return openSpans({ otlp_url, headers }, deps);
}
