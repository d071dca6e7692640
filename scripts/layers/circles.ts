/** Checks the rule between files: no cycles, including types. */
import { type Import, importedFile } from './imports.ts';

/** Returns a line for each cycle, at the import that closes it. */
export function circlesOfFiles(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports, each => each.file);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    for (const each of edges.get(file) ?? []) {
      const next = importedFile(each);
      if (next === undefined) continue;
      const start = path.indexOf(next);
      if (start >= 0) found.push(`${file}:${each.line}: circle: ${[...path.slice(start), next].join(' → ')}`);
      else if (!done.has(next)) visit(next, [...path, next]);
    }
    done.add(file);
  };
  for (const file of edges.keys()) if (!done.has(file)) visit(file, [file]);
  return found;
}
