/**
 * Builds the tools of a turn, and the lines of the prompt that list tools on demand until the model loads them (BT-11).
 */
import { KeyedQueue } from '../base/keyed-queue.ts';
import { oneLine } from '../base/text.ts';
import { runsOnClient } from '../client-machine/select-machine.ts';
import { type ChatRecord, type TurnParameters, timestamp } from '../ports/index.ts';
import { extraTools } from '../toolbox/extra-tools.ts';
import type { OnDemandGroup } from '../toolbox/toolbox.ts';
import { buildSystemPrompt } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';
import type { PromptPart, TurnSetup } from './turn-setup.ts';

/** The part of a setup that changes when a group is loaded. */
type ToolsAndPrompt = Pick<TurnSetup, 'tools' | 'onDemand' | 'system' | 'prompt_parts' | 'agent_system'>;

/** The parts of the prompt that do not come from the kernel. */
interface PromptParts {
  /** The sections of features. */
  sections: readonly string[];
  /** The [project] block; undefined if there is none. */
  project: string | undefined;
  /** The parts of modules; undefined if there are none. */
  modules?: string | undefined;
}

export function toolsAndPrompt(
  { record: { parameters }, context }: RunningTurn,
  chat: Pick<ChatRecord, 'toolset' | 'workdir_on' | 'hands'>,
  { sections, project, modules }: PromptParts,
  { toolbox, settings }: Pick<TurnServices, 'settings' | 'toolbox'>,
): ToolsAndPrompt {
  const { tools, onDemand } = toolbox.offer(withHands(parameters, chat), chat.toolset, context);
  const parts = [...sections, project, modules].filter(part => part !== undefined);
  const outside = parts.length > 0 ? parts.join('\n\n') : undefined;
  const loadable = renderOnDemandTools(onDemand);
  const { system_prompt } = settings.llm;
  const { extra_tool_timeout_secs } = settings.requests;
  return {
    // Extra tools come after the others, whose order must not change between turns.
    tools: new Map([...tools, ...extraTools(parameters, extra_tool_timeout_secs)]),
    onDemand,
    system: buildSystemPrompt(system_prompt, loadable, outside),
    prompt_parts: promptParts(system_prompt, loadable, { sections, project, modules }),
    agent_system: buildSystemPrompt(system_prompt, undefined, outside),
  };
}

/** The parts of the prompt as its user knows them, to name the one that fills the context window. */
function promptParts(
  opening: string | null,
  onDemand: string | undefined,
  { sections, project, modules }: PromptParts,
): PromptPart[] {
  const plural = (subject: string, advice: string, text: string | undefined): PromptPart[] =>
    text === undefined ? [] : [{ subject, isPlural: true, advice, text }];
  return [
    ...plural('The instructions in llm.system_prompt', 'Shorten them', opening ?? undefined),
    ...plural('The descriptions of tools on demand', 'Remove some of these tools', onDemand),
    // A feature names its section in the first line.
    ...sections.flatMap(text =>
      plural(`The ${/^\[(\w+)\]/.exec(text)?.[1] ?? 'features'} in the prompt`, 'Remove some of them', text),
    ),
    ...plural('The instructions of the project', 'Shorten its files with instructions', project),
    ...plural('The instructions of modules', 'Remove a module', modules),
  ];
}

/**
 * Loads groups of tools for the chat and the running turn; the next provider request offers them. Changes only the turn
 * if its speaker is not trusted (WHO-3).
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
  const loads = new KeyedQueue();
  return group =>
    loads.run(chat_id, async () => {
      const chat = trusted ? await services.store.chats.get(chat_id) : setup().chat;
      if (chat === undefined) throw new Error('The chat was deleted.');
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

/**
 * Enables the tools that need a client machine if the turn works on a stand-by machine; questions still go to the
 * client of the turn.
 */
function withHands(
  parameters: TurnParameters,
  chat: Pick<ChatRecord, 'workdir_on' | 'hands'>,
): TurnParameters {
  const { client_ops = false, questions = client_ops } = parameters;
  return runsOnClient(parameters, chat) ? { ...parameters, client_ops: true, questions } : parameters;
}

async function storeToolset(
  { held }: Pick<RunningTurn, 'held'>,
  toolset: ChatRecord['toolset'],
  { store, events, clock }: Pick<TurnServices, 'clock' | 'events' | 'store'>,
): Promise<ChatRecord> {
  const chat = await store.chats.update(held, { toolset, updated_at: timestamp(clock) });
  if (chat === undefined) throw new Error('The chat was deleted.');
  events.chatUpdated(chat);
  return chat;
}

function renderOnDemandTools(onDemand: readonly OnDemandGroup[]): string | undefined {
  if (onDemand.length === 0) return undefined;
  const lines = onDemand.map(
    ({ name, about }) =>
      `On demand, load with load_tools: ${name}${about === '' ? '' : ` (${oneLine(about)})`}`,
  );
  return ['[tools]', ...lines].join('\n');
}
