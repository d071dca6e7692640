/**
 * The feed of one turn: a log of encoded events that readers walk at their own pace.
 * Callers say each thing once, as `text('Hel')` or `result(...)`, and the feed alone knows that clients get it twice:
 * as the original event and as the item event (EV-11). Each event is encoded once for all readers. Deltas of one tick
 * become one event, and readers are woken once a tick.
 */
import type {
  Event,
  EventOf,
  Item,
  PlanTask,
  Resolution,
  TurnEnd,
  TurnError,
  Usage,
} from '@chat-kernel/protocol';
import { encoded, type Frame } from '../base/sse-frame.ts';
import { itemOfBlock, type ToolResult, type ToolUse } from '../items/to-items.ts';
import type { KernelSleep, StoredBlock } from '../ports/index.ts';
import { FrameLog } from './frame-log.ts';
import type { LiveItem, StreamedBlock } from './live-item.ts';
import { OperationItems } from './operation-items.ts';
import { PlanItem } from './plan-item.ts';
import { Ticks } from './ticks.ts';

/** The calls by which a step tells what it does. */
export type StepFeed = Pick<
  TurnFeed,
  'begin' | 'text' | 'end' | 'call' | 'progress' | 'result' | 'image' | 'entry'
>;

/** The places that a live feed goes to besides its readers. */
interface FeedPorts {
  ticks?: Ticks;
  /** Called with the text that is about to be told of a block, as JSON. */
  onText?: (block: StoredBlock, json: string) => void;
}

export class TurnFeed {
  readonly turn_id: string;
  /** The events, for readers. */
  readonly log: FrameLog;
  /** The place, for each item, of the first of the two events of its last snapshot. */
  readonly #snapshots = new Map<string, number>();
  readonly #operations = new OperationItems();
  readonly #onText: NonNullable<FeedPorts['onText']>;
  #items = 0;
  #pending: { item: LiveItem; text: string } | null = null;
  #plan: PlanItem | null = null;

  /** @param base the number in the id of the first event */
  constructor(turnId: string, base = 0, { ticks = new Ticks(), onText = () => {} }: FeedPorts = {}) {
    this.turn_id = turnId;
    this.log = new FrameLog(turnId, base, () => this.#flushText(), ticks);
    this.#onText = onText;
  }

  /** No event will follow. */
  get closed(): boolean {
    return this.log.closed;
  }

  queued(position: number): void {
    this.#push({ type: 'queued', position });
  }

  /** Begins a block of text or thinking. */
  begin(block: StreamedBlock, created_at: string): LiveItem {
    return this.#start(block, created_at);
  }

  /** Adds text to a block that began. The caller has appended it to the block already. */
  text(item: LiveItem, text: string): void {
    if (this.#pending?.item === item) {
      this.#pending.text += text;
    } else {
      this.#flushText();
      this.#pending = { item, text };
    }
    this.log.scheduleWake();
  }

  /** Ends a block of text or thinking: whole, or as its `internal.status` says. */
  end(item: LiveItem): void {
    this.#flushText();
    this.#complete(item);
  }

  /** Tells that the model calls a tool. */
  call(block: ToolUse, created_at: string): LiveItem {
    this.#push({ type: 'tool_call', id: block.id, name: block.name, input: block.input });
    return this.#start(block, created_at);
  }

  /**
   * Shows a snapshot of the progress of a call. The snapshot before it leaves the log, so that no flood of them fills
   * the memory.
   */
  progress(item: LiveItem, output: string): void {
    this.#flushText();
    const last = this.#snapshots.get(item.id);
    if (last !== undefined) for (const at of [last, last + 1]) this.log.blank(at);
    this.#snapshots.set(item.id, this.log.frames.length);
    this.#push({ type: 'tool_progress', id: (item.block as ToolUse).id, output });
    this.#push({ type: 'item_delta', item_id: item.id, delta: { type: 'progress', output } });
  }

  /** Tells the result of a call. */
  result(item: LiveItem, result: ToolResult): void {
    const { id, name } = item.block as ToolUse;
    this.#push({ type: 'tool_result', id, name, output: result.output, is_error: result.is_error });
    this.#complete(item, result);
  }

  /** Tells that the model drew an image. @param block its marker */
  image(block: StreamedBlock, created_at: string): void {
    const { image_id, media_type, url } = block.internal!.drawn!;
    this.#push({ type: 'image', id: image_id, media_type, url });
    this.#complete(this.#start(block, created_at));
  }

  /** Tells a block that is whole from the start: a machine note, or the marker of a compaction. */
  entry(block: StoredBlock, created_at: string): void {
    this.#complete(this.#start(block, created_at));
  }

  /** Tells that the turn sleeps, or waits for the kernel to wake (EV-7). */
  sleeping({ since, until, reason }: KernelSleep): void {
    this.#push({ type: 'sleeping', since, until, reason });
  }

  /** Tells that history is being folded, which makes a pause (EV-5). */
  compacting(): void {
    this.#push({ type: 'compacting' });
  }

  /** Tells how many characters of old outputs no longer go to the model (EV-6). */
  squeezed(freed_chars: number): void {
    this.#push({ type: 'turn_squeezed', freed_chars });
  }

  /** Shows the whole plan; an empty one closes it (EV-9). */
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

  /** Tells that a client is asked to do something. */
  requestOpened(event: EventOf<'client_op' | 'extra_tool_call'>, created_at: string): void {
    this.#push(event);
    if (event.type !== 'client_op') return;
    const position = { id: this.#nextId(), turn_id: this.turn_id, created_at };
    const item = this.#operations.begin(event, position, this.log.frames.length - 1);
    this.#push({ type: 'item_started', item });
  }

  /**
   * Tells how a request to a client ended.
   * @param failed true where the client, or its owner, did not do what was asked
   */
  requestResolved(resolution: Resolution, failed: boolean): void {
    this.#push({ type: 'request_resolved', ...resolution });
    const ended = this.#operations.end(resolution, failed, at => (this.log.frames[at] as Frame).text.length);
    if (ended === undefined) return;
    this.#push({ type: 'item_completed', item: ended.item });
    if (ended.blank !== undefined) this.log.blank(ended.blank);
  }

  /** Tells the cost of one trip (EV-4). @param agent the name of the sub-agent that made it (WIRE-5) */
  usage(model: string, usage: Usage, agent?: string): void {
    this.#push({ type: 'usage', model, ...usage, ...(agent !== undefined && { agent }) });
  }

  error(error: TurnError): void {
    this.#push({ type: 'error', turn_id: this.turn_id, ...error });
  }

  /** Ends the feed with `done`, the last event of every stream. */
  done(done: { status: TurnEnd; stop_reason: string; message_ids: string[]; usage: Usage }): void {
    this.#endPlan(done.status === 'completed' ? 'completed' : 'aborted');
    this.#push({ type: 'done', turn_id: this.turn_id, ...done });
    this.close();
  }

  /** Ends all readers behind the last event. Without `done` before it this happens only where the process stops. */
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
    this.log.append(type, `{"type":"${type}","text":${json}}`);
    this.log.append(
      'item_delta',
      `{"type":"item_delta","item_id":"${item.id}","delta":{"type":"text","text":${json}}}`,
    );
  }
}
