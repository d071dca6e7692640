/** The public conformance suite at the kernel's MCP face. docs/mcp.md says why the other scenarios cannot be passed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
/** Those that ask for no tool, resource or prompt by a name that only the example server of the suite has. */
const SCENARIOS = [
  ['server-initialize', 1],
  ['ping', 1],
  ['tools-list', 1],
  ['server-sse-multiple-streams', 2],
  ['dns-rebinding-protection', 2],
] as const;

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

test.each(SCENARIOS)('[MCP-3] the suite passes %s, %i checks', async (scenario, checks) => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [SUITE, 'server', '--url', `${kernel.url}/mcp`, '--scenario', scenario],
    { timeout: 110_000 },
  ).catch(error => error as { stdout: string; stderr: string });
  expect(stdout, stderr).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
});
