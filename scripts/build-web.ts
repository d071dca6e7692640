/** Builds the web client into apps/web/dist, where that is not built of exactly these sources. `--fresh` builds anyway. */
import { resolve } from 'node:path';
import { buildWeb } from './web/build.ts';

const root = resolve(import.meta.dirname, '..');
const built = await buildWeb(root, {
  fresh: process.argv.includes('--fresh'),
  say: line => console.log(line),
});
// A program that waits for the build takes each line for a sign that there is something to do.
if (!built && process.stdout.isTTY) console.log('The web client is built already.');
