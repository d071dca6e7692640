/** What a tool is given for a call: the chat, its hands, and what it may change. */
import { homeFor } from '../chats/home.ts';
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
import { type ToolContext, timestamp } from '../ports/index.ts';
import { askOwner } from './ask-owner.ts';
import { editNotesOf } from './edit-notes.ts';
import { actConsentOf, consentOf, handsOf } from './hands.ts';
import { beginContext, whileWanted } from './request-opener.ts';
import type { Run } from './running-turn.ts';
import { sleepThrough } from './sleeping.ts';
import type { Call } from './trip.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

export interface CallScope extends Pick<ToolContext, 'signal' | 'trace'> {
  /** The state of the chat that the model knows by the result; the call fills it in. */
  told: KnownState;
}

/** @param call is marked where its owner denies it */
export function toolContext(
  run: Run,
  setup: TurnSetup,
  call: Call,
  { told, signal, trace }: CallScope,
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
    consentToAct(act, unwanted) {
      const wanted = { request: whileWanted(request, unwanted), agent };
      return actConsentOf(turn, () => setup.chat, services, wanted, act);
    },
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
    pastChats: pastChatsOf(store, turn.record.id),
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
