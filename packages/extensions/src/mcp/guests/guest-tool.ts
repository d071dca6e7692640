/** A tool of a guest, as the kernel sees tools (SVC-2). */
import type { Tool, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import type { GuestCallContext } from '../calls/guest-call.ts';
import type { ListedTool } from '../listing/listing.ts';
import type { Guest } from './guest.ts';
import { groupNameOf } from './tool-names.ts';

/** Its calls need little of the context. */
export type GuestTool = Omit<Tool, 'run'> & {
  run(input: JsonObject, context: GuestCallContext): Promise<ToolOutput>;
};

export function guestTool(guest: Guest, listed: ListedTool, name: string): GuestTool {
  return {
    name,
    description: listed.description,
    input_schema: listed.input_schema,
    source: 'mcp',
    group: groupNameOf(guest.name),
    icon: '🔌',
    trusted_only: true,
    client_only: false,
    on_demand: false,
    available: guest.available,
    outside_effect: !listed.read_only,
    // The rest of the context stays here: a guest does not learn who speaks in which chat (MCP-2).
    run: (input, { signal, progress, askOwner, trace }) =>
      guest.call(listed, input, { signal, progress, askOwner, trace }),
  };
}
