// `node scripts/audit.js`: asks the registry for known defects of the packages that ship, and prints one line. Exits with 1
// if it knows a severe one. If the registry does not answer, the line says that nothing was checked. Plain JavaScript,
// because `.ci/run` starts it with the Node of the machine.
import { spawn } from 'node:child_process';

const TIMEOUT_MS = 30_000;
// .npmrc switches audits of installations off. Without retries: the build must not wait for a network that it lacks.
const AUDIT = ['audit', '--json', '--audit=true', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=15000'];

const output = await runNpm();
const severe = severeDefects(output);
if (severe === null) console.log(`npm audit: not checked (${whyNot(output)})`);
else if (severe.length === 0) console.log('npm audit: no severe defect is known in the packages that ship');
else {
  console.log(`npm audit: severe defects are known: ${severe.join(', ')}`);
  process.exitCode = 1;
}

/** Returns the report of npm; null if it ends without one. */
function runNpm() {
  const child = spawn('npm', AUDIT, { stdio: ['ignore', 'pipe', 'ignore'], timeout: TIMEOUT_MS });
  let text = '';
  child.stdout.on('data', piece => {
    text += piece;
  });
  return new Promise(resolve => {
    child.on('error', () => resolve(null));
    child.on('close', () => {
      try {
        resolve(JSON.parse(text));
      } catch {
        resolve(null);
      }
    });
  });
}

/** The names of the packages with a severe defect; null without a report. */
function severeDefects(report) {
  if (typeof report?.vulnerabilities !== 'object' || report.vulnerabilities === null) return null;
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity }) => `${name} (${severity})`);
}

function whyNot(report) {
  const text = report?.message ?? report?.error?.summary;
  return typeof text === 'string' && text !== '' ? text : 'npm gave no report';
}
