/** Creates the wire format of an event, once for all its readers. */
import type { Event, HandsEvent, KernelEvent } from '@chat-kernel/protocol';

/** An encoded event. `text` is sent to clients; it is empty if a later event has replaced this one. */
export interface Frame {
  type: Event['type'];
  text: string;
}

/**
 * The lines of one event, with the empty line that ends it. The id comes last: some clients consider an id read as soon
 * as its line has arrived, and a connection that breaks directly after it would lose the event (WIRE-1).
 */
export const frameText = (id: string, json: string): string => `data: ${json}\nid: ${id}\n\n`;

/** The same frame with its event marked as replayed (EV-12). */
export function replayedFrame(text: string): string {
  // JSON contains no raw line ends, so the first one ends the data line, after the closing brace of the object.
  const end = text.indexOf('\n') - 1;
  return `${text.slice(0, end)},"replayed":true${text.slice(end)}`;
}

/** JSON without the characters that some clients treat as line ends, although SSE does not. */
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
