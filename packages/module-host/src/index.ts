/**
 * Hosts modules: separate processes that extend the kernel (MOD-1 to MOD-9). Third-party tool servers are in the
 * package mcp-client.
 */
export { ModuleHost } from './host/module-host.ts';
export type { ModuleHostDeps } from './host/module-host-deps.ts';
export { moduleTools } from './host/module-tools.ts';
export { writableByOthers } from './host/open-directory.ts';
