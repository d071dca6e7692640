/**
 * The feed of one turn: a log of encoded events that each reader reads at its own speed. Callers report each thing
 * once, such as `text('Hel')` or `result(...)`. The feed sends it to clients twice: as the original event and as the
 * item event (EV-11). Each event is encoded once for all readers. The deltas of one tick become one event, and readers
 * are woken once per tick.
 */
import type { Event, EventOf, Item, PlanTask, Resolution, TurnError } from '@chat-kernel/protocol';
import { encoded, type Frame } from '../base/sse-frame.ts';
import { itemOfBlock, type ToolResult, type ToolUse } from '../items/to-items.ts';
import type { KernelSleep, ProviderWait, StoredBlock } from '../ports/index.ts';
import { FlushScheduler } from './flush-scheduler.ts';
import { FrameLog } from './frame-log.ts';
import type { LiveItem, StreamedBlock } from './live-items.ts';
import { OperationItems, PlanItem } from './live-items.ts';

/** The methods by which a step reports its progress. */
export type StepFeed = Pick<
  TurnFeed,
  'begin' | 'text' | 'end' | 'call' | 'progress' | 'result' | 'image' | 'entry'
>;

/** The ports of a live feed besides its readers. */
interface FeedPorts {
  ticks?: FlushScheduler;
  /** Called with the text that is about to be sent for a block, as JSON. */
  onText?: (block: StoredBlock, json: string) => void;
}

export class TurnFeed {
  readonly turn_id: string;
  /** The events, for readers. */
  readonly log: FrameLog;
  /** For each item, the log index of the first of the two events of its last snapshot. */
  readonly #snapshots = new Map<string, number>();
  readonly #operations = new OperationItems();
  readonly #onText: NonNullable<FeedPorts['onText']>;
  #items = 0;
  #pending: { item: LiveItem; text: string } | null = null;
  #plan: PlanItem | null = null;

  /** @param base the number in the id of the first event */
  constructor(turnId: string, base = 0, { ticks = new FlushScheduler(), onText = () => {} }: FeedPorts = {}) {
    this.turn_id = turnId;
    this.log = new FrameLog(turnId, base, () => this.#flushText(), ticks);
    this.#onText = onText;
  }

  /** True if no event will follow. */
  get closed(): boolean {
    return this.log.closed;
  }

  /** Begins the stream, which may have no other event for a while. */
  opened(): void {
    if (this.log.frames.length === 0) this.begun();
  }

  /** Sends that the turn runs: otherwise its last event could say that it is queued or asleep. */
  begun(): void {
    this.#push({ type: 'turn', turn_id: this.turn_id, waiting_for: null });
  }

  queued(position: number): void {
    this.#push({ type: 'queued', position });
  }

  begin(block: StreamedBlock, created_at: string): LiveItem {
    return this.#start(block, created_at);
  }

  /** Adds text to a block that has begun. The caller has already appended it to the block. */
  text(item: LiveItem, text: string): void {
    if (this.#pending?.item === item) {
      this.#pending.text += text;
    } else {
      this.#flushText();
      this.#pending = { item, text };
    }
    this.log.scheduleWake();
  }

  /** Ends a block of text or thinking: complete, or as its `internal.status` states. */
  end(item: LiveItem): void {
    this.#flushText();
    this.#complete(item);
  }

  /** Sends a tool call of the model. */
  call(block: ToolUse, created_at: string): LiveItem {
    this.#push({ type: 'tool_call', id: block.id, name: block.name, input: block.input });
    return this.#start(block, created_at);
  }

  /** Sends a snapshot of the progress of a call. The previous snapshot is removed from the log to limit memory use. */
  progress(item: LiveItem, output: string): void {
    this.#flushText();
    const last = this.#snapshots.get(item.id);
    if (last !== undefined) for (const at of [last, last + 1]) this.log.blank(at);
    this.#snapshots.set(item.id, this.log.frames.length);
    this.#push({ type: 'tool_progress', id: (item.block as ToolUse).id, output });
    this.#push({ type: 'item_delta', item_id: item.id, delta: { type: 'progress', output } });
  }

  result(item: LiveItem, result: ToolResult): void {
    const { id, name } = item.block as ToolUse;
    this.#push({ type: 'tool_result', id, name, output: result.output, is_error: result.is_error });
    this.#complete(item, result);
  }

  /** Sends an image that the model generated. @param block its marker */
  image(block: StreamedBlock, created_at: string): void {
    const { image_id, media_type, url } = block.internal!.drawn!;
    this.#push({ type: 'image', id: image_id, media_type, url });
    this.#complete(this.#start(block, created_at));
  }

  /** Sends a block that is complete from the start: a machine note, or the marker of a compaction. */
  entry(block: StoredBlock, created_at: string): void {
    this.#complete(this.#start(block, created_at));
  }

  /** Sends that the turn sleeps, or waits for the kernel to wake (EV-7). */
  sleeping({ since, until, reason }: KernelSleep): void {
    this.#push({ type: 'sleeping', since, until, reason });
  }

  /** Sends that history is being compacted, which causes a pause (EV-5). */
  compacting(): void {
    this.#push({ type: 'compacting' });
  }

  /** Sends how many characters of old tool output no longer go to the model (EV-6). */
  squeezed(freed_chars: number): void {
    this.#push({ type: 'turn_squeezed', freed_chars });
  }

  /** Sends the whole plan; an empty one closes it (EV-9). */
  plan(tasks: PlanTask[], created_at: string): void {
    this.#push({ type: 'plan', tasks });
    if (this.#plan === null) {
      if (tasks.length === 0) return;
      this.#plan = new PlanItem({ id: this.#nextId(), turn_id: this.turn_id, created_at }, tasks);
      this.#push({ type: 'item_started', item: this.#plan.as('running') });
    } else {
      this.#plan.tasks = tasks;
      this.#push({ type: 'item_delta', item_id: this.#plan.id, delta: { type: 'plan', tasks } });
    }
    if (tasks.length === 0) this.#endPlan('completed');
  }

  /** Sends that a client is asked to do something. */
  requestOpened(
    event: EventOf<'client_op' | 'consent_request' | 'extra_tool_call'>,
    created_at: string,
  ): void {
    this.#push(event);
    if (event.type === 'extra_tool_call') return;
    const position = { id: this.#nextId(), turn_id: this.turn_id, created_at };
    const item = this.#operations.begin(event, position, this.log.frames.length - 1);
    this.#push({ type: 'item_started', item });
  }

  /**
   * Sends how a request to a client ended.
   * @param failed true if the client or its owner did not do what was requested
   */
  requestResolved(resolution: Resolution, failed: boolean): void {
    this.#push({ type: 'request_resolved', ...resolution });
    const ended = this.#operations.end(resolution, failed, at => (this.log.frames[at] as Frame).text.length);
    if (ended === undefined) return;
    this.#push({ type: 'item_completed', item: ended.item });
    if (ended.blank !== undefined) this.log.blank(ended.blank);
  }

  /** Sends the cost of one provider request, of the turn (EV-4) or of a sub-agent (WIRE-5). */
  usage(event: EventOf<'usage' | 'agent_usage'>): void {
    this.#push(event);
  }

  /** Sends that the kernel waits before it retries a provider request (WIRE-6). */
  providerWait(wait: ProviderWait): void {
    this.#push({ type: 'provider_wait', ...wait });
  }

  /** Sends why the turn failed. The record of the turn has more details. */
  error({ code, message, retryable }: TurnError): void {
    this.#push({ type: 'error', turn_id: this.turn_id, code, message, retryable });
  }

  /** Ends the feed with `done`, the last event of every stream. */
  done(done: Pick<EventOf<'done'>, 'status' | 'stop_reason' | 'message_ids' | 'usage'>): void {
    this.#endPlan(done.status === 'completed' ? 'completed' : 'aborted');
    this.#push({ type: 'done', turn_id: this.turn_id, ...done });
    this.close();
  }

  /** Ends all readers after the last event. Without a preceding `done` this happens only when the process stops. */
  close(): void {
    this.#flushText();
    this.log.close();
  }

  #start(block: StoredBlock, created_at: string): LiveItem {
    this.#flushText();
    const item: LiveItem = { id: this.#nextId(), block, created_at };
    this.#push({ type: 'item_started', item: this.#itemOf(item, true) });
    return item;
  }

  #complete(item: LiveItem, result?: ToolResult): void {
    this.#push({ type: 'item_completed', item: this.#itemOf(item, false, result) });
  }

  #itemOf(item: LiveItem, running: boolean, result?: ToolResult): Item {
    const position = { id: item.id, turn_id: this.turn_id, created_at: item.created_at, running };
    // Not null: only blocks that are items begin, and they begin with their first text.
    return itemOfBlock(item.block, position, result)!;
  }

  #endPlan(status: 'completed' | 'aborted'): void {
    if (this.#plan === null) return;
    this.#push({ type: 'item_completed', item: this.#plan.as(status) });
    this.#plan = null;
  }

  #nextId(): string {
    return `${this.turn_id}:${this.#items++}`;
  }

  #push(event: Event): void {
    if (this.closed) throw new Error(`the feed of turn ${this.turn_id} is closed: ${event.type}`);
    this.#flushText();
    this.log.append(event.type, encoded(event));
    this.log.scheduleWake();
  }

  /** Writes the pending text. This is the hot path, so the text is encoded once for both of its events. */
  #flushText(): void {
    if (this.#pending === null) return;
    const { item, text } = this.#pending;
    this.#pending = null;
    const json = encoded(text);
    this.#onText(item.block, json);
    const type: EventOf<'text_delta' | 'thinking_delta'>['type'] =
      item.block.type === 'thinking' ? 'thinking_delta' : 'text_delta';
    const refusal = item.block.internal?.refusal ? ',"refusal":true' : '';
    this.log.append(type, `{"type":"${type}","text":${json}${refusal}}`);
    this.log.append(
      'item_delta',
      `{"type":"item_delta","item_id":"${item.id}","delta":{"type":"text","text":${json}}}`,
    );
  }
}
