/** Modules: separate processes that extend the kernel (MOD-1 to MOD-9). Third-party tool servers are at ./mcp/mcp.ts. */
export { ModuleHost, type ModuleHostDeps } from './modules/host/module-host.ts';
export { moduleTools } from './modules/host/module-tools.ts';
export { writableByOthers } from './modules/host/open-directory.ts';
