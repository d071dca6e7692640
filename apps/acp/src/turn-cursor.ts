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

export function turnCursor(tell: (update: SessionUpdate) => void) {
  const notes = new Set<string>();
  const calls = new Map<string, Call>();
  /** The number of characters since the start of the turn or its last reset, and how many of them the editor has. */
  const received = { agent_message_chunk: 0, agent_thought_chunk: 0 };
  const sent = { agent_message_chunk: 0, agent_thought_chunk: 0 };

  const takeText = (kind: Text, text: string): void => {
    const before = received[kind];
    received[kind] += text.length;
    const fresh = text.slice(Math.max(0, sent[kind] - before));
    if (fresh === '') return;
    sent[kind] = received[kind];
    tell(textUpdate(kind, fresh));
  };

  /** Renders a note like a loaded history does. */
  const takeNote = (item: Item): void => {
    if (item.kind !== 'machine_note' || notes.has(item.id)) return;
    notes.add(item.id);
    tell(textUpdate('agent_thought_chunk', item.text));
  };

  const begin = ({ id, name, input }: EventOf<'tool_call'>): void => {
    if (calls.has(id)) return;
    calls.set(id, { name, input, ended: false });
    tell(callStarted(id, name, input));
  };

  const endCall = (id: string, output: string, is_error: boolean): void => {
    const call = calls.get(id);
    if (call === undefined || call.ended) return;
    call.ended = true;
    tell(buildCallResult(id, call, output, is_error));
  };

  return {
    take(event: TurnEvent): void {
      switch (event.type) {
        case 'text_delta':
          takeText('agent_message_chunk', event.text);
          break;
        case 'thinking_delta':
          takeText('agent_thought_chunk', event.text);
          break;
        case 'tool_call':
          begin(event);
          break;
        case 'tool_progress':
          if (calls.get(event.id)?.ended === false) tell(callProgress(event.id, event.output));
          break;
        case 'tool_result':
          endCall(event.id, event.output, event.is_error);
          break;
        case 'plan':
          tell(toPlanUpdate(event.tasks));
          break;
        case 'item_completed':
          takeNote(event.item);
          break;
        case 'reset':
          received.agent_message_chunk = 0;
          received.agent_thought_chunk = 0;
          break;
      }
    },

    /**
     * Finds the call that an operation belongs to: an open one with the same command or path. Undefined: there is none.
     */
    callOf(params: JsonObject): string | undefined {
      const named = [params.command, params.path].filter(each => typeof each === 'string' && each !== '');
      for (const [id, { input, ended }] of calls) {
        if (ended) continue;
        const texts = textsIn(input);
        if (named.some(each => texts.some(text => text === each || (each as string).endsWith(`/${text}`))))
          return id;
      }
      return undefined;
    },

    /** Stores the change of a whole file, to show it when the call ends. */
    changes(callId: string, change: FileChange): void {
      const call = calls.get(callId);
      if (call) call.change = change;
    },

    /** Ends the open calls of the turn as failed. */
    end(): void {
      for (const id of calls.keys()) endCall(id, 'The turn ended before this call returned.', true);
    },
  };
}

/** Collects all texts of an input, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
