/** Tells an editor the events of a turn, each once: a turn that is sent again after a restart is not told again. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { EventOf, FileChange, JsonObject, TurnEvent } from '@chat-kernel/client';
import { callProgress, callStarted, resultOf } from './calls.ts';
import { textUpdate } from './history.ts';
import { planOf } from './plan.ts';

type Text = 'agent_message_chunk' | 'agent_thought_chunk';

interface Call {
  name: string;
  input: JsonObject;
  /** Of the whole file, where an operation has shown it. */
  change?: FileChange;
  ended: boolean;
}

export class ToldTurn {
  readonly #tell: (update: SessionUpdate) => void;
  readonly #calls = new Map<string, Call>();
  /** Characters of the turn since its beginning or its last reset, and those that the editor has. */
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
        this.#tell(planOf(event.tasks));
        break;
      case 'reset':
        this.#received.agent_message_chunk = 0;
        this.#received.agent_thought_chunk = 0;
        break;
    }
  }

  /** The call that an operation belongs to: an open one that names the same command or path. Undefined: none does. */
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

  /** Notes what a call does to a whole file, for its end to show. */
  changes(callId: string, change: FileChange): void {
    const call = this.#calls.get(callId);
    if (call) call.change = change;
  }

  /** Ends what the turn left open, as failed. */
  end(): void {
    for (const [id, call] of this.#calls) {
      if (!call.ended) this.#tell(resultOf(id, call, 'The turn ended before.', true));
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

  #begin({ id, name, input }: EventOf<'tool_call'>): void {
    if (this.#calls.has(id)) return;
    this.#calls.set(id, { name, input, ended: false });
    this.#tell(callStarted(id, name, input));
  }

  #end({ id, output, is_error }: EventOf<'tool_result'>): void {
    const call = this.#calls.get(id);
    if (call === undefined || call.ended) return;
    call.ended = true;
    this.#tell(resultOf(id, call, output, is_error));
  }

  #isOpen(id: string): boolean {
    return this.#calls.get(id)?.ended === false;
  }
}

/** All texts of an input, however deep. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
