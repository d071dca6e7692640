/** A tool of a guest, as the kernel sees tools (SVC-2). */
import type { BroughtTool } from '@chat-kernel/kernel';
import type { ListedTool } from '../listing/listing.ts';
import type { Guest } from './guest.ts';
import { groupNameOf } from './tool-names.ts';

export function guestTool(guest: Guest, listed: ListedTool, name: string): BroughtTool {
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
