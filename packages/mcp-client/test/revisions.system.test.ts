/**
 * Tests both protocol revisions over both transports: listing, calls, progress, canceling, and what the server learns
 * about the kernel.
 */
import type { ToolOutput } from '@chat-kernel/kernel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Desk, isUp, openDesk, program, until } from './fixtures/desk.ts';
import type { Message, Revision } from './fixtures/guest-server.ts';
import { httpGuest } from './fixtures/http-server.ts';

interface Guest extends Desk {
  came(): Message[];
}

async function overStdio(revision: Revision): Promise<Guest> {
  const guest = program(revision);
  const desk = openDesk({ g: guest.entry });
  await isUp(desk);
  return { ...desk, came: guest.came };
}

async function overHttp(revision: Revision): Promise<Guest> {
  const guest = await httpGuest(revision);
  onTestFinished(guest.stop);
  const desk = openDesk({ g: { url: guest.url, headers: { authorization: 'Bearer t0ken' } } });
  await isUp(desk);
  return { ...desk, came: () => guest.server.came };
}

/** It may ask the user, and nothing else. */
const CAPABILITIES = { elicitation: { form: { applyDefaults: true }, url: {} } };
const wires = { stdio: overStdio, 'streamable HTTP': overHttp };
const kinds = (['2025-11-25', '2026-07-28'] as const).flatMap(revision =>
  Object.entries(wires).map(([wire, open]) => ({ revision, wire, open })),
);

describe.each(kinds)('a server of $revision over $wire', ({ revision, wire, open }) => {
  it('is asked for its revision first, and then addressed in it', async () => {
    const { mcp, came } = await open(revision);
    expect(mcp.status()).toEqual([{ name: 'g', status: 'up', problem: null, revision }]);
    const methods = came().map(({ method }) => method);
    expect(methods.slice(0, 2)).toEqual(
      revision === '2025-11-25'
        ? ['server/discover', 'initialize']
        : ['server/discover', expect.not.stringContaining('initialize')],
    );
  });

  it('[MCP-1] gives its tools the prefix mcp_ and the group mcp_<server>, from all pages', async () => {
    const { mcp, tool } = await open(revision);
    expect(mcp.tools().map(({ name }) => name)).toEqual([
      'mcp_g_admin_tools_list',
      'mcp_g_ask',
      'mcp_g_content',
      'mcp_g_die',
      'mcp_g_echo',
      'mcp_g_grow',
      'mcp_g_huge',
      'mcp_g_long',
      'mcp_g_refuse',
      'mcp_g_steps',
      'mcp_g_structured',
      'mcp_g_wait',
    ]);
    const { run, ...echo } = tool('mcp_g_echo');
    expect(echo).toEqual({
      name: 'mcp_g_echo',
      description: 'Says it again.',
      input_schema: { type: 'object', properties: {} },
      source: 'mcp',
      group: 'mcp_g',
      icon: '🔌',
      trusted_only: true,
      client_only: false,
      on_demand: false,
      available: true,
      outside_effect: false,
      effects: ['read'],
      outside: 'mcp:g',
    });
    expect(tool('mcp_g_die').outside_effect).toBe(true);
    expect(mcp.groups()).toEqual([{ name: 'mcp_g', about: 'tools of the server g' }]);
    expect(await mcp.tools()[0]?.run({}, context())).toMatchObject({ output: 'listed' });
  });

  it('[MCP-2] receives only the input of a call and the name of the client', async () => {
    const { call, came } = await open(revision);
    expect(await call('mcp_g_echo', { word: 'hi' })).toEqual({ output: '{"word":"hi"}', is_error: false });
    const [asked] = came().filter(({ method }) => method === 'tools/call');
    const { _meta, ...params } = asked?.params ?? {};
    expect(params).toEqual({ name: 'echo', arguments: { word: 'hi' } });
    expect(_meta).toEqual({
      progressToken: expect.any(Number),
      ...(revision === '2026-07-28' && {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'chat-kernel', version: '0.1.0' },
        'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      }),
    });
    const initialize = came().find(({ method }) => method === 'initialize');
    if (initialize) expect(initialize.params?.capabilities).toEqual(CAPABILITIES);
    expect(JSON.stringify(came())).not.toContain('secret-');
  });

  it('[MCP-2] gets an error for requests to the client', async () => {
    const { call, came } = await open(revision);
    const { output, is_error } = await call('mcp_g_ask', { method: 'roots/list', params: {} });
    if (revision === '2026-07-28') {
      expect(is_error).toBe(true);
      expect(output).toBe('The server requested sampling or roots, which this client does not support.');
    } else {
      expect(output).toContain('-32601');
    }
    expect(came().some(({ result }) => result !== undefined)).toBe(false);
  });

  it('shows progress while a call runs', async () => {
    const { call } = await open(revision);
    const shown: string[] = [];
    const steps = call('mcp_g_steps', {}, { progress: text => void shown.push(text) });
    await until(() => expect(shown).toEqual(['halfway (1 of 2)']));
    await call('mcp_g_steps', { finish: true });
    expect((await steps).output).toBe('all steps');
  });

  it('receives a cancellation', async () => {
    const { call, came } = await open(revision);
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const answer = call('mcp_g_wait', {}, { signal: stop.signal, progress: () => begun.resolve() });
    await begun.promise;
    stop.abort();
    expect(await answer).toMatchObject({ is_error: true });
    const asked = came().find(({ method }) => method === 'tools/call');
    const byStream = revision === '2026-07-28' && wire === 'streamable HTTP';
    await until(() =>
      expect(came()).toContainEqual(
        byStream
          ? { jsonrpc: '2.0', method: 'test/closed', params: { id: asked?.id } }
          : expect.objectContaining({
              method: 'notifications/cancelled',
              params: expect.objectContaining({ requestId: asked?.id }),
            }),
      ),
    );
  });

  it('fails a call after 120 s without an answer or progress', async () => {
    const { call, clock } = await open(revision);
    const begun = Promise.withResolvers<void>();
    const answer = call('mcp_g_wait', {}, { progress: () => begun.resolve() });
    clock.advance(60_000);
    await begun.promise;
    let given: ToolOutput | undefined;
    void answer.then(output => {
      given = output;
    });
    clock.advance(119_000);
    await new Promise(setImmediate);
    expect(given).toBeUndefined();
    clock.advance(1000);
    expect((await answer).output).toMatch(/no response and no progress for 120 s.* canceled/);
  });

  it('lists its tools again when it reports a change', async () => {
    const { call, mcp, clock } = await open(revision);
    let changes = 0;
    mcp.onChange(() => {
      changes += 1;
    });
    await until(async () => {
      if (changes > 0) return;
      await call('mcp_g_grow');
      clock.advance(250);
      await new Promise(resolve => setTimeout(resolve, 30));
      expect(changes).toBeGreaterThan(0);
    });
    expect(mcp.tools().map(({ name }) => name)).toContain('mcp_g_grown_12');
    expect(await call('mcp_g_grown_12')).toEqual({ output: 'no grown_12', is_error: true });
  });

  it('passes all kinds of content, structured content and errors to the model', async () => {
    const { call } = await open(revision);
    const { output, images } = await call('mcp_g_content');
    expect(output.split('\n')).toEqual([
      'first',
      '[an image of an unsupported type: image/tiff]',
      '[audio, audio/wav, 3 bytes: not playable here]',
      '[resource file:///a.txt, text/plain]',
      'inside',
      '[resource file:///b.bin, of unknown type, 3 bytes: not shown here]',
      '[link to the resource file:///c.md: c.md, text/markdown]',
      '[a part of the result that this client cannot read: hologram]',
      'last',
    ]);
    expect(images?.map(({ media_type }) => media_type)).toEqual(['image/png']);
    expect(await call('mcp_g_structured')).toEqual({ output: '{"degrees":21}', is_error: false });
    expect((await call('mcp_g_refuse')).output).toMatch(/^The server rejected the call: .*Not like this/);
    const long = await call('mcp_g_long');
    expect(long.output).toHaveLength(200_000 + '\n[truncated: the first 200000 of 300000 characters]'.length);
  });
});

const context = () => ({ signal: new AbortController().signal, progress() {} }) as never;
