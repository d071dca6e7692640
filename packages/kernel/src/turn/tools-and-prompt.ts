/**
 * The tools of a turn, and the lines of the prompt about those that are on demand, until the model loads them
 * (BT-11).
 */
import { PerKey } from '../base/keyed-queue.ts';
import { oneLine } from '../base/one-line.ts';
import { worksOnClient } from '../client-machine/which-hands.ts';
import { type ChatRecord, type Skill, type TurnParameters, timestamp } from '../ports/index.ts';
import { skillLines } from '../skills/chat-skills.ts';
import { extraTools } from '../toolbox/extra-tools.ts';
import type { OnDemandGroup } from '../toolbox/toolbox.ts';
import { systemOf } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** The part of a setup that changes when a group is loaded. */
type ToolsAndPrompt = Pick<TurnSetup, 'tools' | 'onDemand' | 'system' | 'agent_system'>;

/** The parts of the prompt that come from outside of the kernel. */
interface PromptParts {
  skills: readonly Skill[];
  /** The [project] block, and the parts that modules add; undefined where there are none. */
  project: string | undefined;
}

/** The tools of a turn and its prompt. */
export function toolsAndPrompt(
  { record: { parameters }, context }: RunningTurn,
  chat: Pick<ChatRecord, 'toolset' | 'workdir_on' | 'hands'>,
  { skills, project }: PromptParts,
  { toolbox, settings }: Pick<TurnServices, 'settings' | 'toolbox'>,
): ToolsAndPrompt {
  const { tools, onDemand } = toolbox.offer(withHands(parameters, chat), chat.toolset, context);
  const parts = [skillLines(skills), project].filter(part => part !== undefined);
  const outside = parts.length > 0 ? parts.join('\n\n') : undefined;
  const { system_prompt } = settings.llm;
  const { extra_tool_timeout_secs } = settings.requests;
  return {
    // Extra tools stand behind the others, whose order must not change from turn to turn.
    tools: new Map([...tools, ...extraTools(parameters, extra_tool_timeout_secs)]),
    onDemand,
    system: systemOf(system_prompt, linesOf(onDemand), outside),
    agent_system: systemOf(system_prompt, undefined, outside),
  };
}

/**
 * Loads groups of tools for the chat and for the running turn, whose next trip offers them; for the turn alone where its
 * speaker is not trusted (WHO-3).
 */
export function toolGroupLoader(
  turn: RunningTurn,
  setup: () => TurnSetup,
  parts: PromptParts,
  services: Pick<TurnServices, 'clock' | 'events' | 'settings' | 'store' | 'toolbox'>,
): TurnSetup['loadTools'] {
  const { chat_id, parameters } = turn.record;
  const { trusted } = turn.context;
  // Two loads of one step must not overwrite each other.
  const loads = new PerKey();
  return group =>
    loads.run(chat_id, async () => {
      const chat = trusted ? await services.store.chats.get(chat_id) : setup().chat;
      if (chat === undefined) throw new Error('The chat is gone.');
      const { tools, onDemand } = services.toolbox.offer(
        withHands(parameters, chat),
        chat.toolset,
        turn.context,
      );
      const wanted = onDemand.find(({ name }) => name === group);
      if (wanted === undefined) {
        const there = [...tools.values()].filter(tool => tool.group === group).map(({ name }) => name);
        if (there.length > 0) return there;
        const names = onDemand.map(({ name }) => name).join(', ') || 'none';
        throw new Error(`There is no group ${group} to load. Groups: ${names}.`);
      }
      const toolset = { ...chat.toolset, loaded: [...chat.toolset.loaded, group] };
      const changed = trusted ? await storeToolset(turn, toolset, services) : { ...chat, toolset };
      Object.assign(setup(), { chat: changed, ...toolsAndPrompt(turn, changed, parts, services) });
      return wanted.tools;
    });
}

/** A turn that works on a machine that stands by gets the tools that need one; questions are for its own client. */
function withHands(
  parameters: TurnParameters,
  chat: Pick<ChatRecord, 'workdir_on' | 'hands'>,
): TurnParameters {
  const { client_ops = false, questions = client_ops } = parameters;
  return worksOnClient(parameters, chat) ? { ...parameters, client_ops: true, questions } : parameters;
}

async function storeToolset(
  { record: { chat_id }, epoch }: Pick<RunningTurn, 'epoch' | 'record'>,
  toolset: ChatRecord['toolset'],
  { store, events, clock }: Pick<TurnServices, 'clock' | 'events' | 'store'>,
): Promise<ChatRecord> {
  const chat = await store.chats.update(chat_id, { toolset, updated_at: timestamp(clock) }, epoch);
  if (chat === undefined) throw new Error('The chat is gone.');
  events.chatUpdated(chat);
  return chat;
}

function linesOf(onDemand: readonly OnDemandGroup[]): string | undefined {
  if (onDemand.length === 0) return undefined;
  const lines = onDemand.map(
    ({ name, about }) =>
      `On demand, load with load_tools: ${name}${about === '' ? '' : ` (${oneLine(about)})`}`,
  );
  return ['[tools]', ...lines].join('\n');
}
