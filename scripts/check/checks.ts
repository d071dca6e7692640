/** The checks of `npm run check`, in the order in which their outcomes are printed. */

export interface Check {
  name: string;
  /** A program of node_modules/.bin and its arguments. */
  command: readonly [string, ...string[]];
}

export const CHECKS: readonly Check[] = [
  // First: a generated file that is stale makes errors in all the others.
  { name: 'generated files', command: ['node', 'scripts/docs.ts', '--check'] },
  { name: 'layers', command: ['node', 'scripts/layers.ts'] },
  { name: 'patterns', command: ['node', 'scripts/patterns.ts'] },
  { name: 'exports', command: ['node', 'scripts/exports.ts'] },
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc'] },
  // The page runs in a browser, and the rest of the tree must not think that it does.
  { name: 'types of the page', command: ['tsc', '-p', 'apps/web'] },
];
