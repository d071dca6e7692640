/** MCP servers of an office: one for trips, and one for a calendar. */
import { GuestServer } from '../../packages/mcp-client/test/fixtures/guest-server.ts';

type Tools = GuestServer['tools'];
type Message = Parameters<GuestServer['take']>[0];
type Send = Parameters<GuestServer['take']>[1];

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const READS = { annotations: { readOnlyHint: true } };

export const TRIP: Tools = [
  tool('find_trains', READS),
  tool('find_hotels', READS),
  tool('book_train'),
  tool('book_hotel'),
];
export const CALENDAR: Tools = [tool('list_events', READS), tool('add_event')];

/** Answers each call with a sentence that names it. */
export class OfficeServer extends GuestServer {
  constructor(tools: Tools) {
    super('2025-11-25');
    this.tools = [...tools];
  }

  override take(message: Message, send: Send, tell: Send = send): unknown {
    const { id, method, params } = message;
    if (method !== 'tools/call' || id === undefined) return super.take(message, send, tell);
    const content = [{ type: 'text', text: `Done: ${params?.name}.` }];
    return send({ jsonrpc: '2.0', id, result: { content } });
  }
}
