/** A sub-agent: a run of its own inside a turn, with a context of its own and some of the turn's tools (BT-10). */
import type { TurnEffort } from '@chat-kernel/protocol';
import { AtOnce } from '../base/at-once.ts';
import { newId } from '../base/ids.ts';
import { roomIn } from '../compaction/room.ts';
import { silentFeed } from '../feed/silent.ts';
import type { History } from '../history/histories.ts';
import { planSqueeze, withStubs } from '../history/squeeze.ts';
import { tokensOf } from '../model/token-estimate.ts';
import {
  type AgentJob,
  failure,
  type NewMessage,
  type Tool,
  type ToolOutput,
  type TraceContext,
  timestamp,
} from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import { isNamed } from '../toolbox/toolbox.ts';
import { endingOf } from './ending.ts';
import { steps } from './loop.ts';
import { prefixTokens } from './prompt.ts';
import type { Run, RunningTurn, TripCost } from './running-turn.ts';
import { spanOfAgent } from './spans.ts';
import { StepBuilder } from './step-builder.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnSetup } from './turn-setup.ts';

/** The turn that a sub-agent works for. */
interface Lead {
  turn: RunningTurn;
  setup: TurnSetup;
  /** The call that set the sub-agent to work, its signal and its trace. */
  call_id: string;
  signal: AbortSignal;
  trace: TraceContext | undefined;
}

/** The most sub-agents of a turn that work at once, however many its calls ask for. */
const AT_ONCE = 8;

/** Runs the sub-agents of one turn; those above the limit wait. */
export function agentsOf(
  turn: RunningTurn,
  setup: () => TurnSetup,
  services: TurnServices,
): TurnSetup['runAgent'] {
  const agents = new AtOnce(AT_ONCE);
  return (job, call) =>
    agents.run(() => runAgent(job, { turn, setup: setup(), ...call }, services), call.signal);
}

/** Runs a sub-agent to its end. Its last message is the output; a failure is an error that the lead reads. */
async function runAgent(job: AgentJob, lead: Lead, services: TurnServices): Promise<ToolOutput> {
  const { turn, setup, signal } = lead;
  const { tools, unknown } = chosen(setup.tools, job.tools);
  if (unknown.length > 0) {
    return failure(
      `There is no tool or group ${unknown.join(', ')} for sub-agents. Tools: ${[...tools.keys()].join(', ')}.`,
    );
  }
  const run = new AgentRun(job, lead, services);
  const system = `${setup.agent_system}\n\n${placeOf(job.name)}`;
  const own: TurnSetup = { ...setup, tools, system, makeRoom: () => run.makeRoom(own, services) };
  try {
    const { stop_reason } = await services.tracing.span(spanOfAgent(run, lead.trace), span => {
      run.trace = span.context;
      return steps(run, own, services);
    });
    const said = run.lastWord();
    if (said === '') return failure(`It ended without a word (${stop_reason}).`);
    return { output: said };
  } catch (error) {
    signal.throwIfAborted();
    const { error: told, unexpected } = { unexpected: undefined, ...endingOf(error) };
    if (unexpected !== undefined) {
      services.log.error({ err: unexpected, turn_id: turn.record.id }, 'a sub-agent failed');
    }
    return failure([told?.message, run.lastWord()].filter(Boolean).join('\n\n'));
  } finally {
    run.endRequest();
  }
}

const placeOf = (name: string): string =>
  `You are the sub-agent ${JSON.stringify(name)} of an assistant that has given you one task. Nobody answers questions: decide for yourself, and do the task to its end. Your last message is all that the assistant gets of you; put into it what it has to know, exact names and paths included.`;

/**
 * The tools of a sub-agent: those of the turn without the ones that act on the chat or belong to the client's turn.
 */
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
  trace: TraceContext | undefined;
  endRequest: () => void = () => {};
  #messages: NewMessage[];
  readonly #callIds = new Set<string>();

  constructor(
    { name, task, onStep }: AgentJob,
    { turn, signal, call_id }: Lead,
    { clock }: Pick<TurnServices, 'clock'>,
  ) {
    const { id, chat_id } = turn.record;
    this.turn = turn;
    this.agent = name;
    this.lead_call = call_id;
    this.signal = signal;
    this.effort = turn.effort;
    this.step = new StepBuilder({ id, chat_id }, silentFeed(onStep), clock);
    // A trip that is cut has a cost, which must be on the bill before the turn is closed; the closing does not wait
    // for this run.
    signal.addEventListener('abort', () => this.endRequest(), { once: true });
    this.#messages = [
      {
        id: newId(),
        chat_id,
        role: 'user',
        turn_id: id,
        content: [{ type: 'text', text: task.toWellFormed() }],
        created_at: timestamp(clock),
        status: 'completed',
      },
    ];
  }

  async history(): Promise<History> {
    return { messages: this.#messages, summary: null, callIds: this.#callIds, told: {} };
  }

  /** The words of a sub-agent are not stored; an empty write of its turn stores its cost. */
  store(messages: NewMessage[]): Promise<void> {
    this.#messages.push(...messages);
    return this.turn.writes.write({ turn: {} });
  }

  /** Puts the cost on the bill of the chat. The window of the turn is not concerned: this history is another one. */
  recordTrip({ model, usage }: TripCost, reservation: Reservation): void {
    this.turn.recordSpend(usage, reservation);
    if (!this.turn.feed.closed) this.turn.feed.usage(model, usage, this.agent);
  }

  /** Squeezes old outputs in the history itself, which is kept nowhere else. */
  async makeRoom(
    setup: TurnSetup,
    { settings, toolbox }: Pick<TurnServices, 'settings' | 'toolbox'>,
  ): Promise<boolean> {
    const room = roomIn(setup.model.record, setup.chat.compaction, settings.compaction.at);
    const tokens = prefixTokens(setup) + tokensOf(this.#messages);
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
