/** How one event looks on the wire: encoded once, for whoever reads. */
import type { Event, KernelEvent } from '@chat-kernel/protocol';

/** One event, encoded: `text` is what goes down the wire; empty where a later event has replaced it. */
export interface Frame {
  type: Event['type'];
  text: string;
}

/** The lines of one event. */
export const frameText = (id: string, json: string): string => `id: ${id}\ndata: ${json}\n\n`;

/** JSON without the characters that some clients take for the end of a line, though SSE does not. */
export function encoded(value: Event | KernelEvent | string): string {
  const json = JSON.stringify(value);
  return LINE_ENDS.test(json)
    ? json.replaceAll(
        new RegExp(LINE_ENDS, 'g'),
        end => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : json;
}

const LINE_ENDS = /[\u0085\u2028\u2029]/;
