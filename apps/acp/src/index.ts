/** The agent for editors: a session of the Agent Client Protocol is a chat of the kernel (FACE-2). */
export { type AcpOptions, serveAcp } from './serve.ts';
export type { ToolServers, ToolServersOptions } from './tool-servers.ts';
