/**
 * `npm run build`: creates `dist/`, the package that ships. A few files contain all code and its dependencies; the
 * other files that the program reads are next to them. `client/` in it is a separate package, which does not ship with
 * the other one. The same tree produces the same bytes. `-- FOLDER` chooses another folder.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundle } from './build/bundle.ts';
import { buildClient } from './build/client.ts';
import { copyFiles } from './build/files.ts';
import { licences } from './build/licences.ts';
import { writeManifests } from './build/manifests.ts';
import { sizesOf } from './build/sizes.ts';
import { checksums, describeOrigin, readPins, requirePinnedNode } from './supply/node-pins.ts';
import { buildWeb } from './web/build.ts';
import { modulesOfWeb } from './web/sources.ts';

const CLIENT = 'client';
const root = resolve(import.meta.dirname, '..');
const target = resolve(root, process.argv[2] ?? 'dist');
const begun = performance.now();

await requirePinnedNode(root);
console.log(`building ${basename(target)}/ ...`);
await buildWeb(root, { say: line => console.log(line) });
rmSync(target, { recursive: true, force: true });
const { modules, begins } = await bundle(root, target);
copyFiles(root, target);
writeManifests(root, target);
writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), licences(root, [...modules, ...modulesOfWeb(root)]));
writeFileSync(join(target, 'node-sha256.txt'), checksums(readPins(root)));
await buildClient(root, join(target, CLIENT));
// `npm pack` of the program includes all folders below it except these.
writeFileSync(join(target, '.npmignore'), `/${CLIENT}/\n`);
console.log(`built in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
console.log(describeOrigin(readPins(root)));
for (const line of sizesOf(target, begins, CLIENT)) console.log(line);
