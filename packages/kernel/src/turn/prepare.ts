/** Prepares a turn before its model runs: finds chat, model, speaker and tools, and adds files and project. */
import { abortable } from '@chat-kernel/base';
import { isHomeUnreachable } from '../chats/chats.ts';
import { deliverFiles, filesHere } from '../client-machine/deliver.ts';
import { projectSources } from '../client-machine/project-docs.ts';
import { runsOnClient, selectMachine } from '../client-machine/select-machine.ts';
import { noteOutside, outsideAtStart } from '../consent/outside.ts';
import { staleState } from '../history/known-state.ts';
import { noModelError, selectEffort, selectModel } from '../model/choice.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import { NO_TRUST, resolveTrust, type Trust } from '../persons/persons.ts';
import {
  type ChatRecord,
  type FolderReader,
  type LocalMachine,
  type NewMessage,
  type ProjectFiles,
  type PromptSection,
  type StoredBlock,
  timestamp,
  type WorkdirView,
} from '../ports/index.ts';
import { createAgentRunner } from './agent.ts';
import { fitContext } from './fit-context.ts';
import { handsAtStart } from './machines.ts';
import type { RunningTurn } from './running-turn.ts';
import { blockedTurn, promptFragments } from './stages.ts';
import { messageOfTurn } from './step-messages.ts';
import { toolGroupLoader, toolsAndPrompt } from './tools-and-prompt.ts';
import { buildTurnContext } from './turn-context.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** The access of a turn to its working directory: on the kernel's machine, on its client's, as last seen, or none. */
type TurnView = Omit<LocalMachine, 'listDir'> | (ProjectFiles & FolderReader) | 'remembered' | 'none';

/**
 * Prepares a turn.
 * @param placed true if the message of the turn already has a position in the chat
 * @throws ModelError no_model, blocked_by_module, spend_cap
 */
export async function prepare(
  turn: RunningTurn,
  placed: boolean,
  services: TurnServices,
): Promise<TurnSetup> {
  const { store, models, histories, clock } = services;
  const { chat_id, message_id, parameters } = turn.record;
  const chat = turn.chat ?? (await store.chats.get(chat_id));
  if (chat === undefined) throw new Error(`chat ${chat_id} was deleted`);
  const model = selectModel(chat, parameters, models);
  turn.model.id = model?.record.id ?? null;
  if (!placed) {
    await turn.writes.write({ turn: { status: 'running', started_at: timestamp(clock) }, place: message_id });
    const [message] = await store.messages.listOfTurn(chat_id, turn.record.id);
    if (message) histories.append(chat_id, [message]);
  }
  turn.signal.throwIfAborted();
  if (model === undefined) throw noModelError(chat, parameters);
  if (parameters.blocked) throw blockedTurn(parameters.blocked);
  await services.spending.begin(turn, model.record);

  const { messages, outside } = await turn.history();
  // A turn that was resumed after a restart may have compacted its own beginning, so the store is searched for its
  // message too.
  const message =
    messages.findLast(({ id }) => id === message_id) ?? (await store.messages.get(chat_id, message_id));
  const sender = message?.sender;
  // If the message is deleted, so is its sender. A speaker without sender would count as the master.
  const who = message === undefined ? NO_TRUST : await trustOfSpeaker(turn, sender, services);
  turn.context = buildTurnContext(chat_id, parameters, sender, who);
  turn.record.outside = outsideAtStart(outside, sender);
  turn.step.stranger = !turn.context.trusted;
  turn.life.begin();
  if (message !== undefined && !turn.sleep.resumed) {
    turn.effort = selectEffort(chat, parameters, message, models, services.settings.llm.reasoning);
    if (turn.context.trusted) await abortable(deliver(message, turn, chat, services), turn.signal);
  }
  if (turn.context.trusted) {
    const { told } = await turn.history();
    await appendContext(staleState(chat, told, services.features), turn, services);
  }
  // The size after the last provider request of the chat, and an estimate for the messages since.
  if (chat.context_tokens > 0) {
    turn.model.window.estimated(chat.context_tokens + estimateMessageTokens(await saidSoFar(turn)));
  }
  const view = parameters.machine === 'none' ? 'none' : selectProjectView(turn, chat, services);
  const docs =
    turn.context.trusted && parameters.machine !== 'none'
      ? await abortable(
          services.machines.projects.blockFor(chat, view, findStandbyName(turn, chat)),
          turn.signal,
        )
      : undefined;
  const modules = await abortable(promptFragments(turn.context, services.stages, turn.signal), turn.signal);
  const sections = turn.context.trusted
    ? await abortable(promptSections(turn, chat, view, services), turn.signal)
    : [];
  const dirs = [...(docs?.dirs ?? []), ...sections.flatMap(section => section.projects ?? [])];
  noteOutside(turn.record, projectSources(dirs, services.settings.tools.trusted_projects));
  const parts = { sections: sections.map(({ text }) => text), project: docs?.text, modules };
  const setup: TurnSetup = {
    chat,
    model,
    sender,
    ...toolsAndPrompt(turn, chat, parts, services),
    loadTools: toolGroupLoader(turn, () => setup, parts, services),
    runAgent: createAgentRunner(turn, () => setup, services),
    makeRoom: (options = { refused: false }) => fitContext(turn, setup, services, options),
  };
  return setup;
}

/** The trust in the speaker at this moment: changes that were made while the turn waited count. */
async function trustOfSpeaker(
  { record: { parameters } }: RunningTurn,
  sender: string | undefined,
  { store }: Pick<TurnServices, 'store'>,
): Promise<Trust> {
  const { guest = false, person_id } = parameters;
  const person = person_id === undefined ? undefined : ((await store.persons.get(person_id)) ?? null);
  return resolveTrust({ sender, guest, person });
}

/**
 * Sends attached files to the client. A block after the message lists for the model the files that are not at the path
 * in their marker.
 */
async function deliver(
  message: NewMessage,
  turn: RunningTurn,
  chat: ChatRecord,
  services: Pick<TurnServices, 'clock' | 'machines' | 'requests' | 'settings' | 'store'>,
): Promise<void> {
  if (message.content.every(({ internal }) => internal?.deliver_to === undefined)) return;
  const { store } = services;
  // While the turn waited, its chat may have moved to another machine than the one its message was written for.
  const hands = runsOnClient(turn.record.parameters, chat) ? handsAtStart(turn, chat, services) : null;
  const content =
    hands === null ? await filesHere(message, store) : await deliverFiles(message, hands, store, turn.signal);
  turn.signal.throwIfAborted();
  await appendContext(content, turn, services);
}

/** Adds blocks that only the model sees after the message. */
async function appendContext(
  content: StoredBlock[],
  turn: RunningTurn,
  { clock }: Pick<TurnServices, 'clock'>,
): Promise<void> {
  if (content.length === 0) return;
  await turn.store([messageOfTurn(turn.record, 'user', content, clock)]);
}

async function saidSoFar(turn: RunningTurn): Promise<NewMessage[]> {
  const { messages } = await turn.history();
  const first = messages.findLastIndex(({ turn_id }) => turn_id !== turn.record.id);
  return messages.slice(first + 1);
}

/** The name of the stand-by machine if the turn works there. */
const findStandbyName = ({ record: { parameters } }: RunningTurn, chat: ChatRecord): string | undefined =>
  selectMachine(parameters, chat) === 'standby' ? (chat.hands ?? undefined) : undefined;

/**
 * The sections that features add to the prompt. They read the working directory in the same way as the project block.
 */
async function promptSections(
  turn: RunningTurn,
  chat: ChatRecord,
  view: TurnView,
  { features }: Pick<TurnServices, 'features'>,
): Promise<PromptSection[]> {
  const sections: PromptSection[] = [];
  for (const feature of features) {
    const section = await feature.promptSection?.({ key: turn, chat, view: workdirView(turn, chat, view) });
    if (section !== undefined) sections.push(section);
  }
  return sections;
}

function workdirView({ record: { parameters } }: RunningTurn, chat: ChatRecord, view: TurnView): WorkdirView {
  if (typeof view !== 'object') return view;
  if (!('listDir' in view)) return 'server';
  // The turn's client declares whether it can list folders; a stand-by machine fails if it cannot.
  const isDeaf = selectMachine(parameters, chat) === 'own' && !parameters.list_dir;
  return isDeaf ? 'none' : view;
}

/** The machine from which the files of the project are read. */
function selectProjectView(
  turn: RunningTurn,
  chat: ChatRecord,
  services: Pick<TurnServices, 'clock' | 'machines' | 'requests' | 'settings' | 'store'>,
): TurnView {
  const { parameters } = turn.record;
  if (isHomeUnreachable(chat, services.store)) return 'remembered';
  if (chat.workdir_on === 'server') return services.machines.local;
  const which = selectMachine(parameters, chat);
  if (which === null) return 'remembered';
  // An unreachable machine would only delay the turn.
  if (which === 'standby' && chat.hands !== null && !services.machines.standby.isHere(chat.hands))
    return 'remembered';
  // A client without `project_docs` cannot be asked, and may have put the files into `context` itself.
  if (which === 'own' && !parameters.project_docs) return 'none';
  return handsAtStart(turn, chat, services)?.project(services.clock) ?? 'none';
}
