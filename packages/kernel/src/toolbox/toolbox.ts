/** Holds all tools, and selects those that a turn gets. */
import type { Effect, Settings, ToolEntry, ToolList, Toolset } from '@chat-kernel/protocol';
import type { Trust } from '../persons/persons.ts';
import type { ExtensionTools, Tool, ToolGroup, TurnParameters } from '../ports/index.ts';

type Policy = Settings['tools']['policy'][string];

/** The speakers who may use a tool (WHO-2). */
type Gate = 'all' | 'trusted' | 'master' | 'off';

/** The user's decisions about tools, and the descriptions of their groups. */
interface Arrangement {
  policy?: Record<string, Policy>;
  /** The effects of tools by name; replace those that the tools declare. */
  effects?: Readonly<Record<string, readonly Effect[]>>;
  groups?: readonly ToolGroup[];
  on_demand?: readonly string[];
}

interface Offer {
  tools: Map<string, Tool>;
  /** Groups whose tools the turn could have if they were loaded (BT-11), sorted by name. */
  onDemand: OnDemandGroup[];
}

export interface OnDemandGroup extends ToolGroup {
  /** The names of the tools in the group. */
  tools: string[];
}

export class Toolbox {
  readonly #builtin: readonly Tool[];
  /** The tools by name, sorted by name: an identical prompt in each turn uses the caches of providers. */
  #tools: ReadonlyMap<string, Tool> = new Map();
  /** The user's decisions by name of the tool or group; they override the properties of a tool. */
  readonly #policy: Map<string, Policy>;
  readonly #effects: ReadonlyMap<string, readonly Effect[]>;
  readonly #groups: readonly ToolGroup[];
  /** Names of tools that cannot be called at the moment. */
  #reserved: ReadonlySet<string> = new Set();
  #about: ReadonlyMap<string, string> = new Map();
  /** Groups whose tools the user offers on demand. */
  readonly #onDemand: readonly string[];

  constructor(
    tools: readonly Tool[],
    { policy = {}, effects = {}, groups = [], on_demand = [] }: Arrangement = {},
  ) {
    this.#effects = new Map(Object.entries(effects));
    this.#policy = new Map(Object.entries(policy));
    this.#builtin = tools;
    this.#groups = groups;
    this.#onDemand = on_demand;
    this.extend({ tools: [], groups: [], reserved: [] });
    if (this.#tools.size !== tools.length) throw new Error('two tools have the same name');
  }

  /** Replaces the tools of modules and guests. They cannot use the name of a built-in tool. */
  extend({ tools, groups, reserved }: Omit<ExtensionTools, 'here'>): void {
    const own = new Set([...this.#builtin.map(({ name }) => name), ...reserved]);
    this.#reserved = new Set(reserved);
    const all = [...this.#builtin, ...tools.filter(({ name }) => !own.has(name))];
    this.#tools = new Map(
      all.sort((a, b) => (a.name < b.name ? -1 : 1)).map(tool => [tool.name, this.#arranged(tool)]),
    );
    this.#about = new Map([...groups, ...this.#groups].map(({ name, about }) => [name, about]));
  }

  /** The tool with what the settings say about its consent. */
  #arranged(tool: Tool): Tool {
    const effects = this.#effects.get(tool.name);
    const asks = this.#wordFor(tool) === 'ask';
    const { effectsOf: _, ...rest } = tool;
    return { ...(effects === undefined ? tool : { ...rest, effects }), ...(asks && { asks }) };
  }

  /** The tools of one turn. @param who the trust in its speaker */
  offer(parameters: TurnParameters, toolset: Toolset, who: Trust): Offer {
    const allowed = [...this.#tools.values()]
      .map(tool => this.#grade(tool, who))
      .filter(tool => tool !== undefined)
      .map(tool => (parameters.machine === 'none' && tool.on_machine ? tool.off_machine : tool))
      .filter(tool => tool !== undefined)
      .filter(tool => isWanted(tool, parameters, toolset));
    // A turn that names its tools gets them immediately, including on-demand ones.
    const folds = (tool: Tool): boolean =>
      this.#isOnDemand(tool) && !isNamed(tool, toolset.loaded) && parameters.tools === undefined;
    const canLoad = allowed.some(tool => tool.loads_groups);
    const onDemand = canLoad ? this.#grouped(allowed.filter(folds)) : [];
    const offered = allowed.filter(tool => (tool.loads_groups ? onDemand.length > 0 : !folds(tool)));
    return { tools: new Map(offered.map(tool => [tool.name, tool])), onDemand };
  }

  /**
   * All tools that some turn may be offered (API-4), after applying the user's decisions, in the order in which models
   * get them.
   */
  list(): ToolList {
    const offered = [...this.#tools.values()].filter(tool => this.#gateOf(tool) !== 'off');
    const folding = offered.filter(tool => this.#isOnDemand(tool));
    const groups = this.#grouped(offered).map(({ name, about }) => ({ name, about }));
    if (offered.some(({ source }) => source === 'mcp'))
      groups.push({ name: 'mcp', about: 'all tool servers' });
    return {
      tools: offered.map(tool => this.#entryOf(tool)),
      groups: groups
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(group => ({ ...group, on_demand: folding.some(tool => isNamed(tool, [group.name])) })),
    };
  }

  /** Those of the names that are neither a tool nor a group. */
  unknown(names: readonly string[]): string[] {
    const groups = new Set(['mcp', ...[...this.#tools.values()].map(({ group }) => group)]);
    return names.filter(name => !this.has(name) && !groups.has(name));
  }

  /** Whether the name of a tool is taken. */
  has(name: string): boolean {
    return this.#tools.has(name) || this.#reserved.has(name);
  }

  /** A tool by its name, whether or not a turn may have it. */
  find(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Whether a call of this tool may have changed something outside the chat; assumed for an unknown tool. */
  hasOutsideEffect(name: string): boolean {
    return this.#tools.get(name)?.outside_effect ?? true;
  }

  /** The tool that this speaker may have: unchanged, in its restricted form, or none. */
  #grade(tool: Tool, who: Trust): Tool | undefined {
    if (isOpenTo(this.#gateOf(tool), who)) return tool;
    return this.#wordFor(tool) === undefined ? tool.lesser : undefined;
  }

  #gateOf(tool: Tool): Gate {
    const word = this.#wordFor(tool);
    if (word === 'allow') return 'all';
    if (word === 'ask') return 'master';
    if (word !== undefined) return word;
    if (tool.master_only) return 'master';
    return tool.trusted_only ? 'trusted' : 'all';
  }

  /** The user's policy for a tool: for the tool itself, else for its group, else for all MCP guests together. */
  #wordFor({ name, group, source }: Tool): Policy | undefined {
    const own = this.#policy.get(name) ?? this.#policy.get(group);
    return own ?? (source === 'mcp' ? this.#policy.get('mcp') : undefined);
  }

  #entryOf(tool: Tool): ToolEntry {
    const { name, description, input_schema, group, icon, client_only, source, available = true } = tool;
    const { effects, kernel } = tool;
    const gate = this.#gateOf(tool);
    return {
      name,
      description,
      input_schema,
      group,
      icon,
      trusted_only: gate !== 'all',
      master_only: gate === 'master',
      client_only,
      on_demand: this.#isOnDemand(tool),
      effects: [...effects],
      // The type requires this case: extra tools belong to one turn and are never listed.
      source: source === 'extra' ? 'builtin' : source,
      available,
      ...(kernel && { kernel }),
    };
  }

  #isOnDemand(tool: Tool): boolean {
    return !tool.loads_groups && (tool.on_demand || isNamed(tool, this.#onDemand));
  }

  #grouped(tools: readonly Tool[]): OnDemandGroup[] {
    const groups = Map.groupBy(tools, ({ group }) => group);
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, members]) => ({
        name,
        about: this.#about.get(name) ?? '',
        tools: members.map(tool => tool.name),
      }));
  }
}

/** Whether the group of a tool is one of these; all MCP guests together are also the group `mcp` (MCP-1). */
export const isNamed = ({ group, source }: Tool, groups: readonly string[]): boolean =>
  groups.includes(group) || (source === 'mcp' && groups.includes('mcp'));

function isOpenTo(gate: Gate, { master, trusted }: Trust): boolean {
  if (gate === 'master') return master && trusted;
  return gate === 'all' || (gate === 'trusted' && trusted);
}

/** Whether the client, the chat and the turn itself permit the tool. */
function isWanted(tool: Tool, parameters: TurnParameters, { disabled }: Toolset): boolean {
  if (!reachable(tool, parameters) || isNamed(tool, disabled)) return false;
  const { tools: only } = parameters;
  return only === undefined || isNamed(tool, only) || only.includes(tool.name);
}

/** Whether the client that started the turn can do what the tool needs. */
function reachable({ asks_questions, client_only }: Tool, parameters: TurnParameters): boolean {
  const { client_ops = false, questions = client_ops } = parameters;
  return asks_questions ? questions : !client_only || client_ops;
}
