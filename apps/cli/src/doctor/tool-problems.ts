/** Reports the tools of modules and MCP servers that were skipped, or that a model does not get (WIRE-7). */
import { Guest, Module } from '@chat-kernel/protocol';
import { type Finding, warning } from './finding.ts';

/** Kernels of other versions may have other fields. */
const READ = { name: true, problems: true } as const;
const LISTS = [
  { field: 'guests', list: Guest.pick(READ).array(), about: 'MCP server' },
  { field: 'modules', list: Module.pick(READ).array(), about: 'module' },
];
const CURE = 'correct the tool, choose another model, or turn off tools that you do not need in tools.policy';

/** @param request reads an address of the kernel */
export async function* checkTools(request: (path: string) => Promise<Response>): AsyncGenerator<Finding> {
  for (const { field, list, about } of LISTS) {
    const answer: Record<string, unknown> | null = await request(`/v1/${field}`)
      .then(response => response.json())
      .catch(() => null);
    for (const { name, problems } of list.safeParse(answer?.[field]).data ?? [])
      for (const problem of problems) yield warning(`${about} ${name}`, problem, CURE);
  }
}
