/** Reports the sizes of the built packages. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param begins the files that a server loads before it listens
 * @param client the folder of the client, which is counted separately
 */
export function sizesOf(target: string, begins: readonly string[], client: string): string[] {
  const all = globSync('**/*', { cwd: target }).filter(file => statSync(join(target, file)).isFile());
  const ofClient = all.filter(file => file.startsWith(`${client}/`));
  const files = all.filter(file => !ofClient.includes(file));
  const megabytes = (names: readonly string[]) =>
    (names.reduce((sum, name) => sum + statSync(join(target, name)).size, 0) / 1e6).toFixed(1);
  return [
    `all: ${files.length} files, ${megabytes(files)} MB`,
    `loaded when a server starts: ${begins.length} files, ${megabytes(begins)} MB`,
    `${client}/: ${ofClient.length} files, ${megabytes(ofClient)} MB`,
  ];
}
