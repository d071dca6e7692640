/** The scenarios of the public conformance suite that concern guests; docs/mcp.md names the others. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const SUITE = path('../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = path('conformance-client.ts');

it.each(['initialize', 'tools_call', 'sse-retry'])('passes the scenario %s', async scenario => {
  const cwd = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const command = `'${process.execPath}' '${CLIENT}'`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [SUITE, 'client', '--command', command, '--scenario', scenario, '-o', cwd, '--timeout', '100000'],
    { cwd, timeout: 110_000 },
    // The suite also exits with a code after a mere warning, such as a delay on a busy machine.
  ).catch(error => error as { stdout: string; stderr: string });
  expect(`${stdout}${stderr}`).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
});
