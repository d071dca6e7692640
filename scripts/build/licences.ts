/** Collects the licenses of everything that was bundled in one text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Packages that contain others without their licenses, with a file next to this one that has them. */
const CONTAINED: Readonly<Record<string, string>> = { '@mermaid-js/tiny': 'mermaid-notices.txt' };

interface Package {
  name: string;
  version: string;
  license?: string;
  folder: string;
}

/** @param modules absolute paths of sources @throws Error if a package does not declare its license */
export function licences(root: string, modules: readonly string[]): string {
  const packages = new Map<string, Package>();
  for (const module of modules.filter(path => path.includes('/node_modules/'))) {
    const found = packageOf(module);
    packages.set(`${found.name} ${found.version}`, found);
  }
  const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted
    .map(([title, found]) => `${title}\n\n${licenceOf(root, found)}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** The package of a file: the nearest folder above it whose package.json has a name and a version. */
function packageOf(file: string): Package {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version, license } = JSON.parse(readFileSync(path, 'utf8'));
    if (name && version) return { name, version, license, folder };
  }
  throw new Error(`${file} belongs to no package`);
}

/** The license text of the package; if it has none, the name of its license. */
function licenceOf(root: string, { name: packageName, license, folder }: Package): string {
  const names = readdirSync(folder)
    .filter(name => /^(?:licen[cs]e|notice|copying)/i.test(name))
    .sort();
  const texts = names.map(name => readFileSync(join(folder, name), 'utf8').trim());
  const contained = CONTAINED[packageName];
  if (contained) texts.push(readFileSync(join(import.meta.dirname, contained), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  if (typeof license === 'string') return `Licence: ${license} (the package brings no text of it)`;
  throw new Error(`${relative(root, folder)} says nothing of its licence`);
}
