/** Small helpers of many tests: a model that stops responding, the text of a stream, events of a single type. */
import type { Event, EventOf, EventType } from '@chat-kernel/protocol';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';

/** The model sends nothing until the kernel disconnects. */
export const SILENCE: ScriptedStep = { wait: new Promise(() => {}) };

/** A model that sends this and then nothing. */
export const stuck = (...steps: ScriptedStep[]): ScriptedReply => ({ steps: [...steps, SILENCE] });

/** A model that waits until `go` is called and then sends this. */
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

/**
 * The types in order, with repeated neighbors merged, because the number of pieces of a text is not guaranteed. Leaves
 * out the `turn` that begins most streams.
 */
export function shape(events: readonly Event[]): EventType[] {
  const types = events.map(event => event.type).filter(type => type !== 'turn');
  return types.filter((type, index) => type !== types[index - 1]);
}

/** Only the events of the original set, which does not include the `turn` at the beginning of a stream. */
export const withoutItems = (events: readonly Event[]): Event[] =>
  events.filter(event => event.type !== 'turn' && !event.type.startsWith('item_'));

/** All text in the events of this type. */
export const textOf = (
  events: readonly Event[],
  type: 'text_delta' | 'thinking_delta' = 'text_delta',
): string =>
  eventsOf(events, type)
    .map(event => event.text)
    .join('');

/** The answer of a model that summarizes a history, with texts for the memory. */
export const summaryWith = (...texts: readonly string[]): ScriptedReply => {
  const sections = ['Goal', 'Decisions', 'Open items', 'Names and paths', 'State of the work'];
  const rows = sections.map(section => `## ${section}\nTea.`);
  return says([...rows, '## For the memory', ...texts.map(text => `- ${text}`)].join('\n'));
};
