/** Asks the person at the terminal about one operation after the other, whatever stdin and stdout are used for. */
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';
import type { Approve, Decision, Operation } from '@chat-kernel/client';
import { exact, linesOf } from '../text/safe.ts';

/** @throws Error where the process has no terminal to ask at */
export function askHere(workdir: string): Approve {
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
    const hint = 'there is no terminal to ask at: use --hands reads, all or none';
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
    const answer = await lines.question(`${questionOf(operation, workdir)}\nAllow it once? [y/N] `, {
      signal,
    });
    return /^y(es)?$/i.test(answer.trim()) ? 'allow' : 'deny';
  } finally {
    lines.close();
  }
}

/** All of the operation, with hidden characters shown: nobody allows what is not there to read. */
function questionOf({ action, params, agent, hands }: Operation, workdir: string): string {
  const who = agent === undefined ? 'The model' : `Sub-agent ${exact(agent)}`;
  const elsewhere = typeof hands === 'string' ? ` on ${exact(hands)}` : '';
  const given = typeof params.workdir === 'string' ? params.workdir : undefined;
  // Only that machine knows where its relative paths begin.
  const folder = given ?? (elsewhere === '' ? workdir : undefined);
  const place = folder === undefined ? '' : ` in ${exact(folder)}`;
  const facts = Object.entries(params)
    .filter(([name]) => name !== 'workdir')
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `  ${exact(name)}: ${linesOf(text).map(exact).join('\n    ')}`;
    });
  return [`\n${who} asks for ${exact(action)}${elsewhere}${place}`, ...facts].join('\n');
}
