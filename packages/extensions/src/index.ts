/**
 * Modules: separate processes that extend the kernel (MOD-1 to MOD-9). Third-party tool servers are at ./mcp/mcp.ts. And
 * the ways by which word leaves for the owner (PUSH-1 to PUSH-4).
 */
export { ModuleHost } from './modules/host/module-host.ts';
export type { ModuleHostDeps } from './modules/host/module-host-deps.ts';
export { moduleTools } from './modules/host/module-tools.ts';
export { writableByOthers } from './modules/host/open-directory.ts';
export { openPush } from './push/push.ts';
