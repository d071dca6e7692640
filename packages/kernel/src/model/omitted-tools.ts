/** Says which models do not get some tools, and why (WIRE-7). */
import type { Models, OmittedTools } from '../ports/index.ts';

/** Names in one sentence. */
const MAX_NAMES = 10;

/** Returns a sentence for each model and reason. @param tools full names, such as all tools of a module */
export function describeOmittedTools(
  models: Pick<Models, 'list' | 'find'>,
  tools: readonly string[],
): string[] {
  const asked = new Set(tools);
  return models
    .list()
    .models.flatMap(({ id }) =>
      (models.find(id)?.omittedTools?.() ?? []).flatMap(omitted => describe(id, omitted, asked) ?? []),
    );
}

function describe(
  model: string,
  { tools, why }: OmittedTools,
  asked: ReadonlySet<string>,
): string | undefined {
  const found = tools.filter(tool => asked.has(tool));
  if (found.length === 0) return undefined;
  const others = found.length - MAX_NAMES;
  const names = found.slice(0, MAX_NAMES).join(', ');
  return `${model} does not get ${names}${others > 0 ? ` and ${others} more` : ''}: ${why}`;
}
