/**
 * The preparation of a turn: its chat, model, speaker and tools are found, and files and project brought in, before
 * its model runs.
 */
import { newId } from '../base/ids.ts';
import { unlessEnded } from '../base/until-aborted.ts';
import { isAway } from '../chats/home.ts';
import { deliverFiles, filesHere } from '../client-machine/deliver.ts';
import { whichHands, worksOnClient } from '../client-machine/which-hands.ts';
import { staleState } from '../history/known-state.ts';
import { effortOf, modelOf, noModel } from '../model/choice.ts';
import { tokensOf } from '../model/token-estimate.ts';
import { NO_TRUST, type Trust, trustOf } from '../persons/trust.ts';
import {
  type ChatRecord,
  type NewMessage,
  type OwnMachine,
  type ProjectFiles,
  type Skill,
  type SkillMachine,
  type StoredBlock,
  timestamp,
} from '../ports/index.ts';
import { agentsOf } from './agent.ts';
import { handsAtStart } from './hands.ts';
import { makeRoom } from './make-room.ts';
import type { RunningTurn } from './running-turn.ts';
import { blockedTurn, promptFragments } from './stages.ts';
import { toolGroupLoader, toolsAndPrompt } from './tools-and-prompt.ts';
import { turnContextOf } from './turn-context.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** What a turn sees of its working directory: on the kernel's machine, on its client's, as last seen, or nothing. */
type TurnView = Omit<OwnMachine, 'listDir'> | (ProjectFiles & SkillMachine) | 'remembered' | 'none';

/**
 * Prepares a turn.
 * @param placed true where the message of the turn has its place in the chat already
 * @throws ModelError no_model, blocked_by_module, spend_cap
 */
export async function prepare(
  turn: RunningTurn,
  placed: boolean,
  services: TurnServices,
): Promise<TurnSetup> {
  const { store, models, histories, projects, clock } = services;
  const { chat_id, message_id, parameters } = turn.record;
  const chat = await store.chats.get(chat_id);
  if (chat === undefined) throw new Error(`chat ${chat_id} is gone`);
  const model = modelOf(chat, parameters, models);
  turn.model = model?.record.id ?? null;
  if (!placed) {
    await turn.writes.write({ turn: { status: 'running', started_at: timestamp(clock) }, place: message_id });
    const [message] = await store.messages.listOfTurn(chat_id, turn.record.id);
    if (message) histories.append(chat_id, [message]);
  }
  turn.signal.throwIfAborted();
  if (model === undefined) throw noModel(chat, parameters);
  if (parameters.blocked) throw blockedTurn(parameters.blocked);
  await services.spending.begin(turn, model.record);
  // Clients and modules hear of messages that are stored.
  if (parameters.client_ops || worksOnClient(parameters, chat) || services.stages.has('prompt'))
    await turn.life.stored;

  const { messages } = await turn.history();
  // A turn that was taken up after a restart may have folded its own beginning, so its message is looked for in the
  // store too.
  const message =
    messages.findLast(({ id }) => id === message_id) ?? (await store.messages.get(chat_id, message_id));
  const sender = message?.sender;
  // Where the message is gone, so is its sender, and a speaker without one would count as the master.
  const who = message === undefined ? NO_TRUST : await trustOfSpeaker(turn, sender, services);
  turn.context = turnContextOf(chat_id, parameters, sender, who);
  turn.step.stranger = !turn.context.trusted;
  turn.life.begin();
  if (message !== undefined && !turn.sleep.resumed) {
    turn.effort = effortOf(chat, parameters, message, models, services.settings.llm.reasoning);
    if (turn.context.trusted) await unlessEnded(turn, deliver(message, turn, chat, services));
  }
  if (turn.context.trusted) {
    const { told } = await turn.history();
    await tell(staleState(chat, told, services.memory.forChat(chat)), turn, services);
  }
  // The size after the last trip of the chat, and an estimate for the messages since.
  if (chat.context_tokens > 0) {
    turn.window.estimated(chat.context_tokens + tokensOf(await saidSoFar(turn)));
  }
  const view = parameters.machine === 'none' ? 'none' : projectViewOf(turn, chat, services);
  const blocks = [
    turn.context.trusted && parameters.machine !== 'none'
      ? await unlessEnded(turn, projects.blockFor(chat, view, standbyOf(turn, chat)))
      : undefined,
    await unlessEnded(turn, promptFragments(turn.context, services.stages, turn.signal)),
  ].filter(block => block !== undefined);
  const project = blocks.length > 0 ? blocks.join('\n\n') : undefined;
  const skills = turn.context.trusted ? await unlessEnded(turn, skillsOf(turn, chat, view, services)) : [];
  turn.signal.throwIfAborted();
  const parts = { skills, project };
  const setup: TurnSetup = {
    chat,
    model,
    sender,
    skills,
    ...toolsAndPrompt(turn, chat, parts, services),
    loadTools: toolGroupLoader(turn, () => setup, parts, services),
    runAgent: agentsOf(turn, () => setup, services),
    makeRoom: (options = { refused: false }) => makeRoom(turn, setup, services, options),
  };
  return setup;
}

/** The trust in the speaker, by the marks of this moment: changes that were made while the turn waited count. */
async function trustOfSpeaker(
  { record: { parameters } }: RunningTurn,
  sender: string | undefined,
  { store }: Pick<TurnServices, 'store'>,
): Promise<Trust> {
  const { guest = false, person_id } = parameters;
  const person = person_id === undefined ? undefined : ((await store.persons.get(person_id)) ?? null);
  return trustOf({ sender, guest, person });
}

/**
 * Brings attached files to the client. The model is told, behind the message, of files that are not where their
 * marker says.
 */
async function deliver(
  message: NewMessage,
  turn: RunningTurn,
  chat: ChatRecord,
  services: Pick<TurnServices, 'clock' | 'grants' | 'machines' | 'requests' | 'settings' | 'store'>,
): Promise<void> {
  if (message.content.every(({ internal }) => internal?.deliver_to === undefined)) return;
  const { store } = services;
  // A turn that waited may find its chat on another machine than the one its message was written for.
  const hands = worksOnClient(turn.record.parameters, chat) ? handsAtStart(turn, chat, services) : null;
  const content =
    hands === null ? await filesHere(message, store) : await deliverFiles(message, hands, store, turn.signal);
  turn.signal.throwIfAborted();
  await tell(content, turn, services);
}

/** Puts blocks for the model alone behind the message. */
async function tell(
  content: StoredBlock[],
  turn: RunningTurn,
  { clock }: Pick<TurnServices, 'clock'>,
): Promise<void> {
  if (content.length === 0) return;
  const { id: turn_id, chat_id } = turn.record;
  await turn.store([
    {
      id: newId(),
      chat_id,
      role: 'user',
      turn_id,
      content,
      created_at: timestamp(clock),
      status: 'completed',
    },
  ]);
}

/** The messages of the turn so far. */
async function saidSoFar(turn: RunningTurn): Promise<NewMessage[]> {
  const { messages } = await turn.history();
  const first = messages.findLastIndex(({ turn_id }) => turn_id !== turn.record.id);
  return messages.slice(first + 1);
}

/** The name of the machine that stands by, where the turn works there. */
const standbyOf = ({ record: { parameters } }: RunningTurn, chat: ChatRecord): string | undefined =>
  whichHands(parameters, chat) === 'standby' ? (chat.hands ?? undefined) : undefined;

/** The skills that a turn can use: it looks for those of its working directory where it looks for the project. */
async function skillsOf(
  { record: { parameters } }: RunningTurn,
  chat: ChatRecord,
  view: TurnView,
  { skills }: Pick<TurnServices, 'skills'>,
): Promise<readonly Skill[]> {
  if (typeof view !== 'object') return (await skills.of(chat, view)).skills;
  if (!('listDir' in view)) return (await skills.of(chat, 'server')).skills;
  // A client of its own that does not say so has no such operation; a machine that stands by answers as it can.
  const isDeaf = whichHands(parameters, chat) === 'own' && !parameters.list_dir;
  return (await skills.of(chat, isDeaf ? 'none' : view)).skills;
}

/** The machine where the files of the project can be seen from. */
function projectViewOf(
  turn: RunningTurn,
  chat: ChatRecord,
  services: Pick<
    TurnServices,
    'clock' | 'grants' | 'machine' | 'machines' | 'requests' | 'settings' | 'store'
  >,
): TurnView {
  const { parameters } = turn.record;
  if (isAway(chat, services.store)) return 'remembered';
  if (chat.workdir_on === 'server') return services.machine;
  const which = whichHands(parameters, chat);
  if (which === null) return 'remembered';
  // A machine that is away would only be waited for.
  if (which === 'standby' && chat.hands !== null && !services.machines.isHere(chat.hands))
    return 'remembered';
  // A client without `project_docs` cannot be asked, and may have put the files into `context` itself.
  if (which === 'own' && !parameters.project_docs) return 'none';
  return handsAtStart(turn, chat, services)?.project(services.clock) ?? 'none';
}
