/** Tests that hostile and broken programs cost the kernel only little. */
import { expect, it } from 'vitest';
import { isDown, isUp, openDesk, program } from './fixtures/desk.ts';

it('keeps 200 of 10,000 tools, and requests no more pages than needed', async () => {
  const guest = program('2025-11-25', 'flood');
  const desk = openDesk({ g: guest.entry });
  await isUp(desk);
  const tools = desk.mcp.tools();
  expect(tools).toHaveLength(200);
  expect(tools.map(({ description }) => description.length)).toEqual(Array(200).fill(10_000));
  expect(guest.came().filter(({ method }) => method === 'tools/list')).toHaveLength(2);
  expect(desk.log).toContainEqual({
    level: 'warn',
    facts: { server: 'g', left_out: ['all tools after the first 200, on 2 pages'] },
    sentence: 'tools of an MCP server were skipped',
  });
});

it('requests at most 50 pages', async () => {
  const guest = program('2026-07-28', 'endless');
  const desk = openDesk({ g: guest.entry });
  await isUp(desk);
  expect(guest.came().filter(({ method }) => method === 'tools/list')).toHaveLength(50);
  expect(desk.mcp.tools()).toHaveLength(5);
});

it('ignores lines that are not messages', async () => {
  const guest = program('2025-11-25', 'noisy');
  const desk = openDesk({ g: guest.entry });
  await isUp(desk);
  expect(await desk.call('mcp_g_echo')).toEqual({ output: '{}', is_error: false });
});

it.each([
  '2025-11-25',
  '2026-07-28',
] as const)('stops a program of %s that answers more than 16 MiB', async revision => {
  const desk = openDesk({ g: program(revision).entry });
  await isUp(desk);
  expect((await desk.call('mcp_g_huge')).output).toMatch(/a message of more than 16777216 bytes/);
  await isDown(desk, /a message of more than 16777216 bytes/);
});
