/** Reads the answer of a provider request as events, from the first one on. */
import type { SharedV4Warning } from '@ai-sdk/provider';
import type { Clock, ModelEvent, Origin } from '@chat-kernel/kernel';
import type { TripConnection } from '../trip/connection.ts';
import { StreamFailure } from '../trip/stream-failure.ts';
import type { PartSource } from './answer.ts';
import { partReader } from './to-events.ts';

/** The time in which a provider must end a response whose content is complete. */
const LONGEST_DRAIN_MS = 2_000;

/** A provider request whose first event has arrived. */
export interface Trip {
  events: ModelEvent[];
  /** Adds further events to `events`; false at the end. */
  read(): Promise<boolean>;
  /** Reads the bytes after the last event, so that the connection can be reused. */
  drain(): Promise<void>;
  connection: TripConnection;
}

interface TripReading {
  /** The request contained a schema for the answer. */
  asksForSchema: boolean;
  /** Gives a call the names that the kernel knows, in place. */
  onCall(call: Extract<ModelEvent, { type: 'call' }>): void;
  onUnread(shape: string): void;
}

/** Resolves when the first event has arrived. Rejects with the error that ended the response before it. */
export async function startTrip(
  source: PartSource,
  connection: TripConnection,
  origin: Omit<Origin, 'metadata'>,
  { asksForSchema, onCall, onUnread }: TripReading,
): Promise<Trip> {
  const events: ModelEvent[] = [];
  let finished = false;
  let schema_enforced = asksForSchema;
  const readPart = partReader(
    origin,
    event => {
      if (event.type === 'call') onCall(event);
      events.push(event.type === 'finish' && schema_enforced ? { ...event, schema_enforced } : event);
      finished ||= event.type === 'finish';
    },
    onUnread,
  );
  let broken: { thrown: unknown } | undefined;
  const read = async (): Promise<boolean> => {
    if (broken) throw broken.thrown;
    while (events.length === 0 && !finished) {
      const parts = await source.read();
      if (parts === null) throw new StreamFailure('The answer broke off before its end.');
      try {
        for (const part of parts) {
          if (part.type === 'stream-start' && refusesSchema(part.warnings)) schema_enforced = false;
          readPart(part);
        }
      } catch (thrown) {
        // Events of the same chunk before the failure are delivered first.
        if (events.length === 0) throw thrown;
        broken = { thrown };
      }
    }
    return events.length > 0;
  };
  const drain = async () => {
    while ((await source.read()) !== null);
  };
  await read();
  return { events, read, drain, connection };
}

/** Drains a complete response in the background: the turn neither waits for the last bytes nor fails with them. */
export function leaveTrip({ drain, connection }: Trip, clock: Clock): void {
  const stop = clock.after(LONGEST_DRAIN_MS, connection.close);
  drain()
    .catch(() => undefined)
    .finally(() => {
      stop();
      connection.close();
    });
}

/** True if the provider package warned that it omits the schema. */
export const refusesSchema = (warnings: readonly SharedV4Warning[]): boolean =>
  warnings.some(warning => warning.type === 'unsupported' && warning.feature === 'responseFormat');
