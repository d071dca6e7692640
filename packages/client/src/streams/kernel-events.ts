/** The events of all chats. The kernel itself sends `reset` where events were missed. */
import type { KernelEvent } from '../api/types.ts';
import { type Connect, reconnecting, type StreamOptions } from './reconnecting.ts';

export async function* kernelEvents(
  connect: Connect,
  options: StreamOptions,
): AsyncGenerator<KernelEvent, void> {
  for await (const step of reconnecting<KernelEvent>(connect, options)) {
    if (step.step === 'event') yield step.event;
  }
}
