/** The calls of one step: side by side, each with exactly one result. */
import { type JsonObject, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { AtOnce } from '../base/at-once.ts';
import { awayWords, homeFor, isAway } from '../chats/home.ts';
import { pastChatsOf } from '../chats/past-chats.ts';
import { worksOnClient } from '../client-machine/which-hands.ts';
import { uploadedFile } from '../files/attached.ts';
import { mayStrangerRead } from '../history/for-stranger.ts';
import {
  type KnownState,
  memoryFingerprint,
  notebookFingerprint,
  planFingerprint,
} from '../history/known-state.ts';
import { shortId } from '../memory/told.ts';
import { raise } from '../model/effort.ts';
import { type Tool, type ToolContext, type ToolOutput, timestamp } from '../ports/index.ts';
import { askOwner } from './ask-owner.ts';
import { editNotesOf } from './edit-notes.ts';
import { consentOf, handsOf } from './hands.ts';
import type { RepeatedCalls } from './repeated-calls.ts';
import { beginContext } from './request-opener.ts';
import type { Run } from './running-turn.ts';
import { sleepThrough } from './sleeping.ts';
import { inSpanOfCall } from './spans.ts';
import { type Passed, passCall, passResult } from './stages.ts';
import { markerOf, shownImages } from './tool-images.ts';
import type { Call } from './trip.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/**
 * Runs all calls of a step; returns whether one of them ends the turn. Rejects when the turn is to end.
 * @param repeats is told of the calls that were refused
 */
export async function runCalls(
  run: Run,
  setup: TurnSetup,
  calls: readonly Call[],
  services: TurnServices,
  repeats: RepeatedCalls,
): Promise<boolean> {
  // The turn may have been ended while its calls were being stored.
  run.signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const step = new AbortController();
  const giveUp = () => reject(run.signal.reason);
  run.signal.addEventListener('abort', giveUp);
  const running = calls.map(async call => {
    const told: KnownState = {};
    const {
      output,
      is_error = false,
      ends_turn = false,
      images = [],
      blocked,
      refused = false,
    } = await inSpanOfCall(run, call.id, setup.tools.get(call.name), services, trace =>
      runCall(run, setup, call, { told, signal: step.signal, trace }, services),
    );
    if (blocked !== undefined) run.turn.blocked.push(blocked);
    if (refused || (call.denied && is_error)) repeats.refused(call, output);
    const shown = await shownImages(images, call.id, run, services);
    run.step.result(call.id, [output, ...shown.map(markerOf)].join('\n'), is_error, { told, images: shown });
    // The siblings of a call that ends the turn get the synthetic result when the turn closes.
    if (ends_turn && !is_error) resolve(true);
  });
  Promise.all(running).then(() => resolve(false), reject);
  return promise.finally(() => {
    run.signal.removeEventListener('abort', giveUp);
    // Calls that still run, for whatever cause, are told to stop.
    step.abort();
  });
}

interface Scope extends Pick<ToolContext, 'signal' | 'trace'> {
  /** The state of the chat that the model knows by the result; the call fills it in. */
  told: KnownState;
}

/** Runs one call. Never throws: every failure becomes an error that the model can read. */
async function runCall(
  run: Run,
  setup: TurnSetup,
  call: Call,
  scope: Scope,
  services: TurnServices,
): Promise<Passed> {
  const { signal } = scope;
  const tool = setup.tools.get(call.name);
  if (tool === undefined) return refusal(noTool(call.name, setup));
  if (call.invalid !== undefined) {
    return refusal(
      `The input of ${call.name} was not a JSON object. Call it again with one that fits its schema.`,
    );
  }
  if (tool.on_machine && isAway(setup.chat, services.store)) return refusal(awayWords(setup.chat));
  try {
    const context = contextOf(run, setup, call, scope, services);
    const runTool = (input: JsonObject) => runOf(tool, run, () => tool.run(input, context), signal);
    // The call began when it was shown, behind the stage that judges calls.
    if (call.output !== undefined) {
      return await passResult(call.name, await call.output, context, services.stages);
    }
    if (call.passed) return await passResult(call.name, await runTool(call.input), context, services.stages);
    return await passCall(call, context, services.stages, runTool);
  } catch (error) {
    // The tool has stopped because it was told to.
    if (signal.aborted) return failure(UNFINISHED_RESULT);
    // The message may quote what the tool read, which is for the model and not for the log.
    services.log.warn(
      { tool: call.name, turn_id: run.turn.record.id, error: nameOf(error) },
      'a tool failed',
    );
    return failure(`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs a tool; one that may run only so often at once in a turn waits for its place. */
function runOf(
  { name, at_once }: Tool,
  { turn }: Run,
  work: () => Promise<ToolOutput>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (at_once === undefined) return work();
  const places = turn.places.get(name) ?? new AtOnce(at_once);
  turn.places.set(name, places);
  return places.run(work, signal);
}

function contextOf(
  run: Run,
  setup: TurnSetup,
  call: Call,
  { told, signal, trace }: Scope,
  services: TurnServices,
): ToolContext {
  const { store, clock, notebooks, books, memory } = services;
  const { turn, agent } = run;
  const { chat, model, sender } = setup;
  const { parameters } = turn.record;
  const begin = beginContext(run, call.id, services);
  const request: ToolContext['request'] = opening => {
    signal.throwIfAborted();
    const handle = begin.request(opening);
    void handle.ending.then(ending => {
      if (ending.reason === 'answered' && ending.answer.decision === 'deny') call.denied = true;
    });
    return handle;
  };
  const edits = editNotesOf(run, call.id, services);
  const hands = worksOnClient(parameters, chat)
    ? handsOf(turn, () => setup.chat, services, { request, agent, edits })
    : null;
  return {
    ...begin,
    chat,
    parameters,
    sender,
    hands,
    consent: consentOf(turn, () => setup.chat, services, { request, agent }),
    noteEdit: edits.onServer,
    askOwner: (question, unwanted) => askOwner(turn, question, AbortSignal.any([signal, unwanted]), services),
    shelf: books.shelf(chat.shelf),
    async uploadedFile(id) {
      const { messages } = await turn.history();
      if (!turn.context.trusted && !mayStrangerRead(id, messages, turn.record.id)) return undefined;
      return uploadedFile(id, store);
    },
    signal,
    trace,
    request,
    now: () => clock.now(),
    progress: output => run.step.progress(call.id, output),
    raiseEffort() {
      signal.throwIfAborted();
      const raised = raise(turn.effort, model.record.efforts);
      if (raised === null) return null;
      turn.effort = raised;
      return raised.value;
    },
    async setPlan(tasks) {
      signal.throwIfAborted();
      await store.chats.update(turn.record.chat_id, { plan: tasks }, turn.epoch);
      told.plan = planFingerprint(tasks);
      if (!turn.feed.closed) turn.feed.plan(tasks, timestamp(clock));
    },
    async changeNotebook(change) {
      signal.throwIfAborted();
      const known = setup.chat.notebook;
      setup.chat = await notebooks.change(
        turn.record.chat_id,
        text => {
          const changed = change(text);
          // The model does not know a text that somebody else has written meanwhile.
          if (text === known) told.notebook = notebookFingerprint(changed);
          return changed;
        },
        turn.epoch,
      );
      return setup.chat.notebook;
    },
    async changeMemory(wish) {
      signal.throwIfAborted();
      const { told: known } = await turn.history();
      const { chat_id, id: turn_id } = turn.record;
      const { changed, before } = await memory.wish(wish, { chat_id, turn_id, epoch: turn.epoch });
      // The model does not know what somebody else has changed meanwhile.
      if (memoryFingerprint(before) === (known.memory ?? memoryFingerprint([]))) {
        told.memory = memoryFingerprint(memory.entries);
      }
      const { chars, max_chars } = memory.shown();
      return { written: changed.map(({ id }) => shortId(id)), chars, max_chars };
    },
    async openSkill(name) {
      const skill = setup.skills.find(each => each.name === name);
      if (skill !== undefined) return { ...skill, files: await services.skills.filesOf(skill) };
      throw new Error(
        `there is no skill ${name}. Skills: ${setup.skills.map(each => each.name).join(', ') || 'none'}`,
      );
    },
    pastChats: pastChatsOf(store),
    async setWorkdir(workdir) {
      signal.throwIfAborted();
      const workdir_on = hands === null ? 'server' : 'client';
      const home = homeFor(workdir_on, store);
      const changes = { workdir, workdir_on, home, updated_at: timestamp(clock) } as const;
      setup.chat = (await store.chats.update(turn.record.chat_id, changes, turn.epoch)) ?? setup.chat;
      services.events.chatUpdated(setup.chat);
    },
    async loadTools(group) {
      signal.throwIfAborted();
      return setup.loadTools(group);
    },
    sleep(until, reason) {
      signal.throwIfAborted();
      if (turn.sleep.active) throw new Error('the turn sleeps already');
      return sleepThrough(turn, { until, reason, call_id: call.id }, signal, services);
    },
    runAgent: job => setup.runAgent(job, { signal, trace, call_id: call.id }),
  };
}

function noTool(name: string, { tools, onDemand }: TurnSetup): string {
  const group = onDemand.find(({ tools: members }) => members.includes(name));
  if (group) return `${name} is not loaded: call load_tools with the group ${group.name} first.`;
  return `There is no tool ${name}. Tools: ${[...tools.keys()].join(', ')}.`;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const refusal = (output: string): ToolOutput => ({ output, is_error: true, refused: true });

const failure = (output: string): ToolOutput => ({ output, is_error: true });
