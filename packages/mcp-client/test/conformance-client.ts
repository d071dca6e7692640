/**
 * The client that the conformance suite runs: a guest for the server of a scenario, and a user who signs in if
 * required. The suite passes the address as the last argument, and the name and context of the scenario in the
 * environment. The client calls each tool of the server once, and again after a required sign-in.
 */
import type { Log, ToolContext } from '@chat-kernel/kernel';
import { openMcp } from '../src/mcp.ts';
import { memorySignIns } from './fixtures/sign-ins.ts';

/** Tool → the input that it requires; other tools need none. */
const INPUTS: Record<string, Record<string, unknown>> = { mcp_suite_add_numbers: { a: 2, b: 3 } };
/** The context that the suite passes to a scenario. */
interface Context {
  client_id?: string;
  client_secret?: string;
  /** The required calls, by the names that the server has for its tools. */
  toolCalls?: { name: string; arguments?: Record<string, unknown> }[];
}
/** How often the user signs in before giving up. */
const SIGN_INS = 3;
/** No server needs to listen there: the client reads the response address from the redirect. */
const CALLBACK = 'http://127.0.0.1:8787/v1/guests/callback';

const write = (facts: object, sentence: string) =>
  void process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`);
const log: Log = { debug: write, info: write, warn: write, error: write };
const url = process.argv.at(-1) ?? '';
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const { client_id, client_secret, toolCalls = [] } = JSON.parse(context) as Context;
/** In this scenario the client is identified by the address of its description. */
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

/** A user who accepts all defaults. */
const askOwner: ToolContext['askOwner'] = async () => ({
  reason: 'answered',
  answer: { id: 'question', answer: '' },
});

const changed = () => new Promise<void>(resolve => mcp.onChange(resolve));
const stateOf = async () => (await mcp.list())[0];
const wantsSignIn = async () => (await stateOf())?.sign_in === 'needed';
let signIns = 0;

/** Performs the steps of the user and the browser: opens the page, and follows its redirects. */
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

/** Signs in as long as the server requires it, and waits until each sign-in takes effect. */
async function settle(): Promise<void> {
  while (await wantsSignIn()) {
    if (signIns >= SIGN_INS) return;
    await signIn();
    // An attempt from before the sign-in may fail after it, which is a change as well.
    while ((await stateOf())?.status !== 'up' && !(await wantsSignIn())) await changed();
  }
}

const first = changed();
mcp.start(CALLBACK);
await first;
try {
  await settle();
  const calls = mcp.tools().flatMap(tool => {
    const wanted = toolCalls.filter(({ name }) => tool.name === `mcp_suite_${name}`);
    const inputs = wanted.map(each => each.arguments ?? {});
    return (inputs.length > 0 ? inputs : [INPUTS[tool.name] ?? {}]).map(input => ({ tool, input }));
  });
  for (const { tool, input } of calls) {
    for (;;) {
      const toolContext = {
        signal: AbortSignal.timeout(20_000),
        progress() {},
        askOwner,
      } as unknown as ToolContext;
      const result = await tool.run(input, toolContext);
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
