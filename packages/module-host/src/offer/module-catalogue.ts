/** Collects the tools and groups of all approved modules, except tools that cannot be used (MOD-3, MOD-4). */
import type { Clock, ExtensionTool, ToolGroup } from '@chat-kernel/kernel';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { fullName, moduleTool, toolMistake } from './module-tool.ts';

export interface ModuleCatalogue {
  tools: ExtensionTool[];
  groups: ToolGroup[];
  /** Full names of the tools of modules that have changed since their approval; other tools cannot use these names. */
  reserved: string[];
  /** Name of a module, approved or not → full name of an excluded tool → reason. */
  leftOut: Map<string, Map<string, string>>;
}

/** @param modules in order: if two tools share a name, the one of the earlier module is used */
export function buildCatalogue(
  modules: readonly HostedModule[],
  reserved: ReadonlySet<string>,
  clock: Clock,
): ModuleCatalogue {
  const tools = new Map<string, ExtensionTool>();
  const kept = new Map(modules.filter(({ changed }) => changed).flatMap(listToolNames));
  const groups: ToolGroup[] = [];
  const leftOut: ModuleCatalogue['leftOut'] = new Map();
  for (const module of modules) {
    const { declaration, name, approved } = module;
    if (!declaration) continue;
    const mistakes = new Map<string, string>();
    for (const declared of declaration.tools) {
      const full = fullName(name, declared.name);
      const isTaken = reserved.has(full) || tools.has(full) || (kept.get(full) ?? name) !== name;
      const taken = isTaken ? 'a tool with this name already exists' : undefined;
      const mistake = taken ?? toolMistake(name, declared);
      if (mistake) mistakes.set(full, mistake);
      else if (approved) tools.set(full, moduleTool(module, declaration, declared, clock));
    }
    if (mistakes.size > 0) leftOut.set(name, mistakes);
    if (approved) groups.push({ name, about: declaration.about });
  }
  return { tools: [...tools.values()], groups, reserved: [...kept.keys()], leftOut };
}

/** Full name of each tool that a module had at its approval, or has now → the module. */
const listToolNames = ({ name, declaration, declarationInForce }: HostedModule): [string, string][] =>
  [...(declarationInForce?.tools ?? []), ...(declaration?.tools ?? [])].map(tool => [
    fullName(name, tool.name),
    name,
  ]);
