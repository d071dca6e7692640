/**
 * The step builder: the messages of the running step, under construction. Each change goes to the feed at once, so
 * that the stream and the stored messages cannot differ.
 */
import { type JsonObject, NOTES, type NoteId } from '@chat-kernel/protocol';
import { WholeText } from '../base/whole-text.ts';
import type { StepFeed } from '../feed/feed.ts';
import type { LiveItem } from '../feed/live-item.ts';
import type { KnownState } from '../history/known-state.ts';
import { unfinished } from '../history/repair.ts';
import type { ToolUse } from '../items/to-items.ts';
import { type Clock, type NewMessage, type Origin, type StoredBlock, timestamp } from '../ports/index.ts';
import { type StepJournal, StepMessages } from './step-messages.ts';

type StreamedBlock = Extract<StoredBlock, { type: 'text' | 'thinking' }>;

export class StepBuilder {
  /** True: the speaker of the turn is not trusted, and what the model says may be shown to other such turns (WHO-3). */
  stranger = false;
  readonly #feed: StepFeed;
  readonly #clock: Clock;
  readonly #messages: StepMessages;
  #open: { block: StreamedBlock; item: LiveItem } | null = null;
  readonly #text = new WholeText();
  readonly #calls = new Map<string, LiveItem>();
  #closed = false;
  #changed = false;

  /** @param journal absent: nobody is told of the step */
  constructor(turn: { id: string; chat_id: string }, feed: StepFeed, clock: Clock, journal?: StepJournal) {
    this.#feed = feed;
    this.#clock = clock;
    this.#messages = new StepMessages(turn, clock, journal);
  }

  /** The messages as they stand, for a checkpoint. */
  get messages(): NewMessage[] {
    return this.#messages.all;
  }

  /** The number of calls of this step that have no result yet. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /** Whether anything was added since the last call of this. */
  takeChanged(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /** Adds text, or thinking, of the model. Empty pieces are ignored. */
  write(type: 'text' | 'thinking', piece: string): void {
    if (this.#closed || piece === '') return;
    if (this.#open !== null && this.#open.block.type !== type) this.#endOpen();
    const text = this.#text.add(piece);
    if (text === '') return;
    if (this.#open === null) {
      const block: StreamedBlock = { type, text: '' };
      this.#open = { block, item: this.#feed.begin(block, this.#add(block)) };
    }
    this.#append(this.#open, text);
  }

  /**
   * Ends the open block of this type. A block that only its provider can read may have no text, and is added here.
   */
  endBlock(type: 'text' | 'thinking', origin: Origin | undefined): void {
    if (this.#closed) return;
    if (this.#open?.block.type === type) {
      const { block } = this.#open;
      if (origin) block.internal = { ...block.internal, origin };
      this.#endOpen();
      // Behind its text, which the end brings out.
      if (origin) this.#messages.changed(block);
    } else if (origin) {
      this.#add({ type, text: '', internal: { origin } });
    }
  }

  call(id: string, name: string, input: JsonObject, origin: Origin | undefined): void {
    if (this.#closed) return;
    this.#endOpen();
    const block: ToolUse = { type: 'tool_use', id, name, input, ...(origin && { internal: { origin } }) };
    this.#calls.set(id, this.#feed.call(block, this.#add(block)));
  }

  /** Adds a call that the kernel makes itself; its result comes like that of any other. */
  ask(id: string, name: string, input: JsonObject): void {
    if (this.#closed) return;
    this.#endOpen();
    const block: ToolUse = { type: 'tool_use', id, name, input, internal: { kernel: true } };
    this.#calls.set(id, this.#feed.call(block, this.#add(block)));
  }

  /** Adds the marker of an image that the model drew. */
  image(marker: StreamedBlock): void {
    if (this.#closed) return;
    this.#endOpen();
    this.#feed.image(marker, this.#add(marker));
  }

  progress(callId: string, output: string): void {
    const item = this.#calls.get(callId);
    if (item !== undefined && !this.#closed) this.#feed.progress(item, output.toWellFormed());
  }

  /**
   * Adds the result of an open call; for a call that has one already, nothing happens.
   * @param told the state of the chat that the model knows by the result
   * @param images the images that it sees with it
   */
  result(
    callId: string,
    output: string,
    isError: boolean,
    { told = {}, images = [] }: { told?: KnownState; images?: readonly StoredBlock[] } = {},
  ): void {
    if (this.#closed) return;
    this.#answer(
      {
        type: 'tool_result',
        tool_use_id: callId,
        output: output.toWellFormed(),
        is_error: isError,
        ...(Object.keys(told).length > 0 && { internal: { told } }),
      },
      images,
    );
  }

  /** Takes the assistant message out of the finished step, to be stored. Open calls stay open. */
  takeReply(): NewMessage[] {
    this.#endOpen();
    return this.#messages.takeReply();
  }

  /** Takes the message of the results out, to be stored, when all calls have returned. */
  takeResults(): NewMessage[] {
    return this.#messages.takeResults();
  }

  /** Gives open calls the synthetic result, and takes all messages of the step out, to be stored. */
  closeCalls(): NewMessage[] {
    for (const callId of [...this.#calls.keys()]) this.#answer(unfinished(callId));
    return [...this.takeReply(), ...this.takeResults()];
  }

  /** Adds a note of the kernel in the middle of the turn. */
  note(note: NoteId, reason?: string): void {
    if (this.#closed) return;
    this.#endOpen();
    const block: StreamedBlock = { type: 'text', text: noteText(note, reason), internal: { note } };
    this.#feed.entry(block, this.#add(block));
  }

  /**
   * Closes the step at the end of the turn: open blocks end as `left` says, calls get the synthetic result, and a
   * note is put behind them. Returns all messages, to be stored; later writes are ignored.
   */
  close(left: 'completed' | 'failed' | 'aborted', note?: { id: NoteId; reason?: string }): NewMessage[] {
    if (left !== 'completed') {
      if (this.#open) this.#open.block.internal = { ...this.#open.block.internal, status: left };
      this.#messages.endAs(left);
    }
    this.#endOpen();
    for (const callId of [...this.#calls.keys()]) this.#answer(unfinished(callId));
    const last = note && this.#note(note.id, note.reason);
    const messages = [...this.takeReply(), ...this.takeResults()];
    this.#closed = true;
    return last === undefined || messages.includes(last) ? messages : [...messages, last];
  }

  /** Takes up, after a crash, the checkpoint of the step that ran, and calls that were stored without results. */
  restore(checkpoint: readonly NewMessage[], unanswered: readonly ToolUse[]): void {
    this.#messages.restore(checkpoint);
    const { reply, results } = this.#messages;
    const last = reply?.content.at(-1);
    if (last?.type === 'text' || last?.type === 'thinking') {
      last.internal = { ...last.internal, status: 'aborted' };
    }
    const calls = [...unanswered, ...(reply?.content.filter(block => block.type === 'tool_use') ?? [])];
    const answered = new Set(
      results?.content.map(block => block.type === 'tool_result' && block.tool_use_id),
    );
    for (const call of calls) {
      if (!answered.has(call.id)) this.#calls.set(call.id, this.#feed.call(call, timestamp(this.#clock)));
    }
  }

  /** Takes up, after a restart, a step that sleeps: its checkpoint, and the calls that the feed has shown again. */
  resume(checkpoint: readonly NewMessage[], calls: ReadonlyMap<string, LiveItem>): void {
    this.#messages.restore(checkpoint);
    for (const [id, item] of calls) this.#calls.set(id, item);
  }

  /** Ignores all later writes, because the turn goes on in another process. */
  leave(): void {
    this.#closed = true;
  }

  #append({ block, item }: { block: StreamedBlock; item: LiveItem }, text: string): void {
    block.text += text;
    this.#changed = true;
    this.#feed.text(item, text);
  }

  /** Adds a block to the assistant message; returns the time of that message, which its items carry. */
  #add(block: StoredBlock): string {
    if (this.stranger) block.internal = { ...block.internal, stranger: true };
    this.#changed = true;
    return this.#messages.addToReply(block);
  }

  #answer(result: Extract<StoredBlock, { type: 'tool_result' }>, images: readonly StoredBlock[] = []): void {
    const item = this.#calls.get(result.tool_use_id);
    if (item === undefined) return;
    this.#calls.delete(result.tool_use_id);
    if (item.block.internal?.kernel) result.internal = { ...result.internal, kernel: true };
    this.#messages.addToResults([result, ...images], result.internal?.synthetic === true);
    this.#changed = true;
    this.#feed.result(item, result);
  }

  /** Adds a note at the end; returns its message. */
  #note(note: NoteId, reason: string | undefined): NewMessage {
    const block: StreamedBlock = { type: 'text', text: noteText(note, reason), internal: { note } };
    const message = this.#messages.addLast(block);
    this.#feed.entry(block, message.created_at);
    return message;
  }

  #endOpen(): void {
    const rest = this.#text.end();
    if (this.#open === null) return;
    if (rest !== '') this.#append(this.#open, rest);
    this.#feed.end(this.#open.item);
    this.#open = null;
  }
}

const noteText = (note: NoteId, reason: string | undefined): string =>
  reason === undefined ? NOTES[note] : `${NOTES[note]} ${reason.toWellFormed()}`;
