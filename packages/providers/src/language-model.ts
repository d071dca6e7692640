/** A model for turns: sends requests over its provider's API, and returns events. */
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type Clock,
  type LanguageModel,
  type Log,
  ModelError,
  type ModelRequest,
  type RateLimits,
} from '@chat-kernel/kernel';
import { leaveTrip, startTrip, type Trip } from './answers/trip.ts';
import { type ModelEntry, undated } from './catalogue/index.ts';
import { type PromptWriter, promptWriter } from './prompt/prompt.ts';
import { inWords, responseFormat } from './prompt/response-format.ts';
import { declareTools, prepareTools, restoreCall, translateInputs } from './prompt/tools.ts';
import { Repairs } from './repair/repairs.ts';
import { ToolOmissions } from './repair/tool-omissions.ts';
import { openConnection, type TripConnection } from './trip/connection.ts';
import { type FailedProvider, type TripFailure, toTripFailure, webPageError } from './trip/failures.ts';
import { type Fallbacks, fallbackFor } from './trip/fallback.ts';
import { parseRateLimits } from './trip/rate-limits.ts';
import type { ErrorReport } from './trip/report.ts';
import { withRetries } from './trip/retry.ts';
import { takesEffort } from './wire/effort.ts';
import type { ProviderWire } from './wire/wire.ts';

/** Number of messages. */
const LONG_HISTORY = 1000;
/** The parts that one request may lose. */
const MAX_REPAIRS = 8;

/** A provider, as required by its models. */
export interface Provider extends FailedProvider {
  timeoutSecs: number;
  /** Imports the package on the first call. */
  wire(): Promise<ProviderWire>;
  rateLimits?: RateLimits;
}

export interface ModelPorts {
  clock: Clock;
  log: Log;
  /** Called for each part of an answer that was not understood. `shape`: its name on the API. */
  onUnread(provider: string, shape: string): void;
}

export function languageModel(
  provider: Provider,
  entry: ModelEntry,
  { clock, log, onUnread }: ModelPorts,
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
  const repairs = new Repairs();
  const writers = new Map<boolean, PromptWriter>();
  const omissions = new ToolOmissions();
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
    onSent: (body: string) => void,
  ): Promise<Trip> {
    const wire = await provider.wire();
    const { forget, plain, quiet, loose, renamed } = fallbacks;
    const writePrompt = writerFor(wire, !forget);
    // The caller has just assembled a long history: yield to the event loop before the rest of the work (SAFE-3).
    if (request.messages.length > LONG_HISTORY) await nextTick();
    await prepareTools(request.tools, wire);
    const { tools, declared, omitted } = declareTools(request.tools, wire);
    if (omissions.beyond(tools.length, omitted)) {
      const facts = { model: entry.record.id, tools: tools.length, omitted };
      log.warn(facts, 'a request has more tools than its provider accepts: the last ones were left out');
    }
    const written = await writePrompt(loose ? inWords(request) : request).catch(cause => {
      throw new ModelError('internal', 'The chat could not be read for the model.', true, cause);
    });
    const prompt = translateInputs(written, declared);
    const options = wire.options({ entry, request, prompt, thinks: !plain, quiet, renamed });
    wire.mark?.(prompt, tools, request.cache);
    let isPage = false;
    const connection = openConnection({
      provider: provider.name,
      signal,
      timeoutSecs: provider.timeoutSecs,
      clock,
      fresh,
      onBody(body) {
        const sent = repairs.apply(body, request.cache_key);
        onSent(sent);
        return sent;
      },
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
      const asksForSchema = request.schema !== undefined && !loose;
      return await startTrip(source, connection, origin, {
        asksForSchema,
        onCall: call => restoreCall(call, declared),
        onUnread: shape => onUnread(provider.name, shape),
      });
    } catch (thrown) {
      const reason: unknown = connection.signal.reason;
      connection.close();
      if (reason instanceof ModelError) throw reason;
      // Some servers label their stream as a web page as well, so only a failed read shows that it is one.
      throw isPage && failure(thrown).report.status === undefined ? webPageError(provider) : thrown;
    }
  }

  /** Sends the request, and repeats it without the parts that the provider refuses. */
  async function open(request: ModelRequest, signal: AbortSignal, fresh: boolean): Promise<Trip> {
    const fallbacks: Fallbacks = { ...learnt, loose: request.schema === undefined };
    let sent = '';
    for (let repaired = 0; ; ) {
      try {
        return await send(request, signal, fallbacks, fresh, body => {
          sent = body;
        });
      } catch (thrown) {
        const { error, report } = failure(thrown);
        const fallback = fallbackFor(report);
        if (fallback && !fallbacks[fallback]) fallBack(fallbacks, fallback);
        else if (repaired++ === MAX_REPAIRS || !(await repair(request, report, sent, error.message)))
          throw thrown;
      }
    }
  }

  function fallBack(fallbacks: Fallbacks, fallback: keyof Fallbacks): void {
    fallbacks[fallback] = true;
    // A refusal that depends on the account or the model will happen again; any other may depend on this chat.
    const isLasting =
      fallback === 'quiet' || fallback === 'renamed' || (fallback === 'plain' && entry.assumed.efforts);
    if (isLasting) learnt[fallback] = true;
    log.info({ model: entry.record.id, without: fallback }, 'a provider refused a part of the request');
  }

  /** Leaves the part that a refusal names out of this request and of later ones. False: it names none. */
  async function repair(
    request: ModelRequest,
    report: ErrorReport,
    body: string,
    why: string,
  ): Promise<boolean> {
    const wire = await provider.wire();
    const found = repairs.learn(report, body, request.cache_key);
    if (!found) return false;
    const tool =
      found.tool && (declareTools(request.tools, wire).declared.get(found.tool)?.name ?? found.tool);
    log.warn(
      { model: entry.record.id, tool },
      `a provider refused a part of the request, which is left out from now on: ${why}`,
    );
    if (tool !== null) omissions.refused(tool, why);
    request.onRepair?.({ tool, why });
    return true;
  }

  return {
    record: entry.record,
    omittedTools: () => omissions.list(),
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
        leaveTrip(trip, clock);
        trip = undefined;
      } catch (thrown) {
        throw toModelError(thrown, signal, trip?.connection, failure);
      } finally {
        trip?.connection.close();
      }
    },
  };
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
