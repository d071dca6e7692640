/**
 * `npm run build`: makes `dist/`, the package that ships. All code and what it needs of other packages is in a few files,
 * the rest of what the program reads lies beside them. `client/` in it is a package of its own, which does not ship with the
 * other. The same tree makes the same bytes. `-- FOLDER` names another one.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundle } from './build/bundle.ts';
import { buildClient } from './build/client.ts';
import { copyFiles } from './build/files.ts';
import { licences } from './build/licences.ts';
import { programManifest, sdkManifest } from './build/manifests.ts';
import { sizesOf } from './build/sizes.ts';
import { buildWeb } from './web/build.ts';
import { modulesOfWeb } from './web/sources.ts';

const CLIENT = 'client';
const root = resolve(import.meta.dirname, '..');
const target = resolve(root, process.argv[2] ?? 'dist');
const begun = performance.now();

console.log(`building ${basename(target)}/ ...`);
await buildWeb(root, { say: line => console.log(line) });
rmSync(target, { recursive: true, force: true });
const { modules, begins } = await bundle(root, target);
copyFiles(root, target);
mkdirSync(join(target, 'module-sdk'), { recursive: true });
write('package.json', programManifest(root));
write('module-sdk/package.json', sdkManifest(root));
writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), licences(root, [...modules, ...modulesOfWeb(root)]));
await buildClient(root, join(target, CLIENT));
// `npm pack` of the program takes all folders below it but these.
writeFileSync(join(target, '.npmignore'), `/${CLIENT}/\n`);
console.log(`built in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
for (const line of sizesOf(target, begins, CLIENT)) console.log(line);

function write(name: string, manifest: object): void {
  writeFileSync(join(target, name), `${JSON.stringify(manifest, null, 2)}\n`);
}
