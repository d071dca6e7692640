/** How large the built package is. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @param begins the files that a server loads before it listens */
export function sizesOf(target: string, begins: readonly string[]): string[] {
  const files = globSync('**/*', { cwd: target }).filter(file => statSync(join(target, file)).isFile());
  const megabytes = (names: readonly string[]) =>
    (names.reduce((sum, name) => sum + statSync(join(target, name)).size, 0) / 1e6).toFixed(1);
  return [
    `all: ${files.length} files, ${megabytes(files)} MB`,
    `loaded when a server starts: ${begins.length} files, ${megabytes(begins)} MB`,
  ];
}
