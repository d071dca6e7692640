/**
 * Checks where the installed code comes from: each package of the lock file has a hash and is from the registry, each
 * script that runs during the installation is reviewed, and the Node that ships is the pinned one.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installScriptProblems } from './supply/install-scripts.ts';
import { lockProblems, readLockFile } from './supply/lock-file.ts';
import { describeOrigin, nodeProblems, readPins } from './supply/node-pins.ts';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const packages = readLockFile(root);
const pins = readPins(root);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const problems = [
  ...lockProblems(packages),
  ...installScriptProblems(root, packages, manifest.allowScripts ?? {}),
  ...(await nodeProblems(root, pins, manifest.optionalDependencies ?? {}, packages)),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${describeOrigin(pins)}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
