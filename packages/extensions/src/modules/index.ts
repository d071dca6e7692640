/** Modules: separate processes that extend the kernel (MOD-1 to MOD-9). */
export { ModuleHost, type ModuleHostParts } from './host.ts';
export { moduleTools } from './module-tools.ts';
