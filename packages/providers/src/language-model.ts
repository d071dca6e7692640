/** A model that turns run on: a request goes out over its provider's wire, events come back. */
import {
  type Clock,
  type LanguageModel,
  type Log,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type RateLimits,
} from '@chat-kernel/kernel';
import { type ModelEntry, undated } from './catalogue/index.ts';
import { type PromptWriter, promptWriter, toolDeclarations } from './prompt/prompt.ts';
import { inWords, refusesSchema, responseFormat } from './prompt/response-format.ts';
import { type Connection, openConnection } from './trip/connection.ts';
import { type Failure, failureOf } from './trip/failures.ts';
import { type Concessions, concessionFor } from './trip/fallback.ts';
import { rateLimitsOf } from './trip/rate-limits.ts';
import { withRetries } from './trip/retry.ts';
import { partReader, StreamFailure } from './trip/stream.ts';
import { takesEffort } from './wire/effort.ts';
import type { PartSource, Wire } from './wire/wire.ts';

/** How long a provider may take to end a response whose content is over. */
const LONGEST_DRAIN_MS = 2_000;

/** A provider, as its models need it. */
export interface Provider {
  name: string;
  timeoutSecs: number;
  /** Never shown in a message. */
  secrets: string[];
  /** Imports the package at the first call. */
  wire(): Promise<Wire>;
  rateLimits?: RateLimits;
}

/** A trip whose first event has come. */
interface Trip {
  events: ModelEvent[];
  /** Puts further events into `events`; false at the end. */
  read(): Promise<boolean>;
  /** Reads what comes after the last event, so that the connection can serve the next trip. */
  drain(): Promise<void>;
  connection: Connection;
}

export function languageModel(
  provider: Provider,
  entry: ModelEntry,
  { clock, log }: { clock: Clock; log: Log },
): LanguageModel {
  const origin = { provider: provider.name, family: undated(entry.name) };
  /** What this model is known to refuse. */
  const learnt: Concessions = {
    forget: false,
    plain: !takesEffort(entry.record.efforts),
    quiet: false,
    loose: false,
  };
  const writers = new Map<boolean, PromptWriter>();
  const failure = (thrown: unknown) => failureOf(thrown, provider.name, provider.secrets);

  function writerFor(wire: Wire, recalls: boolean): PromptWriter {
    let writer = writers.get(recalls);
    if (!writer) {
      writer = promptWriter({ ...origin, wire, recalls }, entry.record.inputs.includes('image'));
      writers.set(recalls, writer);
    }
    return writer;
  }

  async function send(request: ModelRequest, signal: AbortSignal, without: Concessions): Promise<Trip> {
    const wire = await provider.wire();
    const prompt = await writerFor(
      wire,
      !without.forget,
    )(without.loose ? inWords(request) : request).catch(cause => {
      throw new ModelError('internal', 'The chat could not be read for the model.', true, cause);
    });
    const tools = toolDeclarations(request);
    const options = wire.options({ entry, request, prompt, thinks: !without.plain, quiet: without.quiet });
    wire.mark?.(prompt, tools, request.cache);
    const connection = openConnection({
      provider: provider.name,
      signal,
      timeoutSecs: provider.timeoutSecs,
      clock,
      onHeaders(headers) {
        provider.rateLimits = rateLimitsOf(headers, clock) ?? provider.rateLimits;
      },
    });
    try {
      const source = await wire.connect(entry.name, connection).open({
        ...options,
        prompt,
        ...(tools.length > 0 && { tools }),
        ...(request.schema && !without.loose && { responseFormat: responseFormat(request.schema) }),
        abortSignal: connection.signal,
      });
      return await firstEvents(source, connection, request.schema !== undefined && !without.loose);
    } catch (thrown) {
      const reason: unknown = connection.signal.reason;
      connection.close();
      throw reason instanceof ModelError ? reason : thrown;
    }
  }

  async function firstEvents(
    source: PartSource,
    connection: Connection,
    asksForSchema: boolean,
  ): Promise<Trip> {
    const events: ModelEvent[] = [];
    let finished = false;
    let schema_enforced = asksForSchema;
    const readPart = partReader(origin, event => {
      events.push(event.type === 'finish' && schema_enforced ? { ...event, schema_enforced } : event);
      finished ||= event.type === 'finish';
    });
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
          // What came before it in the same piece has been said, and is told first.
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

  /** Sends, and sends again without what the provider refuses. */
  async function open(request: ModelRequest, signal: AbortSignal): Promise<Trip> {
    const without = { ...learnt, loose: request.schema === undefined };
    for (;;) {
      try {
        return await send(request, signal, without);
      } catch (thrown) {
        const asked = concessionFor(failure(thrown).report);
        if (!asked || without[asked]) throw thrown;
        without[asked] = true;
        // What a whole account or a model nobody described refuses, it always does; else it may be this chat.
        if (asked === 'quiet' || (asked === 'plain' && entry.assumed.efforts)) learnt[asked] = true;
        log.info({ model: entry.record.id, without: asked }, 'a provider refused a part of the request');
      }
    }
  }

  return {
    record: entry.record,
    async *stream(request, signal) {
      let trip: Trip | undefined;
      try {
        trip = await withRetries(() => open(request, signal), failure, { clock, log, signal });
        const { events } = trip;
        do {
          for (const event of events) yield event;
          events.length = 0;
        } while (await trip.read());
        leave(trip, clock);
        trip = undefined;
      } catch (thrown) {
        throw endOf(thrown, signal, trip?.connection, failure);
      } finally {
        trip?.connection.close();
      }
    },
  };
}

/** The answer is whole: nobody waits for the last bytes, and what happens to them is nobody's failure. */
function leave({ drain, connection }: Trip, clock: Clock): void {
  const stop = clock.after(LONGEST_DRAIN_MS, connection.close);
  drain()
    .catch(() => undefined)
    .finally(() => {
      stop();
      connection.close();
    });
}

/** An abort and a silence show as all kinds of errors; what caused them stands in the signals. */
function endOf(
  thrown: unknown,
  signal: AbortSignal,
  connection: Connection | undefined,
  failure: (thrown: unknown) => Failure,
): ModelError {
  if (signal.aborted)
    return new ModelError('upstream_error', 'The request was aborted.', false, signal.reason);
  const reason: unknown = connection?.signal.reason;
  return failure(reason instanceof ModelError ? reason : thrown).error;
}
