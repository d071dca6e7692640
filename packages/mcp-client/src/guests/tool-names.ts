/** Builds the names of guests' tools: `mcp_<server>_<tool>`, in the characters that all providers accept (MCP-1). */
import { createHash } from 'node:crypto';

/** Longest name that all providers accept. */
const MAX_CHARS = 64;
const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;
const HASH_CHARS = 8;

export const buildGroupName = (server: string): string => `mcp_${server}`;

/**
 * Returns a name that is not in `taken`: the plain one, or one with a hash if the plain one is too long or taken. A
 * tool keeps its name across restarts, whatever other tools exist, unless two plain names are the same.
 */
export function buildToolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${buildGroupName(server)}_${tool}`.replace(NOT_ALLOWED, '_');
  if (plain.length <= MAX_CHARS && !taken.has(plain)) return plain;
  const hash = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, HASH_CHARS);
  return `${plain.slice(0, MAX_CHARS - HASH_CHARS - 1)}_${hash}`;
}
