/** The checks of `npm run check`, in the order in which their results are printed. */

export interface Check {
  name: string;
  /** A program of node_modules/.bin and its arguments. */
  command: readonly [string, ...string[]];
  /**
   * Whether a file of the repository can change the result. A check that passed does not run again until one of these
   * files changes. Without it, every file can.
   */
  reads?: (file: string) => boolean;
  /**
   * Says that the result for a file depends only on this file and on those that match this pattern. Then the command
   * ends with `.`, and only changed files take its place.
   */
  eachFileWith?: RegExp;
  /** Arguments for a cache of the program; see knip-cache.ts. */
  cached?: readonly string[];
}

export const KNIP_CACHE = '.cache/checks/knip';

const isNoPage = (file: string): boolean => !file.endsWith('.md');

export const CHECKS: readonly Check[] = [
  // First: a stale generated file causes errors in all the others.
  {
    name: 'generated files',
    command: ['node', 'scripts/docs.ts', '--check'],
    reads: file => isNoPage(file) || /^docs\/(decisions\/|settings\.md$)/.test(file),
  },
  { name: 'layers', command: ['node', 'scripts/layers.ts'], reads: isNoPage },
  {
    name: 'patterns',
    command: ['node', 'scripts/patterns.ts'],
    reads: file => /^((packages|apps|modules)\/[^/]+\/src|scripts|node_modules)\/|^package\.json$/.test(file),
  },
  {
    name: 'supply chain',
    command: ['node', 'scripts/supply.ts'],
    reads: file => /^(scripts|node_modules)\/|^package(-lock)?\.json$/.test(file),
  },
  { name: 'language', command: ['node', 'scripts/language.ts'] },
  {
    name: 'unused code',
    command: ['knip', '--no-progress', '--no-config-hints'],
    reads: isNoPage,
    cached: ['--cache', '--cache-location', KNIP_CACHE],
  },
  {
    name: 'format and lint',
    command: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', '.'],
    // This would be wrong with rules that read other sources, those of biome's domain `project`: none is enabled.
    eachFileWith: /(^|\/)(\.?biome\.jsonc?|package\.json|\.gitignore|\.editorconfig|\.package-lock\.json)$/,
  },
  { name: 'types', command: ['tsc'], reads: isNoPage },
  // The page runs in a browser, and the types of a browser must not apply to other code.
  { name: 'types of the page', command: ['tsc', '-p', 'apps/web'], reads: isNoPage },
];
