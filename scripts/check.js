// Runs all checks concurrently: `npm run check`. The first line is the check of the Node version, before any TypeScript
// is loaded.
import './node-version.js';

const { runChecks } = await import('./check/run.ts');
process.exitCode = await runChecks({ fresh: process.argv.includes('--fresh') });
