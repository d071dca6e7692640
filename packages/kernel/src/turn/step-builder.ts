/**
 * Builds the messages of the running step. Sends each change to the feed immediately, so that the stream and the stored
 * messages cannot differ.
 */
import { type JsonObject, NOTE_FACTS, type NoteId, type Usage } from '@chat-kernel/protocol';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { SurrogateBuffer } from '../base/text.ts';
import type { StepFeed } from '../feed/feed.ts';
import type { LiveItem } from '../feed/live-items.ts';
import type { KnownState } from '../history/known-state.ts';
import { unfinished } from '../history/repair.ts';
import type { ToolUse } from '../items/to-items.ts';
import { type Clock, type NewMessage, type Origin, type StoredBlock, timestamp } from '../ports/index.ts';
import { type StepJournal, StepMessages } from './step-messages.ts';

type StreamedBlock = Extract<StoredBlock, { type: 'text' | 'thinking' }>;

export class StepBuilder {
  /** True: the speaker of the turn is not trusted, and other such turns may see what the model writes (WHO-3). */
  stranger = false;
  /** The id of the model that writes the step; the blocks that it writes name it. */
  model: string | undefined;
  readonly #feed: StepFeed;
  readonly #clock: Clock;
  readonly #messages: StepMessages;
  readonly #secrets: KnownSecrets;
  #open: { block: StreamedBlock; item: LiveItem } | null = null;
  /** The text that ended last. It is completed before anything follows it, or once the usage of its request is known. */
  #ended: LiveItem | null = null;
  readonly #text = new SurrogateBuffer();
  readonly #calls = new Map<string, LiveItem>();
  #closed = false;
  #changed = false;

  /** @param journal absent: the step is not recorded */
  constructor(
    turn: { id: string; chat_id: string },
    feed: StepFeed,
    { clock, secrets }: { clock: Clock; secrets: KnownSecrets },
    journal?: StepJournal,
  ) {
    this.#feed = feed;
    this.#clock = clock;
    this.#secrets = secrets;
    this.#messages = new StepMessages(turn, clock, journal);
  }

  /** The current messages, for a checkpoint. */
  get messages(): NewMessage[] {
    return this.#messages.all;
  }

  /** Whether the reply of this step contains text or an image. */
  get hasReply(): boolean {
    const blocks = this.#messages.reply?.content ?? [];
    return blocks.some(
      block => block.type === 'text' && block.internal?.note === undefined && block.text.trim() !== '',
    );
  }

  /** The number of calls of this step without a result. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /** Whether content was added since the last call of this method. */
  takeChanged(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /** Adds text or thinking of the model. Empty pieces are ignored. A refusal becomes a separate block. */
  write(type: 'text' | 'thinking', piece: string, refusal?: true): void {
    if (this.#closed || piece === '') return;
    const open = this.#open?.block;
    if (open && (open.type !== type || open.internal?.refusal !== refusal)) this.#endOpen();
    const text = this.#text.add(piece);
    if (text === '') return;
    if (this.#open === null) {
      this.#completeEnded();
      const block: StreamedBlock = { type, text: '', ...(refusal && { internal: { refusal } }) };
      this.#open = { block, item: this.#feed.begin(block, this.#add(block)) };
    }
    this.#append(this.#open, text);
  }

  /** Ends the open block of this type. A block that only its provider can read may have no text; it is added here. */
  endBlock(type: 'text' | 'thinking', origin: Origin | undefined): void {
    if (this.#closed) return;
    if (this.#open?.block.type === type) {
      const { block } = this.#open;
      if (origin) block.internal = { ...block.internal, origin };
      this.#endOpen({ waits: type === 'text' });
      // Record it after its remaining text, which the end flushes.
      if (origin) this.#messages.changed(block);
    } else if (origin) {
      this.#add({ type, text: '', internal: { origin } });
    }
  }

  /** Adds the tokens and cost of the provider request to the last block that it returned. */
  bill(usage: Usage): void {
    if (this.#closed) return;
    const written = this.#messages.reply?.content.findLast(({ internal }) => internal?.model !== undefined);
    const block = this.#open?.block ?? this.#ended?.block ?? written;
    if (block) block.internal = { ...block.internal, usage };
    this.#completeEnded();
  }

  /** @param written the input as the model wrote it, if `input` differs */
  call(id: string, name: string, input: JsonObject, origin: Origin | undefined, written?: JsonObject): void {
    if (this.#closed) return;
    this.#endOpen();
    const internal = { ...(origin && { origin }), ...(written && { written }) };
    const hasInternal = Object.keys(internal).length > 0;
    const block: ToolUse = { type: 'tool_use', id, name, input, ...(hasInternal && { internal }) };
    this.#calls.set(id, this.#feed.call(block, this.#add(block)));
  }

  /** Adds a call that the kernel makes itself; its result arrives like that of any other call. */
  ask(id: string, name: string, input: JsonObject): void {
    if (this.#closed) return;
    this.#endOpen();
    const block: ToolUse = { type: 'tool_use', id, name, input, internal: { kernel: true } };
    this.#calls.set(id, this.#feed.call(block, this.#add(block)));
  }

  /** Adds the marker of an image that the model generated. */
  image(marker: StreamedBlock): void {
    if (this.#closed) return;
    this.#endOpen();
    this.#feed.image(marker, this.#add(marker));
  }

  progress(callId: string, output: string): void {
    const item = this.#calls.get(callId);
    if (item === undefined || this.#closed) return;
    this.#feed.progress(item, this.#secrets.redactSnapshot(output).toWellFormed());
  }

  /**
   * Adds the result of an open call, without known secrets. Ignored if the call already has one.
   * @param told the state of the chat that the model knows from the result
   * @param images the images that the model sees with it
   * @param outside the sources of words in it that the owner did not write
   */
  result(
    callId: string,
    output: string,
    isError: boolean,
    {
      told = {},
      images = [],
      outside = [],
    }: { told?: KnownState; images?: readonly StoredBlock[]; outside?: string[] } = {},
  ): void {
    if (this.#closed) return;
    this.#answer(
      {
        type: 'tool_result',
        tool_use_id: callId,
        output: this.#secrets.redact(output).toWellFormed(),
        is_error: isError,
        ...(Object.keys(told).length + outside.length > 0 && {
          internal: {
            ...(Object.keys(told).length > 0 && { told }),
            ...(outside.length > 0 && { outside }),
          },
        }),
      },
      images,
    );
  }

  /** Removes the assistant message from the finished step, to be stored. Open calls stay open. */
  takeReply(): NewMessage[] {
    this.#endOpen();
    return this.#messages.takeReply();
  }

  /** Removes the message with the results, to be stored, when all calls have returned. */
  takeResults(): NewMessage[] {
    return this.#messages.takeResults();
  }

  /** Gives open calls the synthetic result, and removes all messages of the step, to be stored. */
  closeCalls(): NewMessage[] {
    for (const callId of [...this.#calls.keys()]) this.#answer(unfinished(callId));
    return [...this.takeReply(), ...this.takeResults()];
  }

  /** Adds a note of the kernel during the turn. */
  note(note: NoteId, reason?: string): void {
    if (this.#closed) return;
    this.#endOpen();
    const block: StreamedBlock = { type: 'text', text: noteText(note, reason), internal: { note } };
    this.#feed.entry(block, this.#add(block));
  }

  /**
   * Closes the step at the end of the turn: open blocks get the status `left`, open calls get the synthetic result, and
   * a note is added after them. Returns all messages, to be stored; later writes are ignored.
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

  /**
   * Restores the step after a crash: the checkpoint of the step that ran, and calls that were stored without results.
   */
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

  /** Restores a sleeping step after a restart: its checkpoint, and the calls that the feed has shown again. */
  resume(checkpoint: readonly NewMessage[], calls: ReadonlyMap<string, LiveItem>): void {
    this.#messages.restore(checkpoint);
    for (const [id, item] of calls) this.#calls.set(id, item);
  }

  /** Ignores all later writes, because the turn continues in another process. */
  leave(): void {
    this.#closed = true;
  }

  #append({ block, item }: { block: StreamedBlock; item: LiveItem }, text: string): void {
    block.text += text;
    this.#changed = true;
    this.#feed.text(item, text);
  }

  /** Adds a block to the assistant message; returns the time of that message, which its items use. */
  #add(block: StoredBlock): string {
    if (this.stranger) block.internal = { ...block.internal, stranger: true };
    const isOfModel = block.internal?.note === undefined && !block.internal?.kernel;
    if (isOfModel && this.model !== undefined) block.internal = { ...block.internal, model: this.model };
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

  /** @param waits true: the item is completed later, see `#ended` */
  #endOpen({ waits } = { waits: false }): void {
    const rest = this.#text.end();
    if (this.#open !== null) {
      if (rest !== '') this.#append(this.#open, rest);
      this.#ended = this.#open.item;
      this.#open = null;
    }
    if (!waits) this.#completeEnded();
  }

  #completeEnded(): void {
    if (this.#ended !== null) this.#feed.end(this.#ended);
    this.#ended = null;
  }
}

const noteText = (note: NoteId, reason: string | undefined): string =>
  reason === undefined ? NOTE_FACTS[note].text : `${NOTE_FACTS[note].text} ${reason.toWellFormed()}`;
