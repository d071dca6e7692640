/** Reads the lock file, and finds packages in it that npm would install without a hash or from outside of the registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REGISTRY = 'https://registry.npmjs.org/';
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/;

export interface LockedPackage {
  version?: string;
  /** The address; absent for packages of the registry, with npm's setting omit-lockfile-registry-resolved. */
  resolved?: string;
  integrity?: string;
  /** A link to the folder of a workspace. */
  link?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** By path from the root: `` is the project, `packages/x` a workspace, and `node_modules/x` an installed package. */
export type Packages = Readonly<Record<string, LockedPackage>>;

export function readLockFile(root: string): Packages {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** `a/node_modules/@b/c` → `@b/c`. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

export const isInstalled = (path: string, { link }: LockedPackage): boolean =>
  path.includes('node_modules/') && link !== true;

/** Returns one sentence for each problem. */
export function lockProblems(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (isInstalled(path, entry)) return packageProblems(path, entry);
    return entry.link ? linkProblems(path, entry, packages) : specProblems(path, entry);
  });
}

function packageProblems(path: string, { version = '', resolved, integrity = '' }: LockedPackage): string[] {
  const problems: string[] = [];
  if (!SHA512.test(integrity)) problems.push(`${path} has no SHA-512 hash in package-lock.json.`);
  if (!EXACT_VERSION.test(version)) problems.push(`${path} has no exact version: ${version}`);
  if (resolved !== undefined && !resolved.startsWith(REGISTRY))
    problems.push(`${path} is not from the registry of npm: ${resolved}`);
  return problems;
}

function linkProblems(path: string, { resolved = '' }: LockedPackage, packages: Packages): string[] {
  const isWorkspace = packages[resolved] !== undefined && !resolved.includes('node_modules/');
  return isWorkspace ? [] : [`${path} is a link to ${resolved}, which is no workspace.`];
}

/** Versions of the project and its workspaces that npm would fetch from an address or a folder. */
function specProblems(path: string, entry: LockedPackage): string[] {
  const specs = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies };
  return Object.entries(specs)
    .filter(([, spec]) => /[:/]/.test(spec.replace(/^npm:@?[\w.-]+(\/[\w.-]+)?@/, '')))
    .map(([name, spec]) => `${path || 'The project'} requires ${name} from outside of the registry: ${spec}`);
}
