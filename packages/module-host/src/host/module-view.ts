/** Builds the owner's view of a module. */
import type { Module } from '@chat-kernel/protocol';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { fullName } from '../offer/module-tool.ts';

/** @param leftOut full name of an excluded tool → reason */
export function toModuleView(module: HostedModule, leftOut: ReadonlyMap<string, string>): Module {
  const { name, source, status, declaration, approvedAt, problem } = module;
  const tools = (declaration?.tools ?? []).map(tool => fullName(name, tool.name));
  const problems = [...leftOut].map(([tool, why]) => `${tool} was skipped: ${why}`);
  if (problem !== null) problems.unshift(problem);
  return {
    name,
    version: declaration?.version ?? null,
    about: declaration?.about ?? null,
    status,
    source,
    tools: tools.filter(tool => !leftOut.has(tool)),
    stages: (declaration?.stages ?? []).map(({ stage }) => stage),
    approved_at: approvedAt,
    problem: problems.length > 0 ? problems.join('; ') : null,
  };
}
