/** Tests tasks whose server is lost: over HTTP, and as a program. */
import { expect, it } from 'vitest';
import { until } from './fixtures/desk.ts';
import { failed, outputOf, overHttp, overStdio, pass, sent } from './fixtures/task-desk.ts';
import type { Step } from './fixtures/task-server.ts';

const working: Step = { status: 'working' };

it('[MCP-1] fails the call without a retry if its server dies or forgets the session', async () => {
  const stdio = await overStdio();
  expect(await outputOf(stdio, stdio.call('mcp_g_required', { steps: [working, 'die'] }))).toEqual(
    failed(
      'The connection failed during the call: the program ended with code 3. Whether it took effect is unknown.',
    ),
  );

  const gone = await overHttp();
  gone.server.die = () => void gone.guest.stop();
  const { output } = await outputOf(gone, gone.call('mcp_g_required', { steps: [working, 'die'] }));
  expect(output).toMatch(
    /^The connection failed during the call: fetch failed: .+\. Whether it took effect is unknown\.$/,
  );

  const desk = await overHttp();
  const answer = desk.call('mcp_g_required', { steps: [working] });
  await until(() => pass(desk));
  desk.guest.sessions.clear();
  expect(await outputOf(desk, answer)).toEqual(
    failed('The server ended the session and its task. Whether it took effect is unknown.'),
  );
  expect(sent(desk.came(), 'tools/call')).toHaveLength(1);
});
