/** Connects to the kernel, and starts one if the user agrees. */
import { createInterface } from 'node:readline/promises';
import { KernelApiError, KernelClient } from '@chat-kernel/client';
import { EXIT } from '../program/exit-codes.ts';
import { printError as sayLine } from '../program/print-error.ts';

interface ReachOptions {
  url: string;
  token?: string | undefined;
  startKernel?: (() => Promise<string>) | undefined;
}

/** @returns the client, or an exit code if no kernel answers; stderr then says why */
export async function reachKernel({ url, token, startKernel }: ReachOptions): Promise<KernelClient | number> {
  const client = new KernelClient({ url, token });
  try {
    await client.getHealth();
    return client;
  } catch (error) {
    if (error instanceof KernelApiError) return refused(error);
    if (startKernel === undefined) {
      say(
        `No server is responding at ${url}. Start one with \`chat-kernel up\`, or set another address with --url.`,
      );
      return EXIT.unreachable;
    }
  }
  if (!(await agreed(`No server is responding at ${url}. Start one? [Y/n] `))) return EXIT.unreachable;
  try {
    process.stdout.write('Starting a server …\n');
    return new KernelClient({ url: await startKernel(), token });
  } catch (error) {
    say((error as Error).message);
    return EXIT.unreachable;
  }
}

/** Writes the error of the first request to stderr. @returns the exit code for it */
export function refused(error: unknown): number {
  say((error as Error).message);
  return error instanceof KernelApiError ? EXIT.refused : EXIT.unreachable;
}

export const say = (sentence: string): void => sayLine(`chat-kernel chat: ${sentence}`);

/** Asks a yes-or-no question. Enter means yes, end of input means no. */
async function agreed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = Promise.withResolvers<string>();
  lines.once('close', () => ended.resolve('no'));
  try {
    const answer = await Promise.race([lines.question(question), ended.promise]);
    return /^(?:y(?:es)?)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
