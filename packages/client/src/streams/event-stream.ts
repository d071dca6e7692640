/** What the answer to a stream has to be, and each message of it. A proxy in between may say something else. */
import { BrokenLine } from '../http/errors.ts';
import type { SseMessage } from './sse.ts';

/** @throws BrokenLine for a page with status 200: the kernel has not heard of the request */
export function checkEventStream({ status, headers }: Response): void {
  const type = headers.get('content-type') ?? 'nothing named';
  if (status !== 204 && !/^text\/event-stream\b/i.test(type)) {
    throw new BrokenLine(`No event stream came, but ${type}: what answers is not the kernel.`);
  }
}

/** @throws BrokenLine where it is no object with a type */
export function eventIn<Event extends { type: string }>({ data }: SseMessage): Event {
  const value = parsed(data);
  if (typeof (value as Event | null)?.type === 'string') return value as Event;
  throw new BrokenLine(`No event came, but ${data.slice(0, 100)}`);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
