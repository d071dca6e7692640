/** A model for turns: sends requests over its provider's API, and returns events. */
import { setImmediate as nextTick } from 'node:timers/promises';
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
import { openConnection, type TripConnection } from './trip/connection.ts';
import { type FailedProvider, type TripFailure, toTripFailure, webPageError } from './trip/failures.ts';
import { type Fallbacks, fallbackFor } from './trip/fallback.ts';
import { parseRateLimits } from './trip/rate-limits.ts';
import { withRetries } from './trip/retry.ts';
import { partReader, StreamFailure } from './trip/stream.ts';
import { takesEffort } from './wire/effort.ts';
import type { PartSource, ProviderWire } from './wire/wire.ts';

/** Number of messages. */
const LONG_HISTORY = 1000;
/** The time in which a provider must end a response whose content is complete. */
const LONGEST_DRAIN_MS = 2_000;

/** A provider, as required by its models. */
export interface Provider extends FailedProvider {
  timeoutSecs: number;
  /** Imports the package on the first call. */
  wire(): Promise<ProviderWire>;
  rateLimits?: RateLimits;
}

/** A provider request whose first event has arrived. */
interface Trip {
  events: ModelEvent[];
  /** Adds further events to `events`; false at the end. */
  read(): Promise<boolean>;
  /** Reads the bytes after the last event, so that the connection can be reused. */
  drain(): Promise<void>;
  connection: TripConnection;
}

export function languageModel(
  provider: Provider,
  entry: ModelEntry,
  { clock, log }: { clock: Clock; log: Log },
): LanguageModel {
  const origin = { provider: provider.name, family: undated(entry.name) };
  /** The fallbacks that this model is known to need. */
  const learnt: Fallbacks = {
    forget: false,
    plain: !takesEffort(entry.record.efforts),
    quiet: false,
    loose: false,
    renamed: false,
  };
  const writers = new Map<boolean, PromptWriter>();
  const failure = (thrown: unknown) => toTripFailure(thrown, provider);

  function writerFor(wire: ProviderWire, recalls: boolean): PromptWriter {
    let writer = writers.get(recalls);
    if (!writer) {
      writer = promptWriter({ ...origin, wire, recalls }, entry.record.inputs.includes('image'));
      writers.set(recalls, writer);
    }
    return writer;
  }

  async function send(
    request: ModelRequest,
    signal: AbortSignal,
    fallbacks: Fallbacks,
    fresh: boolean,
  ): Promise<Trip> {
    const wire = await provider.wire();
    const { forget, plain, quiet, loose, renamed } = fallbacks;
    const writePrompt = writerFor(wire, !forget);
    // The caller has just assembled a long history: yield to the event loop before the rest of the work (SAFE-3).
    if (request.messages.length > LONG_HISTORY) await nextTick();
    const prompt = await writePrompt(loose ? inWords(request) : request).catch(cause => {
      throw new ModelError('internal', 'The chat could not be read for the model.', true, cause);
    });
    const tools = toolDeclarations(request, wire);
    const options = wire.options({ entry, request, prompt, thinks: !plain, quiet, renamed });
    wire.mark?.(prompt, tools, request.cache);
    let isPage = false;
    const connection = openConnection({
      provider: provider.name,
      signal,
      timeoutSecs: provider.timeoutSecs,
      clock,
      trace: request.trace,
      fresh,
      onHeaders(headers) {
        provider.rateLimits = parseRateLimits(headers, clock) ?? provider.rateLimits;
        isPage = /text\/html/.test(headers.get('content-type') ?? '');
      },
    });
    try {
      const source = await wire.connect(entry.name, connection).open({
        ...options,
        prompt,
        ...(tools.length > 0 && { tools }),
        ...(request.schema && !loose && { responseFormat: responseFormat(request.schema) }),
        abortSignal: connection.signal,
      });
      const names = new Map(request.tools.map(({ name }) => [wire.toolName(name), name]));
      return await firstEvents(source, connection, names, request.schema !== undefined && !loose);
    } catch (thrown) {
      const reason: unknown = connection.signal.reason;
      connection.close();
      if (reason instanceof ModelError) throw reason;
      // Some servers label their stream as a web page as well, so only a failed read shows that it is one.
      throw isPage && failure(thrown).report.status === undefined ? webPageError(provider) : thrown;
    }
  }

  async function firstEvents(
    source: PartSource,
    connection: TripConnection,
    names: ReadonlyMap<string, string>,
    asksForSchema: boolean,
  ): Promise<Trip> {
    const events: ModelEvent[] = [];
    let finished = false;
    let schema_enforced = asksForSchema;
    const readPart = partReader(origin, event => {
      if (event.type === 'call') event.name = names.get(event.name) ?? event.name;
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

  /** Sends the request, and repeats it without the parts that the provider refuses. */
  async function open(request: ModelRequest, signal: AbortSignal, fresh: boolean): Promise<Trip> {
    const fallbacks: Fallbacks = { ...learnt, loose: request.schema === undefined };
    for (;;) {
      try {
        return await send(request, signal, fallbacks, fresh);
      } catch (thrown) {
        const fallback = fallbackFor(failure(thrown).report);
        if (!fallback || fallbacks[fallback]) throw thrown;
        fallbacks[fallback] = true;
        // A refusal that depends on the account or the model will happen again; any other may depend on this chat.
        const isLasting =
          fallback === 'quiet' || fallback === 'renamed' || (fallback === 'plain' && entry.assumed.efforts);
        if (isLasting) learnt[fallback] = true;
        log.info({ model: entry.record.id, without: fallback }, 'a provider refused a part of the request');
      }
    }
  }

  return {
    record: entry.record,
    async *stream(request, signal) {
      let trip: Trip | undefined;
      try {
        const options = { clock, log, signal, onWait: request.onWait };
        trip = await withRetries(fresh => open(request, signal, fresh), failure, options);
        const { events } = trip;
        do {
          for (const event of events) yield event;
          events.length = 0;
        } while (await trip.read());
        leave(trip, clock);
        trip = undefined;
      } catch (thrown) {
        throw toModelError(thrown, signal, trip?.connection, failure);
      } finally {
        trip?.connection.close();
      }
    },
  };
}

/** Drains a complete response in the background: the turn neither waits for the last bytes nor fails with them. */
function leave({ drain, connection }: Trip, clock: Clock): void {
  const stop = clock.after(LONGEST_DRAIN_MS, connection.close);
  drain()
    .catch(() => undefined)
    .finally(() => {
      stop();
      connection.close();
    });
}

/** Aborts and timeouts appear as various errors; the signals have the cause. */
function toModelError(
  thrown: unknown,
  signal: AbortSignal,
  connection: TripConnection | undefined,
  failure: (thrown: unknown) => TripFailure,
): ModelError {
  if (signal.aborted)
    return new ModelError('upstream_error', 'The request was aborted.', false, signal.reason);
  const reason: unknown = connection?.signal.reason;
  return failure(reason instanceof ModelError ? reason : thrown).error;
}
