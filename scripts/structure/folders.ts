/** Circles of folders in a package, and the arrows that would have to go so that none is left. */
import { type Import, importedFile } from '../layers/imports.ts';

interface FolderCircles {
  /** Folders, and files that lie directly in src, that reach each other; sorted, a list for each circle. */
  circles: string[][];
  /** The smallest set of arrows whose end ends every circle, as `from → to`. */
  climbing: string[];
}

/** More members of one circle are not worked out exactly: the tables grow with two to the power of their number. */
const MOST_MEMBERS = 20;

/** @param folder of the package, as in `packages/kernel`; @param imports of its src, types included */
export function folderCircles(folder: string, imports: readonly Import[]): FolderCircles {
  const arrows = arrowsBetween(`${folder}/src/`, imports);
  const circles = strongComponents(arrows).filter(members => members.length > 1);
  return { circles, climbing: circles.flatMap(members => fewestClimbs(members, arrows)) };
}

/** Name → the names that it imports. A name is a folder, or a file that lies directly in src. */
function arrowsBetween(source: string, imports: readonly Import[]): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const each of imports) {
    const target = importedFile(each);
    if (!target?.startsWith(source) || !each.file.startsWith(source)) continue;
    const [from, to] = [each.file, target].map(file => file.slice(source.length).split('/')[0]!) as [
      string,
      string,
    ];
    if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  }
  return arrows;
}

/** Two names are in one component where each reaches the other. */
function strongComponents(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map([...arrows.keys()].map(name => [name, reachable(name, arrows)]));
  const seen = new Set<string>();
  return [...arrows.keys()].sort().flatMap(name => {
    if (seen.has(name)) return [];
    const members = [
      name,
      ...[...reach.get(name)!].filter(other => other !== name && reach.get(other)?.has(name)),
    ];
    for (const member of members) seen.add(member);
    return [members.sort()];
  });
}

function reachable(start: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const next of arrows.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(start);
  return found;
}

/** The climbing arrows of the best order from bottom to top: over every set that can stand at the bottom, the cheapest top. */
function fewestClimbs(
  members: readonly string[],
  arrows: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const count = members.length;
  if (count > MOST_MEMBERS) return [`(a circle of ${count} is too large to count)`];
  const importers = members.map(name =>
    members.reduce((bits, other, at) => (arrows.get(other)?.has(name) ? bits | (1 << at) : bits), 0),
  );
  // Cost of the sets of members at the bottom, and the member that stands on top in the best order of each set.
  const cost = new Uint16Array(1 << count).fill(0xffff);
  const top = new Uint8Array(1 << count);
  cost[0] = 0;
  for (let below = 0; below < 1 << count; below++) {
    for (let next = 0; next < count; next++) {
      if (below & (1 << next)) continue;
      const above = below | (1 << next);
      const price = cost[below]! + ones(importers[next]! & below);
      if (price >= cost[above]!) continue;
      cost[above] = price;
      top[above] = next;
    }
  }
  const climbing: string[] = [];
  for (let set = (1 << count) - 1; set > 0; set &= ~(1 << top[set]!)) {
    const highest = top[set]!;
    members.forEach((name, at) => {
      if (at !== highest && set & (1 << at) && importers[highest]! & (1 << at)) {
        climbing.push(`${name} → ${members[highest]}`);
      }
    });
  }
  return climbing.sort();
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) count++;
  return count;
}
