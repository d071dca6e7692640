/**
 * `npm start`: runs the bundle that `npm run build` has created if nothing has changed since, because it starts in half
 * the time; otherwise the sources. The flag in package.json: docs/decisions/0018.
 */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BUNDLE = 'dist/bin/chat-kernel.js';
const SOURCES = 'apps/cli/bin/chat-kernel.js';
/** The last file that a build writes. */
const COMPLETE = 'dist/.npmignore';
/** The parts of the bundle. The time of a folder is that of the last file that was added or removed. */
const PARTS = [
  'package-lock.json',
  '{,{packages,apps}/*/}package.json',
  '{packages,apps}/*/{bin,public,skills,src,templates}/**',
  'apps/web/index.html',
  '{modules,scripts}/**',
];

const changedAt = file => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isCurrent =
  changedAt(COMPLETE) > 0 &&
  globSync(PARTS, { cwd: ROOT }).every(file => changedAt(file) < changedAt(BUNDLE));
process.argv[1] = join(ROOT, isCurrent ? BUNDLE : SOURCES);
await import(process.argv[1]);
