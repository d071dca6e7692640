/** Builds the owner's view of a module. */
import type { Module } from '@chat-kernel/protocol';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { fullName } from '../offer/module-tool.ts';

/**
 * @param leftOut full name of an excluded tool → reason
 * @param describeOmitted returns a sentence for each model that does not get some of these tools
 */
export function toModuleView(
  module: HostedModule,
  leftOut: ReadonlyMap<string, string>,
  describeOmitted: (tools: readonly string[]) => readonly string[],
): Module {
  const { name, source, status, declaration, approvedAt, problem } = module;
  const tools = (declaration?.tools ?? [])
    .map(tool => fullName(name, tool.name))
    .filter(tool => !leftOut.has(tool));
  return {
    name,
    version: declaration?.version ?? null,
    about: declaration?.about ?? null,
    status,
    source,
    tools,
    stages: (declaration?.stages ?? []).map(({ stage }) => stage),
    approved_at: approvedAt,
    problem,
    problems: [...[...leftOut].map(([tool, why]) => `Skipped ${tool}: ${why}`), ...describeOmitted(tools)],
  };
}
