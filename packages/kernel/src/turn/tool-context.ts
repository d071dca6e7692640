/** Builds the context of a tool call: the chat, the client machine, and what the call may change. */
import { newId } from '../base/ids.ts';
import { homeKernelFor } from '../chats/chats.ts';
import type { EditNotes } from '../client-machine/question.ts';
import { runsOnClient } from '../client-machine/select-machine.ts';
import { WholeCall } from '../client-machine/whole-call.ts';
import { uploadedFile } from '../files/attached.ts';
import { mayStrangerRead } from '../history/for-stranger.ts';
import { type KnownState, planFingerprint } from '../history/known-state.ts';
import { raise } from '../model/effort.ts';
import { type NotedEdit, type Tool, type ToolContext, timestamp } from '../ports/index.ts';
import { askOwner } from './ask-owner.ts';
import { clientMachine, requestActConsent, requestLocalConsent } from './machines.ts';
import type { Call } from './model-request.ts';
import { beginContext, whileWanted } from './request-opener.ts';
import type { Run } from './running-turn.ts';
import { sleepThrough } from './sleeping.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

export interface CallScope extends Pick<ToolContext, 'signal'> {
  /** The state of the chat that the model knows from the result; filled by the call. */
  told: KnownState;
}

/** @param call marked as denied if the user denies an operation of it */
export function toolContext(
  run: Run,
  setup: TurnSetup,
  call: Call,
  { told, signal }: CallScope,
  services: TurnServices,
): ToolContext {
  const { store, clock } = services;
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
  const edits = createEditNotes(run, call.id, services);
  const operations = () => setup.tools.get(call.name)?.operationsOf?.(call.checked ?? call.input) ?? [];
  const whole = parameters.whole_calls ? new WholeCall(operations) : undefined;
  const hands = runsOnClient(parameters, chat)
    ? clientMachine(turn, () => setup.chat, services, { request, agent, edits, whole })
    : null;
  return {
    ...begin,
    turn,
    get chat() {
      return setup.chat;
    },
    parameters,
    sender,
    hands,
    consent(operation) {
      const tool = setup.tools.get(call.name) as Tool;
      const options = { request, agent, whole };
      return requestLocalConsent(turn, () => setup.chat, services, options, { operation, tool });
    },
    consentToAct(act, unwanted) {
      const wanted = { request: whileWanted(request, unwanted), agent };
      return requestActConsent(turn, () => setup.chat, services, wanted, act);
    },
    noteEdit: edits.onServer,
    askOwner: (question, unwanted) => askOwner(turn, question, AbortSignal.any([signal, unwanted]), services),
    async uploadedFile(id) {
      const { messages } = await turn.history();
      if (!turn.context.trusted && !mayStrangerRead(id, messages, turn.record.id)) return undefined;
      return uploadedFile(id, store);
    },
    signal,
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
      await store.chats.update(turn.held, { plan: tasks });
      told.plan = planFingerprint(tasks);
      if (!turn.feed.closed) turn.feed.plan(tasks, timestamp(clock));
    },
    chatUpdated(updated) {
      setup.chat = updated;
    },
    held: turn.held,
    async knownState(feature) {
      return (await turn.history()).told[feature];
    },
    noteState(feature, fingerprint) {
      told[feature] = fingerprint;
    },
    async setWorkdir(workdir) {
      signal.throwIfAborted();
      const workdir_on = hands === null ? 'server' : 'client';
      const home = homeKernelFor(workdir_on, store);
      const changes = { workdir, workdir_on, home, updated_at: timestamp(clock) } as const;
      setup.chat = (await store.chats.update(turn.held, changes)) ?? setup.chat;
      services.events.chatUpdated(setup.chat);
    },
    async loadTools(group) {
      signal.throwIfAborted();
      return setup.loadTools(group);
    },
    sleep(until, reason) {
      signal.throwIfAborted();
      if (turn.sleep.active) throw new Error('the turn is already asleep');
      return sleepThrough(turn, { until, reason, call_id: call.id }, signal, services);
    },
    runAgent: job => setup.runAgent(job, { signal, call_id: call.id }),
  };
}

interface OwnNotes extends EditNotes {
  /** Records an edit on the kernel's machine; resolves with its id. */
  onServer(path: string): Promise<string>;
}

/**
 * The recorder for the edits of one call. If an edit cannot be recorded, for example on a full disk, it is made anyway.
 */
function createEditNotes(
  { turn, lead_call }: Run,
  callId: string,
  { machines: { undo }, log }: Pick<TurnServices, 'log' | 'machines'>,
): OwnNotes {
  const { id: turn_id, chat_id } = turn.record;
  const call_id = lead_call ?? callId;
  const failed = (error: unknown) =>
    log.warn({ err: error, turn_id }, 'recording an edit failed; rewinding will not undo it');
  const note = (edit: Omit<NotedEdit, 'turn_id' | 'call_id' | 'by_agent'>) =>
    undo
      .note(chat_id, { turn_id, call_id, ...(lead_call !== undefined && { by_agent: true }), ...edit })
      .catch(failed);
  return {
    begin: edit => note({ machine: 'client', ...edit }),
    refused: opId => undo.refused(chat_id, opId).catch(failed),
    async onServer(path) {
      const op_id = newId();
      await note({ machine: 'server', op_id, path });
      return op_id;
    },
  };
}
