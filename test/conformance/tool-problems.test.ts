/** Tests that the lists of MCP servers and modules name the tools that are not offered to a model. */
import { expect, onTestFinished, test } from 'vitest';
import { httpGuest } from '../../packages/mcp-client/test/fixtures/http-server.ts';
import { toolEntry } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { says } from '../harness/story.ts';

test('[WIRE-7] GET /v1/guests names the tools of a server that cannot be used, and those that a model does not get', async () => {
  const guest = await httpGuest('2025-11-25');
  onTestFinished(guest.stop);
  guest.server.tools.push({ name: 'list', inputSchema: { type: 'array' } } as never);
  const { api, upstream } = await kernelOf({
    settings: { mcp: { servers: { desk: { url: guest.url } } } },
  });
  await expect.poll(() => toolEntry(api, 'mcp_desk_echo')).toBeDefined();
  const problems = async () => (await api.get('/v1/guests')).body.guests[0].problems;
  expect(await problems()).toEqual(['Skipped list: its input schema does not have the type object']);
  const refusal = { message: "Invalid schema for function 'mcp_desk_echo'" };
  upstream.next({ status: 400, error: { body: JSON.stringify({ error: refusal }) } }, says('Done.'));
  const chat = await api.newChat();
  await (await api.turn(chat.id, { text: 'Go.' })).all();
  expect(await problems()).toEqual([
    'Skipped list: its input schema does not have the type object',
    "scripted/plain does not get mcp_desk_echo: scripted answered 400: Invalid schema for function 'mcp_desk_echo'",
  ]);
});
