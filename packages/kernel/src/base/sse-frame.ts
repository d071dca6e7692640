/** The wire form of an event, made once for all its readers. */
import type { Event, HandsEvent, KernelEvent } from '@chat-kernel/protocol';

/** An encoded event. `text` goes down the wire; it is empty where a later event has replaced this one. */
export interface Frame {
  type: Event['type'];
  text: string;
}

/**
 * The lines of one event, with the empty line that ends it. The id stands last: some clients take an id for read as
 * soon as its line has come, and a connection that breaks right behind it would lose the event (WIRE-1).
 */
export const frameText = (id: string, json: string): string => `data: ${json}\nid: ${id}\n\n`;

/** The same frame, its event marked as one of a replay (EV-12). */
export function replayedFrame(text: string): string {
  // JSON has no line ends of its own, so the first one is that of the data line, behind the brace of the object.
  const end = text.indexOf('\n') - 1;
  return `${text.slice(0, end)},"replayed":true${text.slice(end)}`;
}

/** JSON without the characters that some clients take for the end of a line, though SSE does not. */
export function encoded(value: Event | HandsEvent | KernelEvent | string): string {
  const json = JSON.stringify(value);
  return LINE_ENDS.test(json)
    ? json.replaceAll(
        new RegExp(LINE_ENDS, 'g'),
        end => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : json;
}

const LINE_ENDS = /[\u0085\u2028\u2029]/;
