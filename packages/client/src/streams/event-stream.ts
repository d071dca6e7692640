/** Reads the responses and messages of event streams, and checks them: a proxy may respond instead of the kernel. */
import { ConnectionError } from '../http/errors.ts';
import type { SseMessage } from './sse.ts';

/** @throws ConnectionError for another media type: the request has not reached the kernel */
export function checkEventStream({ status, headers }: Response): void {
  const type = headers.get('content-type') ?? 'nothing named';
  if (status !== 204 && !/^text\/event-stream\b/i.test(type)) {
    throw new ConnectionError(`No event stream came, but ${type}: what answers is not the kernel.`);
  }
}

/** Returns the event of a message. @throws ConnectionError if it is not an object with a type */
export function eventIn<Event extends { type: string }>({ data }: SseMessage): Event {
  const value = parsed(data);
  if (typeof (value as Event | null)?.type === 'string') return value as Event;
  throw new ConnectionError(`No event came, but ${data.slice(0, 100)}`);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Returns true if the stream continues after the last event; otherwise it starts over. */
export const isResumed = ({ headers }: Response): boolean => headers.get('x-resumed') === 'true';
