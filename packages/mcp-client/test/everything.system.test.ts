/** Tests the published reference server over both transports. */
import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { type Desk, EVERYTHING, isUp, openDesk, until } from './fixtures/desk.ts';

async function overStdio(): Promise<Desk> {
  const desk = openDesk({ every: { command: process.execPath, args: [EVERYTHING, 'stdio'] } });
  await isUp(desk);
  return desk;
}

async function overHttp(): Promise<Desk> {
  // The server treats 0 as a missing port.
  const port = await freePort();
  const server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  let said = '';
  server.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  await until(() => expect(said).toContain('listening on port'));
  const desk = openDesk({ every: { url: `http://127.0.0.1:${port}/mcp` } });
  await isUp(desk);
  return desk;
}

describe.each([
  ['stdio', overStdio],
  ['streamable HTTP', overHttp],
] as const)('server-everything over %s', (_, open) => {
  it('answers text, images, structured content, resources and links, shows progress, and is canceled', async () => {
    const desk = await open();
    expect(desk.mcp.status()[0]).toMatchObject({ status: 'up', revision: '2025-11-25' });
    expect(await desk.call('mcp_every_echo', { message: 'hi' })).toEqual({
      output: 'Echo: hi',
      is_error: false,
    });

    const tiny = await desk.call('mcp_every_get-tiny-image');
    expect(tiny.images?.map(({ media_type, bytes }) => [media_type, bytes.length])).toEqual([
      ['image/png', expect.any(Number)],
    ]);
    expect(await desk.call('mcp_every_get-structured-content', { location: 'Chicago' })).toMatchObject({
      output: expect.stringContaining('"humidity":82'),
    });
    const links = await desk.call('mcp_every_get-resource-links', { count: 2 });
    expect(links.output).toMatch(/\[link to the resource demo:\/\/resource\/dynamic\/blob\/1: /);
    const wrong = await desk.call('mcp_every_echo');
    expect(wrong).toMatchObject({ is_error: true, output: expect.stringContaining('message') });

    const shown: string[] = [];
    const long = await desk.call(
      'mcp_every_trigger-long-running-operation',
      { duration: 0.4, steps: 2 },
      {
        progress(text) {
          shown.push(text);
          // The next snapshot may be shown.
          desk.clock.advance(100);
        },
      },
    );
    expect(long.output).toMatch(/^Long running operation completed/);
    expect(shown[0]).toBe('1 of 2');

    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const answer = desk.call(
      'mcp_every_trigger-long-running-operation',
      { duration: 600, steps: 6000 },
      { signal: stop.signal, progress: () => begun.resolve() },
    );
    await begun.promise;
    stop.abort();
    expect(await answer).toMatchObject({ is_error: true });
    expect((await desk.call('mcp_every_echo', { message: 'again' })).output).toBe('Echo: again');
  });

  it('[MCP-1] [MCP-4] runs a tool as a task that asks the user and reports its progress', async () => {
    const desk = await open();
    const shown: string[] = [];
    const asked: string[] = [];
    let output: string | undefined;
    const answer = desk.call(
      'mcp_every_simulate-research-query',
      { topic: 'python', ambiguous: true },
      {
        progress: text => void shown.push(text),
        async askOwner({ question }) {
          asked.push(question);
          return { reason: 'answered', answer: { id: 'q', answer: 'Python snake species' } };
        },
      },
    );
    void answer.then(given => {
      output = given.output;
    });
    await until(() => {
      if (output !== undefined) return;
      const pause = [...desk.clock.timers].find(({ at }) => at - desk.clock.now() === 1000);
      if (pause !== undefined) desk.clock.advance(1000);
      throw new Error('it runs');
    });
    expect(output).toMatch(/^# Research Report: python \(snake\)/);
    expect(asked).toEqual([
      expect.stringMatching(/^The MCP server every asks: The research query "python" could have multiple/),
    ]);
    expect(shown).toEqual(expect.arrayContaining(['Gathering sources...', 'Generating report...']));
  });
});
