/** Runs a sub-agent: a separate run inside a turn with its own context and some of the tools of the turn (BT-10). */
import { Semaphore } from '@chat-kernel/base';
import type { TurnEffort } from '@chat-kernel/protocol';
import { roomIn } from '../compaction/plan.ts';
import type { StepFeed } from '../feed/feed.ts';
import type { LiveItem } from '../feed/live-items.ts';
import type { History } from '../history/history.ts';
import { planSqueeze, withStubs } from '../history/squeeze.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import {
  type AgentJob,
  failure,
  type NewMessage,
  type StoredBlock,
  type Tool,
  type ToolOutput,
} from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import { isNamed } from '../toolbox/toolbox.ts';
import { toEnding } from './ending.ts';
import { steps } from './loop.ts';
import { prefixTokens } from './prompt.ts';
import type { Run, RunningTurn, TripCost } from './running-turn.ts';
import { StepBuilder } from './step-builder.ts';
import { messageOfTurn } from './step-messages.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** The turn that a sub-agent works for. */
interface Lead {
  turn: RunningTurn;
  setup: TurnSetup;
  /** The call that started the sub-agent, and its signal. */
  call_id: string;
  signal: AbortSignal;
}

/** The maximum number of sub-agents of one turn that work concurrently. */
const MAX_CONCURRENT_AGENTS = 8;

/** Runs the sub-agents of one turn; those above the limit wait. */
export function createAgentRunner(
  turn: RunningTurn,
  setup: () => TurnSetup,
  services: TurnServices,
): TurnSetup['runAgent'] {
  const agents = new Semaphore(MAX_CONCURRENT_AGENTS);
  return (job, call) =>
    agents.run(() => runAgent(job, { turn, setup: setup(), ...call }, services), call.signal);
}

/** Runs a sub-agent to its end. The output is its last message; a failure becomes an error that the lead reads. */
async function runAgent(job: AgentJob, lead: Lead, services: TurnServices): Promise<ToolOutput> {
  const { turn, setup, signal } = lead;
  const { tools, unknown } = chosen(setup.tools, job.tools);
  if (unknown.length > 0) {
    return failure(
      `There is no tool or group ${unknown.join(', ')} for sub-agents. Tools: ${[...tools.keys()].join(', ')}.`,
    );
  }
  const run = new AgentRun(job, lead, services);
  const system = `${setup.agent_system}\n\n${renderAgentPrompt(job.name)}`;
  const childSetup: TurnSetup = {
    ...setup,
    tools,
    system,
    makeRoom: () => run.makeRoom(childSetup, services),
  };
  try {
    const { stop_reason } = await services.observer.run(run, () => steps(run, childSetup, services));
    const lastMessage = run.lastWord();
    if (lastMessage === '') return failure(`It ended without a final message (${stop_reason}).`);
    return { output: lastMessage };
  } catch (error) {
    signal.throwIfAborted();
    const { error: told, unexpected } = { unexpected: undefined, ...toEnding(error) };
    if (unexpected !== undefined) {
      services.log.error({ err: unexpected, turn_id: turn.record.id }, 'a sub-agent failed');
    }
    return failure([told?.message, run.lastWord()].filter(Boolean).join('\n\n'));
  } finally {
    run.endRequest();
  }
}

const renderAgentPrompt = (name: string): string =>
  `You are the sub-agent ${JSON.stringify(name)} of an assistant that gave you one task. You cannot ask questions: decide yourself, and finish the task. The assistant receives only your last message. Put everything it needs into that message, including exact names and paths.`;

/** The tools of a sub-agent: those of the turn, except those that act on the chat or belong to the client's turn. */
function chosen(
  offered: ReadonlyMap<string, Tool>,
  wanted: readonly string[] | undefined,
): { tools: Map<string, Tool>; unknown: string[] } {
  const able = [...offered.values()].filter(({ lead_only = false }) => !lead_only);
  const isOneOf = (tool: Tool, names: readonly string[]) => names.includes(tool.name) || isNamed(tool, names);
  const unknown = (wanted ?? []).filter(name => !able.some(tool => isOneOf(tool, [name])));
  const tools = able.filter(tool => unknown.length > 0 || wanted === undefined || isOneOf(tool, wanted));
  return { tools: new Map(tools.map(tool => [tool.name, tool])), unknown };
}

class AgentRun implements Run {
  readonly turn: RunningTurn;
  readonly agent: string;
  readonly lead_call: string;
  readonly step: StepBuilder;
  readonly signal: AbortSignal;
  effort: TurnEffort;
  endRequest: () => void = () => {};
  #messages: NewMessage[];
  readonly #callIds = new Set<string>();
  /** Sources are noted in the turn itself. */
  readonly #outside = new Set<string>();

  constructor(
    { name, task, onStep }: AgentJob,
    { turn, signal, call_id }: Lead,
    services: Pick<TurnServices, 'clock' | 'secrets'>,
  ) {
    const { id, chat_id } = turn.record;
    this.turn = turn;
    this.agent = name;
    this.lead_call = call_id;
    this.signal = signal;
    this.effort = turn.effort;
    this.step = new StepBuilder({ id, chat_id }, noopFeed(onStep), services);
    // A canceled provider request has a cost, which must be recorded before the turn is closed; closing does not wait
    // for this run.
    signal.addEventListener('abort', () => this.endRequest(), { once: true });
    const content: StoredBlock[] = [{ type: 'text', text: task.toWellFormed() }];
    this.#messages = [messageOfTurn({ id, chat_id }, 'user', content, services.clock)];
  }

  async history(): Promise<History> {
    return {
      messages: this.#messages,
      summary: null,
      callIds: this.#callIds,
      told: {},
      outside: this.#outside,
    };
  }

  /** Keeps the messages in memory only; an empty write of the turn stores the cost of the sub-agent. */
  store(messages: NewMessage[]): Promise<void> {
    this.#messages.push(...messages);
    return this.turn.writes.write({ turn: {} });
  }

  /**
   * Adds the cost to the bill of the chat. The context window of the turn does not change: this history is separate.
   */
  recordTrip({ model, usage }: TripCost, reservation: Reservation): void {
    this.turn.model.recordSpend(usage, reservation);
    const { feed } = this.turn;
    if (!feed.closed) feed.usage({ type: 'agent_usage', model, ...usage, agent: this.agent });
  }

  /** Truncates old tool output in the history itself, because no other copy exists. */
  async makeRoom(
    setup: TurnSetup,
    { settings, toolbox }: Pick<TurnServices, 'settings' | 'toolbox'>,
  ): Promise<boolean> {
    const room = roomIn(setup.model.record, setup.chat.compaction, settings.compaction.at);
    const tokens = prefixTokens(setup) + estimateMessageTokens(this.#messages);
    if (room === null || tokens <= room.limit) return false;
    const hasOutsideEffect = (name: string) => toolbox.hasOutsideEffect(name);
    const { call_ids } = planSqueeze(this.#messages, tokens - room.squeezed, hasOutsideEffect);
    if (call_ids.length === 0) return false;
    this.#messages = withStubs(this.#messages, new Set(call_ids), hasOutsideEffect);
    return true;
  }

  /** The text of its last message. */
  lastWord(): string {
    const last = [...this.#messages, ...this.step.messages].findLast(({ role }) => role === 'assistant');
    return (last?.content ?? [])
      .flatMap(block => (block.type === 'text' ? [block.text] : []))
      .join('')
      .trim();
  }
}

/**
 * A feed that drops everything: the stream of a turn does not contain the text of its sub-agents.
 * @param onCall called at each call with the name of its tool
 */
function noopFeed(onCall: (name: string) => void): StepFeed {
  const item = (block: StoredBlock, created_at: string): LiveItem => ({ id: '', block, created_at });
  return {
    begin: item,
    text() {},
    end() {},
    call(block, created_at) {
      onCall(block.name);
      return item(block, created_at);
    },
    progress() {},
    result() {},
    image() {},
    entry() {},
  };
}
