/** Modules: separate processes that extend the kernel (MOD-1 to MOD-9). */
export { ModuleHost, type ModuleHostParts } from './host/module-host.ts';
export { moduleTools } from './host/module-tools.ts';
