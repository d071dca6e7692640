// All checks, side by side: `npm run check`. The first line is the Node's own check, before any TypeScript is loaded.
import './node-version.js';

const { runChecks } = await import('./check/run.ts');
process.exitCode = await runChecks({ fresh: process.argv.includes('--fresh') });
