/**
 * The client that the conformance suite runs: a guest for the server of a scenario, and an owner who signs in where it wants
 * that. The suite passes the address as the last argument; the name of the scenario, and what belongs to it, in the environment.
 * Each tool of the server is called once, and again after a sign-in that it has wanted.
 */
import type { Log, ToolContext } from '@chat-kernel/kernel';
import { openMcp } from '../../src/mcp/mcp.ts';
import { memorySignIns } from './fixtures/sign-ins.ts';

/** Tool → the input that it requires; other tools need none. */
const INPUTS: Record<string, Record<string, unknown>> = { mcp_suite_add_numbers: { a: 2, b: 3 } };
/** How often the owner signs in before he gives up. */
const SIGN_INS = 3;
/** Nothing has to listen there: the address of the answer is read where the browser would be sent to. */
const CALLBACK = 'http://127.0.0.1:8787/v1/guests/callback';

const write = (facts: object, sentence: string) =>
  void process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`);
const log: Log = { debug: write, info: write, warn: write, error: write };
const url = process.argv.at(-1) ?? '';
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const { client_id, client_secret } = JSON.parse(context);
/** In this scenario the client is known by the address of its description. */
const known =
  scenario === 'auth/basic-cimd'
    ? { client_id: 'https://conformance-test.local/client-metadata.json' }
    : { client_id, client_secret };
const oauth = known.client_id && { oauth: { ...known, allow_private: false } };
const mcp = openMcp({
  servers: { suite: { url, ...oauth } },
  signIns: memorySignIns(),
  log,
  environment: process.env,
  directory: '/nowhere',
});

/** An owner who has no wish but what is usual. */
const askOwner: ToolContext['askOwner'] = async () => ({
  reason: 'answered',
  answer: { id: 'question', answer: '' },
});

const changed = () => new Promise<void>(resolve => mcp.onChange(resolve));
const stateOf = async () => (await mcp.list())[0];
const wantsSignIn = async () => (await stateOf())?.sign_in === 'needed';
let signIns = 0;

/** What the owner and the browser do: opens the page, and goes where it leads. */
async function signIn(): Promise<void> {
  signIns += 1;
  const page = await mcp.signIn('suite');
  const answer = await fetch(page.url, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? CALLBACK).searchParams;
  const word = (name: string) => back.get(name) ?? undefined;
  const end = await mcp.finishSignIn({
    state: word('state'),
    code: word('code'),
    error: word('error'),
    iss: word('iss'),
  });
  write({ end }, 'signed in');
}

/** Signs in for as long as the server wants it, and gives the sign-in is of use. */
async function settle(): Promise<void> {
  while (await wantsSignIn()) {
    if (signIns >= SIGN_INS) return;
    const next = changed();
    await signIn();
    if ((await stateOf())?.status !== 'up') await next;
  }
}

const first = changed();
mcp.start(CALLBACK);
await first;
try {
  await settle();
  for (const tool of mcp.tools()) {
    for (;;) {
      const toolContext = {
        signal: AbortSignal.timeout(20_000),
        progress() {},
        askOwner,
      } as unknown as ToolContext;
      const result = await tool.run(INPUTS[tool.name] ?? {}, toolContext);
      write(result, tool.name);
      if (!result.is_error || !(await wantsSignIn()) || signIns >= SIGN_INS) break;
      await settle();
    }
  }
} catch (error) {
  write({ error: String(error) }, 'the sign-in failed');
}
const up = mcp.status().every(({ status }) => status === 'up');
await mcp.stop();
process.exit(up ? 0 : 1);
