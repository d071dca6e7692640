/** The tools and groups of all approved modules, except tools that cannot be offered (MOD-3, MOD-4). */
import type { BroughtTool, Clock, ToolGroup } from '@chat-kernel/kernel';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { fullName, moduleTool, toolMistake } from './module-tool.ts';

export interface ModuleCatalogue {
  tools: BroughtTool[];
  groups: ToolGroup[];
  /** Full names of the tools of modules that have changed since they were approved: nobody else may take them. */
  reserved: string[];
  /** Name of a module, approved or not → full name of a tool that is left out → why. */
  leftOut: Map<string, Map<string, string>>;
}

/** @param modules of two tools with one name, that of the earlier module is taken */
export function catalogueOf(
  modules: readonly HostedModule[],
  reserved: ReadonlySet<string>,
  clock: Clock,
): ModuleCatalogue {
  const tools = new Map<string, BroughtTool>();
  const kept = new Map(modules.filter(({ changed }) => changed).flatMap(namesOf));
  const groups: ToolGroup[] = [];
  const leftOut: ModuleCatalogue['leftOut'] = new Map();
  for (const module of modules) {
    const { declaration, name, approved } = module;
    if (!declaration) continue;
    const mistakes = new Map<string, string>();
    for (const declared of declaration.tools) {
      const full = fullName(name, declared.name);
      const isTaken = reserved.has(full) || tools.has(full) || (kept.get(full) ?? name) !== name;
      const taken = isTaken ? 'there is a tool of this name already' : undefined;
      const mistake = taken ?? toolMistake(name, declared);
      if (mistake) mistakes.set(full, mistake);
      else if (approved) tools.set(full, moduleTool(module, declaration, declared, clock));
    }
    if (mistakes.size > 0) leftOut.set(name, mistakes);
    if (approved) groups.push({ name, about: declaration.about });
  }
  return { tools: [...tools.values()], groups, reserved: [...kept.keys()], leftOut };
}

/** Full name of each tool that a module had when it was approved, or has now → the module. */
const namesOf = ({ name, declaration, declarationInForce }: HostedModule): [string, string][] =>
  [...(declarationInForce?.tools ?? []), ...(declaration?.tools ?? [])].map(tool => [
    fullName(name, tool.name),
    name,
  ]);
