/** Asks at the terminal about one operation at a time, even if stdin and stdout are redirected. */
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';
import {
  type Approve,
  type Decision,
  describeConsent,
  describeSandbox,
  type Operation,
} from '@chat-kernel/client';
import { exact, splitLines } from '../text/safe.ts';

/** @throws Error if the process has no terminal */
export function promptForApproval(workdir: string): Approve {
  const terminal = openTerminal();
  let earlier: Promise<unknown> = Promise.resolve();
  return (operation, signal) => {
    const answer = earlier.then(() =>
      signal.aborted ? undefined : ask(operation, workdir, terminal, signal),
    );
    earlier = answer.catch(() => {});
    return answer;
  };
}

type Terminal = () => { input: ReadStream; output: WriteStream };

function openTerminal(): Terminal {
  try {
    const fd = openSync('/dev/tty', 'r+');
    return () => ({ input: new ReadStream(fd), output: new WriteStream(fd) });
  } catch (error) {
    const hint = 'There is no terminal to ask for approval. Use --hands reads, all or none.';
    throw new Error(`--hands ask: ${hint}`, { cause: error });
  }
}

async function ask(
  operation: Operation,
  workdir: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Decision> {
  const lines = createInterface(terminal());
  try {
    const answer = await lines.question(`${formatQuestion(operation, workdir)}\nAllow it once? [y/N] `, {
      signal,
    });
    return /^y(es)?$/i.test(answer.trim()) ? 'allow' : 'deny';
  } finally {
    lines.close();
  }
}

/** Shows the whole operation, including hidden characters, so that the user sees what they allow. */
function formatQuestion(operation: Operation, workdir: string): string {
  const { action, params, call, agent, hands, sandbox } = operation;
  const who = agent === undefined ? 'The model' : `Sub-agent ${exact(agent)}`;
  const elsewhere = typeof hands === 'string' ? ` on ${exact(hands)}` : '';
  const given = typeof params.workdir === 'string' ? params.workdir : undefined;
  // Relative paths resolve on that machine, so its folder is unknown here.
  const folder = given ?? (elsewhere === '' ? workdir : undefined);
  const place = folder === undefined ? '' : ` in ${exact(folder)}`;
  const how = describeSandbox(sandbox) === null ? '' : ` (${describeSandbox(sandbox)})`;
  const facts = Object.entries({ ...params, ...(call && { 'all of the call': call }) })
    .filter(([name]) => name !== 'workdir')
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `  ${exact(name)}: ${splitLines(text).map(exact).join('\n    ')}`;
    });
  const why = describeConsent({ ...operation, params: {} }).map(line => `  ${exact(line)}`);
  return [`\n${who} requests ${exact(action)}${how}${elsewhere}${place}`, ...why, ...facts].join('\n');
}
