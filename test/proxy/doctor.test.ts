/** The doctor's verdict on a proxy: the shipped one, and one that holds streams back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startKernelProcess } from '../harness/process.ts';
import { missing, nginx, TOKEN } from './proxies.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/server/bin/chat-kernel.js', import.meta.url));

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
  test('finds the shipped configuration well, and names a token that is wrong', async () => {
    const kernel = await startKernelProcess();
    onTestFinished(() => void kernel.stop());
    const proxy = await nginx.start(kernel.url);
    onTestFinished(() => proxy.stop());
    expect(await doctor(kernel.url, proxy.url, TOKEN)).toMatch(
      /✓ proxy: chat-kernel \S+ answers at \S+\n✓ proxy: streams arrive at once \(\d+ ms\)\n/,
    );
    expect(await doctor(kernel.url, proxy.url, 'wrong')).toContain(
      `✗ proxy: ${proxy.url} wants a token (401)\n    → see that --token is the one in the configuration of the proxy\n`,
    );
  });

  test('finds out that streams are held back, here by compression, and says where to look', async () => {
    const kernel = await startKernelProcess();
    onTestFinished(() => void kernel.stop());
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
      '✗ proxy: streams do not arrive within 3 s: something holds them back\n' +
        '    → turn off buffering and compression for /v1 in the proxy, as deploy/nginx.conf and deploy/Caddyfile do\n',
    );
  });
});
