/** Tests the doctor's check of a proxy: the shipped one, and one that buffers streams. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { PROGRAM } from '../harness/program.ts';
import { missing, nginx, TOKEN } from './proxies.ts';

async function doctor(kernelUrl: string, url: string, token: string): Promise<string> {
  const words = ['doctor', '--set', `server.port=${new URL(kernelUrl).port}`, '--url', url, '--token', token];
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', OLLAMA_HOST: '127.0.0.1:1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return out;
}

const why = missing('nginx');
describe.skipIf(why)(`chat-kernel doctor behind nginx${why ? ` (${why})` : ''}`, () => {
  let kernel: KernelProcess;
  beforeAll(async () => {
    kernel = await startKernelProcess();
  });
  afterAll(() => kernel?.stop());

  test('accepts the shipped configuration, and reports a wrong token', async () => {
    const proxy = await nginx.start(kernel.url);
    onTestFinished(() => proxy.stop());
    expect(await doctor(kernel.url, proxy.url, TOKEN)).toMatch(
      /✓ proxy: chat-kernel \S+ answers at \S+\n✓ proxy: streams arrive immediately \(\d+ ms\)\n/,
    );
    expect(await doctor(kernel.url, proxy.url, 'wrong')).toContain(
      `✗ proxy: ${proxy.url} requires a token (401)\n    → check that --token matches the configuration of the proxy\n`,
    );
  });

  test('detects buffered streams, here by compression, and names the cause', async () => {
    const proxy = await nginx.start(kernel.url, site =>
      site
        .replaceAll('proxy_buffering off;', 'proxy_ignore_headers X-Accel-Buffering;')
        .replaceAll(
          'gzip off;',
          'gzip on; gzip_types text/event-stream; gzip_proxied any; gzip_http_version 1.0;',
        ),
    );
    onTestFinished(() => proxy.stop());
    expect(await doctor(kernel.url, proxy.url, TOKEN)).toContain(
      '✗ proxy: streams do not arrive within 3 s, because something buffers them\n' +
        '    → disable buffering and compression for /v1 in the proxy, as in deploy/nginx.conf and deploy/Caddyfile\n',
    );
  });
});
