/** The exports that no file imports, as knip finds them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

interface Report {
  issues: Record<string, unknown[] | string>[];
}

const KINDS = ['exports', 'types', 'nsExports', 'nsTypes', 'enumMembers'];

/** @param root of a checkout whose dependencies are installed; @param config the path of knip's settings */
export function unusedExports(root: string, config: string): number {
  const knip = join(import.meta.dirname, '../../node_modules/knip/bin/knip.js');
  const words = [
    '--directory',
    root,
    '--config',
    config,
    '--reporter',
    'json',
    '--no-exit-code',
    '--no-progress',
  ];
  const report: Report = JSON.parse(
    execFileSync(process.execPath, [knip, ...words], { encoding: 'utf8', maxBuffer: 1e8 }),
  );
  return report.issues
    .flatMap(issue => KINDS.map(kind => issue[kind]))
    .reduce<number>((sum, found) => sum + (Array.isArray(found) ? found.length : 0), 0);
}
