/** The connection to the editor. */
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { CommandOptions } from '@chat-kernel/hands';
import type { OpenToolServers } from './tool-servers.ts';

export interface Editor {
  /** Sends requests and notifications to the editor. */
  editor: AgentContext;
  capabilities: ClientCapabilities;
  say: (line: string) => void;
  openToolServers: OpenToolServers;
  /** How commands run on this machine. */
  commands?: CommandOptions | undefined;
}
