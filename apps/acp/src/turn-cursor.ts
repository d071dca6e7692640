/** Sends the events of a turn to an editor, each once: a turn that is replayed after a restart is not sent again. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { EventOf, FileChange, Item, JsonObject, TurnEvent } from '@chat-kernel/client';
import { buildCallResult, callProgress, callStarted } from './calls.ts';
import { textUpdate, toPlanUpdate } from './history.ts';

type Text = 'agent_message_chunk' | 'agent_thought_chunk';

interface Call {
  name: string;
  input: JsonObject;
  /** The change of the whole file, if an operation has shown it. */
  change?: FileChange;
  ended: boolean;
}

export class TurnCursor {
  readonly #tell: (update: SessionUpdate) => void;
  readonly #notes = new Set<string>();
  readonly #calls = new Map<string, Call>();
  /** The number of characters since the start of the turn or its last reset, and how many of them the editor has. */
  readonly #received = { agent_message_chunk: 0, agent_thought_chunk: 0 };
  readonly #sent = { agent_message_chunk: 0, agent_thought_chunk: 0 };

  constructor(tell: (update: SessionUpdate) => void) {
    this.#tell = tell;
  }

  take(event: TurnEvent): void {
    switch (event.type) {
      case 'text_delta':
        this.#text('agent_message_chunk', event.text);
        break;
      case 'thinking_delta':
        this.#text('agent_thought_chunk', event.text);
        break;
      case 'tool_call':
        this.#begin(event);
        break;
      case 'tool_progress':
        if (this.#isOpen(event.id)) this.#tell(callProgress(event.id, event.output));
        break;
      case 'tool_result':
        this.#end(event);
        break;
      case 'plan':
        this.#tell(toPlanUpdate(event.tasks));
        break;
      case 'item_completed':
        this.#note(event.item);
        break;
      case 'reset':
        this.#received.agent_message_chunk = 0;
        this.#received.agent_thought_chunk = 0;
        break;
    }
  }

  /**
   * Finds the call that an operation belongs to: an open one with the same command or path. Undefined: there is none.
   */
  callOf(params: JsonObject): string | undefined {
    const named = [params.command, params.path].filter(each => typeof each === 'string' && each !== '');
    for (const [id, { input, ended }] of this.#calls) {
      if (ended) continue;
      const texts = textsIn(input);
      if (named.some(each => texts.some(text => text === each || (each as string).endsWith(`/${text}`))))
        return id;
    }
    return undefined;
  }

  /** Stores the change of a whole file, to show it when the call ends. */
  changes(callId: string, change: FileChange): void {
    const call = this.#calls.get(callId);
    if (call) call.change = change;
  }

  /** Ends the open calls of the turn as failed. */
  end(): void {
    for (const [id, call] of this.#calls) {
      if (!call.ended)
        this.#tell(buildCallResult(id, call, 'The turn ended before this call returned.', true));
      call.ended = true;
    }
  }

  #text(kind: Text, text: string): void {
    const before = this.#received[kind];
    this.#received[kind] += text.length;
    const fresh = text.slice(Math.max(0, this.#sent[kind] - before));
    if (fresh === '') return;
    this.#sent[kind] = this.#received[kind];
    this.#tell(textUpdate(kind, fresh));
  }

  /** Renders a note like a loaded history does. */
  #note(item: Item): void {
    if (item.kind !== 'machine_note' || this.#notes.has(item.id)) return;
    this.#notes.add(item.id);
    this.#tell(textUpdate('agent_thought_chunk', item.text));
  }

  #begin({ id, name, input }: EventOf<'tool_call'>): void {
    if (this.#calls.has(id)) return;
    this.#calls.set(id, { name, input, ended: false });
    this.#tell(callStarted(id, name, input));
  }

  #end({ id, output, is_error }: EventOf<'tool_result'>): void {
    const call = this.#calls.get(id);
    if (call === undefined || call.ended) return;
    call.ended = true;
    this.#tell(buildCallResult(id, call, output, is_error));
  }

  #isOpen(id: string): boolean {
    return this.#calls.get(id)?.ended === false;
  }
}

/** Collects all texts of an input, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
