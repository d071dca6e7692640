/** The toolbox: all tools there are, and which of them a turn gets. */
import type { Settings, ToolEntry, ToolList, Toolset } from '@chat-kernel/protocol';
import type { Trust } from '../persons/trust.ts';
import type { BroughtTools, Tool, ToolGroup, TurnParameters } from '../ports/index.ts';

type Policy = Settings['tools']['policy'][string];

/** Whom a tool is for (WHO-2). */
type Gate = 'all' | 'trusted' | 'master' | 'off';

/** The owner's decisions about tools, and the descriptions of their groups. */
interface Arrangement {
  policy?: Record<string, Policy>;
  groups?: readonly ToolGroup[];
  on_demand?: readonly string[];
}

interface Offer {
  tools: Map<string, Tool>;
  /** Groups whose tools the turn could have, were they loaded (BT-11), in the order of their names. */
  onDemand: OnDemandGroup[];
}

export interface OnDemandGroup extends ToolGroup {
  /** The names of the tools in the group. */
  tools: string[];
}

export class Toolbox {
  readonly #builtin: readonly Tool[];
  /** The tools by name, in the order of names: the same prompt from turn to turn hits the caches of providers. */
  #tools: ReadonlyMap<string, Tool> = new Map();
  /** The owner's decisions by name of the tool or group; they win over what a tool says of itself. */
  readonly #policy: Map<string, Policy>;
  readonly #groups: readonly ToolGroup[];
  /** Names that belong to tools which cannot be called at the time. */
  #reserved: ReadonlySet<string> = new Set();
  #about: ReadonlyMap<string, string> = new Map();
  /** Groups whose tools the owner offers on demand. */
  readonly #onDemand: readonly string[];

  constructor(tools: readonly Tool[], { policy = {}, groups = [], on_demand = [] }: Arrangement = {}) {
    this.#policy = new Map(Object.entries(policy));
    this.#builtin = tools;
    this.#groups = groups;
    this.#onDemand = on_demand;
    this.extend({ tools: [], groups: [], reserved: [] });
    if (this.#tools.size !== tools.length) throw new Error('two tools have the same name');
  }

  /** Replaces the tools that modules and guests bring. None of them can take the name of a built-in tool. */
  extend({ tools, groups, reserved }: Omit<BroughtTools, 'here'>): void {
    const own = new Set([...this.#builtin.map(({ name }) => name), ...reserved]);
    this.#reserved = new Set(reserved);
    const all = [...this.#builtin, ...tools.filter(({ name }) => !own.has(name))];
    this.#tools = new Map(all.sort((a, b) => (a.name < b.name ? -1 : 1)).map(tool => [tool.name, tool]));
    this.#about = new Map([...groups, ...this.#groups].map(({ name, about }) => [name, about]));
  }

  /** The tools of one turn. @param who the trust in its speaker */
  offer(parameters: TurnParameters, toolset: Toolset, who: Trust): Offer {
    const allowed = [...this.#tools.values()]
      .map(tool => this.#grade(tool, who))
      .filter(tool => tool !== undefined)
      .map(tool => (parameters.machine === 'none' && tool.on_machine ? tool.off_machine : tool))
      .filter(tool => tool !== undefined)
      .filter(tool => isWanted(tool, parameters, toolset));
    // A turn that names its tools gets those at once, on-demand ones included.
    const folds = (tool: Tool): boolean =>
      this.#isOnDemand(tool) && !isNamed(tool, toolset.loaded) && parameters.tools === undefined;
    const canLoad = allowed.some(tool => tool.loads_groups);
    const onDemand = canLoad ? this.#grouped(allowed.filter(folds)) : [];
    const offered = allowed.filter(tool => (tool.loads_groups ? onDemand.length > 0 : !folds(tool)));
    return { tools: new Map(offered.map(tool => [tool.name, tool])), onDemand };
  }

  /**
   * All tools that some turn may be offered (API-4), with the owner's decisions worked in, in the order in which
   * models get them.
   */
  list(): ToolList {
    const offered = [...this.#tools.values()].filter(tool => this.#gateOf(tool) !== 'off');
    const folds = new Set(offered.filter(tool => this.#isOnDemand(tool)).map(({ group }) => group));
    return {
      tools: offered.map(tool => this.#entryOf(tool)),
      groups: this.#grouped(offered).map(({ name, about }) => ({ name, about, on_demand: folds.has(name) })),
    };
  }

  /** Whether the name of a tool is taken. */
  has(name: string): boolean {
    return this.#tools.has(name) || this.#reserved.has(name);
  }

  /**
   * Whether a call of this tool may have changed something outside the chat; of a tool that is gone this is assumed.
   */
  hasOutsideEffect(name: string): boolean {
    return this.#tools.get(name)?.outside_effect ?? true;
  }

  /** The tool as this speaker may have it: as it is, in its lesser form, or not at all. */
  #grade(tool: Tool, who: Trust): Tool | undefined {
    if (isOpenTo(this.#gateOf(tool), who)) return tool;
    return this.#wordFor(tool) === undefined ? tool.lesser : undefined;
  }

  #gateOf(tool: Tool): Gate {
    const word = this.#wordFor(tool);
    if (word !== undefined) return word === 'allow' ? 'all' : word;
    if (tool.master_only) return 'master';
    return tool.trusted_only ? 'trusted' : 'all';
  }

  /** The owner's word for a tool: that for the tool itself, else for its group, else for all MCP guests together. */
  #wordFor({ name, group, source }: Tool): Policy | undefined {
    const own = this.#policy.get(name) ?? this.#policy.get(group);
    return own ?? (source === 'mcp' ? this.#policy.get('mcp') : undefined);
  }

  #entryOf(tool: Tool): ToolEntry {
    const { name, description, input_schema, group, icon, client_only, source, available = true } = tool;
    const { kernel } = tool;
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
      // The type asks for this case: extra tools belong to one turn and are never listed.
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

/** Whether the client, the chat and the turn itself leave the tool in. */
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
