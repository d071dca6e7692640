/** Small things that many tests say: a model that never goes on, what a stream told, one kind of event alone. */
import type { Event, EventOf, EventType } from '@chat-kernel/protocol';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';

/** The model says no more, until the kernel hangs up. */
export const SILENCE: ScriptedStep = { wait: new Promise(() => {}) };

/** A model that says this and then falls silent. */
export const stuck = (...steps: ScriptedStep[]): ScriptedReply => ({ steps: [...steps, SILENCE] });

/** A model that waits before it says this, until `go` is called. */
export function held(...steps: ScriptedStep[]): { reply: ScriptedReply; go: () => void } {
  const gate = Promise.withResolvers<void>();
  return { reply: { steps: [{ wait: gate.promise }, ...steps] }, go: gate.resolve };
}

export const says = (text: string): ScriptedReply => ({ steps: [{ text }] });

export const calls = (id: string, name: string, input: Record<string, unknown>): ScriptedReply => ({
  steps: [{ call: { id, name, input } }],
});

/** The events of one type. */
export const eventsOf = <Type extends EventType>(events: readonly Event[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);

/** The types in their order, neighbours of one type told once: how many pieces a text comes in is not promised. */
export function shape(events: readonly Event[]): EventType[] {
  const types = events.map(event => event.type);
  return types.filter((type, index) => type !== types[index - 1]);
}

/** The events of the original set alone. */
export const withoutItems = (events: readonly Event[]): Event[] =>
  events.filter(event => !event.type.startsWith('item_'));

/** All text that the events of this type bring. */
export const textOf = (
  events: readonly Event[],
  type: 'text_delta' | 'thinking_delta' = 'text_delta',
): string =>
  eventsOf(events, type)
    .map(event => event.text)
    .join('');
