/** The longest chain of imports. */
import { type Import, importedFile } from '../layers/imports.ts';

/** Files from the top of the chain to its bottom, types included. The imports form no circle: the check of layers refuses one. */
export function longestChain(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports, each => each.file);
  const chains = new Map<string, string[]>();
  const chainFrom = (file: string): string[] => {
    const known = chains.get(file);
    if (known) return known;
    const below = (edges.get(file) ?? []).flatMap(each => {
      const target = importedFile(each);
      return target === undefined ? [] : [chainFrom(target)];
    });
    const chain = [file, ...longest(below)];
    chains.set(file, chain);
    return chain;
  };
  return longest([...edges.keys()].sort().map(chainFrom));
}

const longest = (chains: readonly string[][]): string[] =>
  chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
