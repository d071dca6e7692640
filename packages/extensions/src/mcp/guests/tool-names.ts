/** What the tools of guests are called here: `mcp_<server>_<tool>`, in the letters that every provider takes (MCP-1). */
import { createHash } from 'node:crypto';

/** What providers take as the name of a tool. */
const MOST = 64;
const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;
const HASH_CHARS = 8;

export const groupOf = (server: string): string => `mcp_${server}`;

/**
 * A name that is not among `taken`: the plain one, and with a hash of the two where that is too long or taken. The
 * same server and tool have the same name in every run, whatever became of the others, unless two are at odds.
 */
export function nameOf(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${groupOf(server)}_${tool}`.replace(NOT_ALLOWED, '_');
  if (plain.length <= MOST && !taken.has(plain)) return plain;
  const hash = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, HASH_CHARS);
  return `${plain.slice(0, MOST - HASH_CHARS - 1)}_${hash}`;
}
