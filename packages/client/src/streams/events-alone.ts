/** Streams of independent events: those of all chats, and those of a stand-by machine. */
import type { HandsEvent, KernelEvent } from '../api/types.ts';
import { type Connect, reconnecting, type StreamOptions } from './reconnecting.ts';

export async function* eventsAlone<Event extends KernelEvent | HandsEvent>(
  connect: Connect,
  options: StreamOptions,
): AsyncGenerator<Event, void> {
  for await (const step of reconnecting<Event>(connect, options)) {
    if (step.step === 'event') yield step.event;
  }
}
