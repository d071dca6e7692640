/** Makes one provider request: adds its events to the step, which sends them to the feed. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { imageMarker, type JsonObject } from '@chat-kernel/protocol';
import { wellFormed } from '@chat-kernel/text';
import { v4 as uuidv4 } from 'uuid';
import { loopTime } from '../base/loop-time.ts';
import { forStranger } from '../history/for-stranger.ts';
import { priced } from '../model/pricing.ts';
import { estimatedUsage, estimateTokens, prefixChars } from '../model/token-estimate.ts';
import {
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  type Tool,
  type TripUsage,
  timestamp,
} from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import { fitInput, inputInText } from '../toolbox/fit-input.ts';
import { requestFor } from './prompt.ts';
import { beginContext } from './request-opener.ts';
import type { Run, TripCost } from './running-turn.ts';
import { judgeCall, type Passed } from './stages.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

export interface Call {
  id: string;
  name: string;
  input: JsonObject;
  /** `input` matches the schema of the tool. */
  matches?: boolean;
  /** The input with which the tool runs, once modules have checked it. */
  checked?: JsonObject;
  /** The text that the model sent instead of a JSON object. */
  invalid?: string;
  /** The output of a call that began when it was shown, or that modules blocked. */
  output?: Promise<Passed>;
  /** Modules have already permitted the call. */
  passed?: true;
  /** The user has denied an operation of this call on a client's machine. */
  denied?: true;
}

export interface Reply {
  calls: Call[];
  finish: Extract<ModelEvent, { type: 'finish' }>['reason'];
  /** The names of the parts that were not understood. */
  unread: Set<string>;
}

/**
 * Makes one provider request; returns the calls that the model made.
 * @param reservation released when the request is over, however it ends
 * @throws ModelError
 */
export async function requestModel(
  run: Run,
  setup: TurnSetup,
  services: Pick<TurnServices, 'clock' | 'log' | 'requests' | 'stages' | 'store'>,
  reservation: Reservation,
): Promise<Reply> {
  const { request, idsOf } = await buildModelRequest(run, setup, services).catch(error => {
    reservation.free();
    throw error;
  });
  const reply: Reply = { calls: [], finish: 'other', unread: new Set() };
  run.step.model = setup.model.record.id;
  let used: TripUsage | null = null;
  let received = 0;
  let hasPaused = false;
  run.endRequest = () => {
    run.endRequest = () => {};
    // A provider bills a canceled request without reporting its usage, so the cost is estimated.
    if (used === null && (received > 0 || run.signal.aborted)) used = estimatedUsage(request, received);
    if (used !== null) {
      const cost = computeCost(setup.model, request, used);
      run.step.bill(cost.usage);
      run.recordTrip(cost, reservation);
    }
    reservation.free();
  };
  try {
    for await (const event of setup.model.stream(request, run.signal)) {
      // The first event is sent before those that arrived with it are processed.
      if (received > 0 && !hasPaused) {
        hasPaused = true;
        await nextTick();
      }
      const due = loopTime();
      if (due) await due;
      if (run.signal.aborted) break;
      received += countChars(event);
      if (event.type === 'finish') {
        reply.finish = event.reason;
        used = event.usage;
      } else {
        await take(event, run, setup, idsOf, services, reply);
      }
    }
  } finally {
    run.endRequest();
  }
  return reply;
}

/** The next provider request, and the ids that its calls may have. */
async function buildModelRequest(
  run: Run,
  setup: TurnSetup,
  services: Pick<TurnServices, 'store'>,
): Promise<{ request: ModelRequest; idsOf: CallIds }> {
  const history = await run.history();
  const { messages, callIds, summary } = history;
  run.signal.throwIfAborted();
  const { context, record } = run.turn;
  const seen = context.trusted ? messages : forStranger(history, record.id);
  const request = requestFor(run, setup, seen, services.store);
  const idsOf: CallIds = {
    known: callIds,
    // Compacted history begins with the last compacted message, so each compaction has a different suffix.
    suffix: summary === null ? '' : `_${messages[0]?.id.slice(-12)}`,
  };
  return { request, idsOf };
}

/** The characters of an event, for providers that do not count tokens. */
function countChars(event: ModelEvent): number {
  if ('text' in event) return event.text.length;
  return event.type === 'call' ? JSON.stringify(event.input).length : 1;
}

/**
 * Adds an event to the step. The function is not async because that would cost time for each token: only images and
 * modules that check a call need to be awaited.
 */
function take(
  event: Exclude<ModelEvent, { type: 'finish' }>,
  run: Run,
  setup: TurnSetup,
  callIds: CallIds,
  services: Pick<TurnServices, 'clock' | 'requests' | 'stages' | 'store'>,
  reply: Reply,
): Promise<void> | undefined {
  const { step } = run;
  switch (event.type) {
    case 'text':
      step.write('text', event.text, event.refusal);
      return undefined;
    case 'thinking':
      step.write('thinking', event.text);
      return undefined;
    case 'end':
      step.endBlock(event.block, event.origin);
      return undefined;
    case 'call':
      return takeCall(event, run, setup, callIds, services, reply);
    case 'image':
      return storeImage(event, run, services);
    case 'unread':
      if (!reply.unread.has(event.shape)) step.note('content_unread', `(${event.shape})`);
      reply.unread.add(event.shape);
      return undefined;
    default:
      return event satisfies never;
  }
}

/** Shows a call. If it begins when it is shown, modules check it first; they check other calls before these run. */
function takeCall(
  { id: given, name, ...event }: Extract<ModelEvent, { type: 'call' }>,
  run: Run,
  setup: TurnSetup,
  callIds: CallIds,
  services: Pick<TurnServices, 'requests' | 'stages'>,
  reply: Reply,
): Promise<void> | undefined {
  const { turn, signal, step } = run;
  const inText = event.invalid === undefined ? undefined : inputInText(event.invalid);
  const invalid = inText === undefined ? event.invalid : undefined;
  // The model reads its own call again, so text that is not JSON is kept in a form that the model can see.
  const input = wellFormed(inText ?? (invalid === undefined ? event.input : { not_json: invalid }));
  const tool = invalid === undefined ? setup.tools.get(name) : undefined;
  const call = {
    id: freshCallId(given, callIds),
    name,
    // Converted before anything is derived from it: modules, the user and the tool get the same input, and the model gets
    // its own again.
    ...(tool === undefined ? { input } : fitInput(tool.input_schema, input)),
  };
  const show = (shown: Call) => {
    step.call(shown.id, name, shown.input, event.origin, shown.input === input ? undefined : input);
    reply.calls.push(shown);
  };
  if (tool?.begin === undefined || !services.stages.has('tool_call')) {
    show(invalid === undefined ? begin(run, tool, call, services) : { ...call, invalid });
    return undefined;
  }
  return judgeCall(call, turn.context, services.stages, signal).then(judged => {
    if (signal.aborted) return;
    const passed = judged.refused
      ? { ...call, output: Promise.resolve(judged.refused) }
      : begin(run, tool, { id: call.id, name, input: judged.input }, services);
    show({ ...passed, passed: true });
  });
}

/** Begins a call as it is shown. A call without such a beginning runs with the others of its step. */
function begin(
  run: Run,
  tool: Tool | undefined,
  call: Pick<Call, 'id' | 'name' | 'input' | 'matches'>,
  services: Pick<TurnServices, 'requests'>,
): Call {
  const begun = tool?.begin?.(call.input, beginContext(run, call.id, services));
  return begun ? { ...call, input: begun.input, output: begun.output } : call;
}

interface CallIds {
  known: Set<string>;
  /** A suffix that makes ids differ from those before the compaction, which the history no longer contains. */
  suffix: string;
}

/** The length from which an id is considered random and not a counter. */
const RANDOM_CHARS = 16;

/**
 * An id for a call that is unique in its chat, because items are linked by it: some servers count calls from 0 in each
 * answer, or send no ids.
 */
function freshCallId(given: string, { known, suffix }: CallIds): string {
  const id = given.length < RANDOM_CHARS ? `${given || 'call'}${suffix}` : given;
  let fresh = id;
  for (let n = 2; known.has(fresh); n++) fresh = `${id}_${n}`;
  known.add(fresh);
  return fresh;
}

async function storeImage(
  image: Extract<ModelEvent, { type: 'image' }>,
  run: Run,
  { store, clock }: Pick<TurnServices, 'clock' | 'store'>,
): Promise<void> {
  const id = uuidv4();
  const url = `/images/${id}`;
  const { media_type, bytes } = image;
  await store.images.save(
    { id, chat_id: run.turn.record.chat_id, media_type, created_at: timestamp(clock) },
    bytes,
  );
  const drawn = { image_id: id, media_type, url };
  run.step.image({ type: 'text', text: imageMarker(id, url), internal: { drawn } });
}

const computeCost = ({ record }: LanguageModel, request: ModelRequest, used: TripUsage): TripCost => ({
  model: record.id,
  usage: priced(used, record.price),
  prefix_tokens: Math.min(estimateTokens(prefixChars(request)), used.prompt_tokens),
});
