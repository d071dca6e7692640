/** The editor at the other end. */
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { OpenToolServers } from './tool-servers.ts';

export interface Editor {
  /** Calls and tells the editor. */
  editor: AgentContext;
  capabilities: ClientCapabilities;
  say: (line: string) => void;
  openToolServers: OpenToolServers;
}
