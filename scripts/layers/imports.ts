/** Finds the imports of files by their text: fast, and sufficient for formatted code. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

export interface Import {
  /** Path from the root, with slashes. */
  file: string;
  line: number;
  /** As written: `./a.ts`, `node:fs`, `@scope/name/part`. */
  target: string;
}

/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`, types included. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
/** Only at the start of a line: `'packages/*'` opens no comment. */
const COMMENT = /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The TypeScript files under these patterns, as sorted paths from the root. */
export function filesIn(root: string, patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root })
    .map(file => file.replaceAll(sep, '/'))
    .sort();
}

export function importsOf(root: string, file: string): Import[] {
  // Keep the newlines of comments, so that line numbers stay correct.
  const text = readFileSync(join(root, file), 'utf8').replace(COMMENT, comment =>
    comment.replace(/[^\n]/g, ' '),
  );
  return [...text.matchAll(IMPORT)].map(match => ({
    file,
    line: text.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
    target: (match[1] ?? match[2] ?? match[3])!,
  }));
}

/** The file that a relative import names; undefined for a package. */
export const importedFile = ({ file, target }: Import): string | undefined =>
  target.startsWith('.') ? join(dirname(file), target).replaceAll(sep, '/') : undefined;
