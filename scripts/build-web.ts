/**
 * Builds the web client into apps/web/dist, unless that is already built from exactly these sources. `--fresh` builds
 * anyway.
 */
import { resolve } from 'node:path';
import { buildWeb } from './web/build.ts';

const root = resolve(import.meta.dirname, '..');
const built = await buildWeb(root, {
  fresh: process.argv.includes('--fresh'),
  say: line => console.log(line),
});
// A program that waits for the build interprets each line as a change.
if (!built && process.stdout.isTTY) console.log('The web client is built already.');
