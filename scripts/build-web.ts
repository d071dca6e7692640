/** Builds the web client into apps/web/dist, where that is not built of exactly these sources. `--fresh` builds anyway. */
import { resolve } from 'node:path';
import { buildWeb } from './web/build.ts';

const root = resolve(import.meta.dirname, '..');
await buildWeb(root, { fresh: process.argv.includes('--fresh'), say: line => console.log(line) });
