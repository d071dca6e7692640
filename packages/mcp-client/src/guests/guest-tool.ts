/** Adapts a tool of a guest to the kernel's type of tools (SVC-2). */
import type { Tool, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import type { GuestCallContext } from '../calls/guest-call.ts';
import type { ListedTool } from '../listing/listing.ts';
import type { Guest } from './guest.ts';
import { buildGroupName } from './tool-names.ts';

/** Calls need only a small part of the context. */
export type GuestTool = Omit<Tool, 'run'> & {
  run(input: JsonObject, context: GuestCallContext): Promise<ToolOutput>;
};

export function guestTool(guest: Guest, listed: ListedTool, name: string): GuestTool {
  return {
    name,
    description: listed.description,
    input_schema: listed.input_schema,
    source: 'mcp',
    group: buildGroupName(guest.name),
    icon: '🔌',
    trusted_only: true,
    client_only: false,
    on_demand: false,
    available: guest.available,
    outside_effect: !listed.read_only,
    effects: listed.read_only ? ['read'] : ['write', 'send'],
    ...(!guest.trusted && { outside: `mcp:${guest.name}` }),
    // The rest of the context is not passed on: a guest does not learn who writes in which chat (MCP-2).
    run: (input, { signal, progress, askOwner }) => guest.call(listed, input, { signal, progress, askOwner }),
  };
}
