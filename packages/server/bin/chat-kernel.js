// The program that `chat-kernel` beside it starts, with --max-semi-space-size=4: the flag keeps the young generation small
// (MB), 23 MB less when idle, a fifth less at work, and no slower (docs/decisions/0018). Node takes it on the command line
// alone, so `npm start` has it too.
// JavaScript, unlike all other files: it has Node keep them compiled and without their types, which the next start need
// not do again (in a checkout about 100 ms and 20 MB of memory).
import { enableCompileCache } from 'node:module';
import { compiledFolder } from './compiled-folder.js';

const folder = compiledFolder();
if (folder) enableCompileCache(folder);
await import('../src/main.ts');
