/**
 * Runs the public conformance suite: against the kernel itself, as far as the suite requires only what the kernel
 * offers, and against the kernel's face with the tools, resources and prompts that the suite requires. The rest is
 * shared: guard, routes, transport, calls.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpFace } from '../../packages/mcp-face/src/http/face.ts';
import { mountFaces } from '../../packages/server/src/faces/mount.ts';
import { readJsonBodies } from '../../packages/server/src/http/body.ts';
import { guard } from '../../packages/server/src/http/guard.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { demoServerOf } from '../harness/mcp-demo.ts';
import { parsedSettings } from '../harness/settings.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** Returns the last lines of the output of the suite. */
async function run(url: string, scenario: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [SUITE, 'server', '--url', `${url}/mcp`, '--scenario', scenario],
    { timeout: 110_000 },
  ).catch(error => error as { stdout: string; stderr: string });
  return stdout + stderr;
}

describe('the kernel', () => {
  let kernel: TestKernel;
  beforeAll(async () => {
    kernel = await startKernel();
  });
  afterAll(() => kernel.stop());

  test.each([
    ['server-initialize', 1],
    ['ping', 1],
    ['tools-list', 1],
    ['server-sse-multiple-streams', 2],
    ['dns-rebinding-protection', 2],
  ] as const)('[MCP-3] passes %s of the suite, %i checks', async (scenario, checks) => {
    expect(await run(kernel.url, scenario)).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  });
});

describe("the kernel's MCP server with what the suite needs", () => {
  const app = fastify();
  let url: string;
  beforeAll(async () => {
    const settings = parsedSettings({});
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    guard(app, settings.server);
    readJsonBodies(app);
    const load = async () => (options: ConstructorParameters<typeof McpFace>[0]) =>
      new McpFace(options, demoServerOf);
    mountFaces(app, [{ prefix: '/mcp', load }], { log, settings });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  // 27 of the 32 scenarios; docs/mcp.md explains why the others cannot pass.
  test.each([
    'server-initialize',
    'logging-set-level',
    'ping',
    'completion-complete',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
    'server-sse-multiple-streams',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'dns-rebinding-protection',
  ] as const)('[MCP-3] passes %s of the suite', async scenario => {
    expect(await run(url, scenario)).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
  });
});
