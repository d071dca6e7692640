/** A tool of a guest as a tool like all others (SVC-2). */
import type { Tool } from '@chat-kernel/kernel';
import type { Guest } from './guest.ts';
import type { ListedTool } from '../listing/listing.ts';
import { groupOf } from './tool-names.ts';

export function toolOf(guest: Guest, listed: ListedTool, name: string): Tool {
  return {
    name,
    description: listed.description,
    input_schema: listed.input_schema,
    source: 'mcp',
    group: groupOf(guest.name),
    icon: '🔌',
    trusted_only: true,
    client_only: false,
    on_demand: false,
    available: guest.available,
    outside_effect: !listed.read_only,
    // Only what a call needs: of who speaks, in which chat and about what, a guest learns nothing (MCP-2).
    run: (input, { signal, progress }) => guest.call(listed, input, { signal, progress }),
  };
}
