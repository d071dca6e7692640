/** The MCP servers that an editor names for a session, in the words of whoever reaches them. */
import type { McpServer } from '@agentclientprotocol/sdk';
import type { JsonObject } from '@chat-kernel/client';

/** A program that is started, or an address; as the settings of the kernel name them. */
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
  /** It may change something: its server does not say that it only reads. */
  acts: boolean;
  /** Never rejects: the output says what went wrong. */
  run(
    input: JsonObject,
    call: { signal: AbortSignal; progress(output: string): void },
  ): Promise<{ output: string; is_error: boolean }>;
}

/** Servers that are being reached, again and again where they go. */
export interface ToolServers {
  /** Resolves when each was reached once, or could not be. */
  tried(): Promise<void>;
  /** Those of the servers that are there now. */
  tools(): ServerTool[];
  stop(): Promise<void>;
}

export interface ToolServersOptions {
  servers: Record<string, ToolServer>;
  /** Told of what goes wrong. */
  say: (line: string) => void;
}

/** Reaches MCP servers. The program that composes this one brings it, for it has a client of MCP. */
export type OpenToolServers = (options: ToolServersOptions) => Promise<ToolServers>;

/**
 * The servers by name. Theirs begin with `editor_`, so that no tool has the name of one of a server of the kernel.
 * @param cwd the working directory of programs @param say told of servers that cannot be used
 */
export function serversOf(
  named: readonly McpServer[],
  cwd: string,
  say: (line: string) => void,
): Record<string, ToolServer> {
  const servers: Record<string, ToolServer> = {};
  for (const each of named) {
    const server = serverOf(each, cwd);
    if (server === undefined)
      say(`The MCP server ${each.name} is not used: it is neither a program nor http.`);
    else servers[`editor_${each.name}`] = server;
  }
  return servers;
}

function serverOf(server: McpServer, cwd: string): ToolServer | undefined {
  if ('command' in server) {
    return { command: server.command, args: server.args, env: pairs(server.env), cwd };
  }
  return server.type === 'http' ? { url: server.url, headers: pairs(server.headers) } : undefined;
}

const pairs = (entries: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(entries.map(({ name, value }) => [name, value]));
