/** Converts the MCP servers of an editor session to settings for the MCP client. */
import type { AgentContext, ClientCapabilities, McpServer } from '@agentclientprotocol/sdk';
import type { JsonObject } from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';

/** A local program or a URL, with the same fields as in the kernel's settings. */
interface ToolServer {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
}

export interface ServerTool {
  name: string;
  description: string;
  input_schema: JsonObject;
  /** True if the tool may change something, because its server does not declare it as read-only. */
  acts: boolean;
  /** Never rejects: errors are in the output. */
  run(
    input: JsonObject,
    call: { signal: AbortSignal; progress(output: string): void },
  ): Promise<{ output: string; is_error: boolean }>;
}

/** Connects to the servers, and reconnects if a connection breaks. */
export interface ToolServers {
  /** Resolves when the first attempt has ended for each of them. */
  tried(): Promise<void>;
  /** The tools of the connected servers. */
  tools(): ServerTool[];
  stop(): Promise<void>;
}

export interface ToolServersOptions {
  servers: Record<string, ToolServer>;
  /** Reports errors. */
  say: (line: string) => void;
}

/** Connects to MCP servers. The calling program provides this, because it includes an MCP client. */
export type OpenToolServers = (options: ToolServersOptions) => Promise<ToolServers>;

/**
 * The servers by name. The prefix `editor_` avoids conflicts with the kernel's servers.
 * @param cwd the working directory of programs
 * @param say reports unsupported servers
 */
export function toToolServers(
  named: readonly McpServer[],
  cwd: string,
  say: (line: string) => void,
): Record<string, ToolServer> {
  const servers: Record<string, ToolServer> = {};
  for (const each of named) {
    const server = toToolServer(each, cwd);
    if (server === undefined)
      say(`The MCP server ${each.name} is not supported: only stdio and HTTP servers are.`);
    else servers[`editor_${each.name}`] = server;
  }
  return servers;
}

function toToolServer(server: McpServer, cwd: string): ToolServer | undefined {
  if ('command' in server) {
    return { command: server.command, args: server.args, env: pairs(server.env), cwd };
  }
  return server.type === 'http' ? { url: server.url, headers: pairs(server.headers) } : undefined;
}

const pairs = (entries: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(entries.map(({ name, value }) => [name, value]));

/** The connection to the editor. */
export interface Editor {
  /** Sends requests and notifications to the editor. */
  editor: AgentContext;
  capabilities: ClientCapabilities;
  say: (line: string) => void;
  openToolServers: OpenToolServers;
  /** How commands run on this machine. */
  commands?: CommandOptions | undefined;
}
