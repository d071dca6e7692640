/** A turn that runs or waits: its record, its feed, its step, its writes, and the one signal that ends it. */
import type { TurnContext, TurnEffort, TurnEnd, Usage } from '@chat-kernel/protocol';
import type { Books } from '../books/books.ts';
import type { Grants } from '../client-machine/grants.ts';
import type { Projects } from '../client-machine/project-docs.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import { TurnFeed } from '../feed/feed.ts';
import type { Histories, History } from '../history/histories.ts';
import { add } from '../model/pricing.ts';
import { tokensOf } from '../model/token-estimate.ts';
import type { Notebooks } from '../notebooks/notebooks.ts';
import { NO_STANDING } from '../persons/trust.ts';
import type {
  AgentJob,
  ChatChanges,
  ChatRecord,
  Clock,
  LanguageModel,
  Log,
  MessageDraft,
  Models,
  OwnMachine,
  Stages,
  Store,
  Tool,
  ToolOutput,
  TurnChanges,
  TurnRecord,
} from '../ports/index.ts';
import type { Requests } from '../requests/requests.ts';
import type { Nap, Sleeper } from '../sleep/sleeper.ts';
import type { Spending, TurnCaps } from '../spend/spending.ts';
import type { Titles } from '../titles/titles.ts';
import type { FoldedGroup, Toolbox } from '../toolbox/toolbox.ts';
import { type Ending, RESTARTED } from './ending.ts';
import { StepBuilder } from './step-builder.ts';
import { turnContextOf } from './turn-context.ts';
import { TurnWrites, type Write } from './turn-writes.ts';

/** What all turns work with. */
export interface TurnServices {
  store: Store;
  models: Models;
  toolbox: Toolbox;
  histories: Histories;
  events: KernelEvents;
  titles: Titles;
  requests: Requests;
  grants: Grants;
  projects: Projects;
  notebooks: Notebooks;
  books: Books;
  machine: OwnMachine;
  sleeper: Sleeper;
  spending: Spending;
  stages: Stages;
  clock: Clock;
  log: Log;
  settings: TurnSettings;
}

export interface TurnSettings {
  reasoning: TurnEffort['value'];
  max_steps: number;
  system_prompt: string | null;
  extra_tool_timeout_secs: number;
  client_op_timeout_secs: number;
  question_timeout_secs: number;
  compaction_at: number;
}

/** What one turn works with, found when it begins. */
export interface TurnSetup {
  chat: ChatRecord;
  model: LanguageModel;
  tools: ReadonlyMap<string, Tool>;
  /** Groups that the model can load. */
  folded: readonly FoldedGroup[];
  /** What the model is told before any message. */
  system: string;
  /** The same for sub-agents, which load nothing. */
  agent_system: string;
  /** Undefined: the master speaks. */
  sender: string | undefined;
  /** As of `ToolContext`: the setup itself changes. */
  loadTools(group: string): Promise<string[]>;
  runAgent(job: AgentJob, signal: AbortSignal): Promise<ToolOutput>;
  /** Sees to it that the next request fits. Answers whether there is more room now. `refused`: the last one did not. */
  makeRoom(options?: { refused: boolean }): Promise<boolean>;
}

/** What a trip cost. */
export interface Bill {
  /** The id of the model. */
  model: string;
  usage: Usage;
  /** Tokens of the prompt before any message. */
  prefix_tokens: number;
}

/** One run of the loop of trips and calls: that of a turn, or that of a sub-agent inside one. */
export interface Run {
  /** The turn itself, or the one that the sub-agent works for. */
  readonly turn: RunningTurn;
  /** The name of the sub-agent. */
  readonly agent?: string;
  readonly step: StepBuilder;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  effort: TurnEffort;
  /** Ends what the trip that runs has begun: its checkpoints, its bill. Another call does nothing. */
  endRequest: () => void;
  /** What the model is told. */
  history(): Promise<History>;
  /** Stores what the step has made so far, should the process die. */
  checkpoint(): Promise<void>;
  /** Keeps messages of a finished step. */
  store(messages: MessageDraft[]): Promise<void>;
  book(bill: Bill): void;
}

export class RunningTurn implements Run {
  readonly turn = this;
  readonly record: TurnRecord;
  readonly feed: TurnFeed;
  readonly step: StepBuilder;
  /** The messages it has written, in order. */
  readonly message_ids: string[] = [];
  usage: Usage;
  effort: TurnEffort;
  /** The id of its model; null until it begins. */
  model: string | null;
  /** How it ended. */
  ended: TurnEnd | null = null;
  /** Tokens of the prompt before any message, as the last trip had them. */
  prefix_tokens: number | null = null;
  /** It is being closed: nobody can be asked in its name any more. */
  closing = false;
  /** It is known who speaks, so its client may be asked. */
  begun = false;
  /** Who speaks: known when it has begun, until then nobody who may do anything. */
  context: TurnContext;
  endRequest: () => void = () => {};
  /** A turn before it of the same chat whose end is not stored yet: its writes come first. */
  previousUnstored: RunningTurn | undefined;
  /** What the next request weighs, in tokens: as the provider counted last, and what came since; null: not known. */
  context_tokens: number | null = null;
  /** Set while it sleeps by itself. */
  nap: Nap | null = null;
  /** It goes on sleeping in the next process, so this one does not close it. */
  left = false;
  /** It had begun in the process before this one. */
  takenUp = false;
  /** It slept in the step that runs. */
  slept = false;
  /** The last that its model said. */
  said = '';
  /** Why modules stopped calls of the step that runs. */
  readonly blocked: string[] = [];
  readonly caps: TurnCaps = { near: [], asking: null, refused: null };
  /** Its feed has said that the kernel sleeps. */
  announced = false;
  /** Tools have answered in this turn. */
  hasResults = false;
  /** No summary came: it is not tried again. */
  foldFailed = false;
  readonly #services: TurnServices;
  readonly #abort = new AbortController();
  readonly #writes: TurnWrites;

  /** @param base of its event ids, as of its feed */
  constructor(record: TurnRecord, services: TurnServices, base = 0) {
    this.record = record;
    this.usage = record.usage;
    this.effort = record.effort;
    this.model = record.model;
    this.context = turnContextOf(record.chat_id, record.parameters, undefined, NO_STANDING);
    this.feed = new TurnFeed(record.id, base);
    this.step = new StepBuilder(record, this.feed, services.clock);
    this.#services = services;
    this.#writes = new TurnWrites(this, services);
  }

  /** Aborted when the turn is to end, with the ending as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The changes of its record that the store does not have yet; undefined where it has all. */
  get unsavedChanges(): TurnChanges | undefined {
    return this.#writes.owed;
  }

  /** The master, or somebody trusted, speaks. */
  get trusted(): boolean {
    return this.context.trusted;
  }

  /** Clients can be asked in its name: it is neither about to end nor over. */
  get isOpen(): boolean {
    return !this.closing && !this.signal.aborted;
  }

  /** Ends the turn from outside; the first ending counts. */
  end(ending: Ending): void {
    this.#abort.abort(ending);
  }

  /** The process ends: one that sleeps goes on in the next one, any other is closed as after a crash. */
  stop(): void {
    if (this.signal.aborted) return;
    this.left = this.nap !== null;
    // Calls that give up are not told: they have no result yet.
    if (this.left) this.step.leave();
    this.end(RESTARTED);
  }

  history(): Promise<History> {
    return this.#services.histories.load(this.record.chat_id);
  }

  /** Adds to the books; it reaches the disk with the next write. */
  spend(used: Usage): void {
    this.usage = add(this.usage, used);
    // Only a turn that has a model spends.
    this.#writes.spend(this.#services.spending.book(used, this.model as string, this.record.chat_id));
  }

  book({ model, usage, prefix_tokens }: Bill): void {
    this.spend(usage);
    this.prefix_tokens = prefix_tokens;
    this.context_tokens = usage.prompt_tokens + usage.completion_tokens;
    this.feed.usage(model, usage);
  }

  /** One transaction about this turn, in the order of their calls: as of `TurnWrites`. */
  write(write: Write): Promise<void> {
    return this.#writes.write(write);
  }

  checkpoint(): Promise<void> {
    return this.write({ turn: { checkpoint: structuredClone(this.step.messages) } });
  }

  async store(messages: MessageDraft[], chat?: ChatChanges): Promise<void> {
    if (messages.length === 0) return;
    this.message_ids.push(...messages.map(message => message.id));
    this.noteReply(messages);
    this.#weighMore(messages);
    await this.write({ turn: { checkpoint: null }, append: messages, ...(chat && { chat }) });
  }

  /** Takes note of what the model said. */
  noteReply(messages: readonly MessageDraft[]): void {
    const said = messages.findLast(({ role }) => role === 'assistant')?.content ?? [];
    const texts = said.flatMap(block => (block.type === 'text' && !block.internal?.note ? [block.text] : []));
    if (texts.length > 0) this.said = texts.join('\n');
  }

  /** What the model itself said has been counted with its trip. */
  #weighMore(messages: readonly MessageDraft[]): void {
    const told = messages.filter(({ role }) => role === 'user');
    this.hasResults ||= told.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
    if (this.context_tokens !== null) this.context_tokens += tokensOf(told);
  }

  /** Stores what is owed, with these changes to it. Rejects where that still fails. */
  async settle(changes: TurnChanges = {}): Promise<void> {
    if (this.unsavedChanges) await this.write({ turn: changes });
  }
}
