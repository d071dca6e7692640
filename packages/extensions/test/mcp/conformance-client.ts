/**
 * The client that the conformance suite runs: a guest for the server of a scenario. The suite passes the address as the
 * last argument and the name of the scenario in the environment. Each tool of the server is called once.
 */
import type { Log, ToolContext } from '@chat-kernel/kernel';
import { openMcp } from '../../src/mcp/mcp.ts';

/** Tool → the input that it requires; other tools need none. */
const INPUTS: Record<string, Record<string, unknown>> = { mcp_suite_add_numbers: { a: 2, b: 3 } };

const write = (facts: object, sentence: string) =>
  void process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`);
const log: Log = { debug: write, info: write, warn: write, error: write };
const url = process.argv.at(-1) ?? '';
const mcp = openMcp({ servers: { suite: { url } }, log, environment: process.env, directory: '/nowhere' });

/** An owner who has no wish but what is usual. */
const askOwner: ToolContext['askOwner'] = async () => ({
  reason: 'answered',
  answer: { id: 'question', answer: '' },
});

const settled = new Promise<void>(resolve => mcp.onChange(resolve));
mcp.start();
await settled;
for (const tool of mcp.tools()) {
  const context = { signal: AbortSignal.timeout(20_000), progress() {}, askOwner } as unknown as ToolContext;
  write(await tool.run(INPUTS[tool.name] ?? {}, context), tool.name);
}
const up = mcp.status().every(({ status }) => status === 'up');
await mcp.stop();
process.exit(up ? 0 : 1);
