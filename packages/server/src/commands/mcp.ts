/** `chat-kernel mcp`: the tool servers of a kernel that runs, and the sign-in to them (MCP-5). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guest, GuestList, Problem, SignIn } from '@chat-kernel/protocol';
import { CommandError, explain } from '../start/start-failure.ts';
import { type AddressFlags, kernelAddress } from './address.ts';

const LOOK_MS = 1000;

/** Asks the kernel. @throws CommandError where it does not answer, or refuses */
type Ask = <Answer>(method: 'GET' | 'POST', path: string) => Promise<Answer>;

export function listGuests(flags: AddressFlags): Promise<void> {
  return run(flags, async ask => {
    const { guests } = await ask<GuestList>('GET', '/v1/guests');
    if (guests.length === 0) process.stdout.write('No tool server stands in mcp.servers.\n');
    for (const { name, status, problem } of guests)
      process.stdout.write(`${name}: ${problem === null ? status : `${status}, ${plain(problem)}`}\n`);
  });
}

/** Waits until the browser has come back, or the time for that has passed. */
export function signIn(name: string, flags: AddressFlags): Promise<void> {
  return run(flags, async ask => {
    const { url } = await ask<SignIn>('POST', pathOf(name, 'sign-in'));
    process.stdout.write(`Open this page in a browser, and sign in there:\n\n  ${plain(url)}\n\n`);
    const guest = await settled(name, ask);
    if (guest?.sign_in !== 'done') throw new CommandError(`Nobody has signed in to ${name}.`);
    process.stdout.write(`Signed in to ${name}.\n`);
  });
}

export function signOut(name: string, flags: AddressFlags): Promise<void> {
  return run(flags, async ask => {
    await ask<Guest>('POST', pathOf(name, 'sign-out'));
    process.stdout.write(`Signed out of ${name}. What the server itself knows of it ends there.\n`);
  });
}

/** The guest once its sign-in has ended, one way or the other. The kernel ends each in time. */
async function settled(name: string, ask: Ask): Promise<Guest | undefined> {
  for (;;) {
    const { guests } = await ask<GuestList>('GET', '/v1/guests');
    const guest = guests.find(each => each.name === name);
    if (guest?.sign_in !== 'waiting') return guest;
    await sleep(LOOK_MS);
  }
}

const pathOf = (name: string, what: string): string => `/v1/guests/${encodeURIComponent(name)}/${what}`;

/** What others wrote must not steer the terminal. */
const plain = (text: string): string => text.replace(/\p{C}/gu, ' ');

async function run(flags: AddressFlags, work: (ask: Ask) => Promise<void>): Promise<void> {
  try {
    const { url, token } = await kernelAddress(flags);
    await work(askOf(url.endsWith('/') ? url.slice(0, -1) : url, token));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

const askOf =
  (address: string, token: string | undefined): Ask =>
  async (method, path) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: token ? { 'x-service-token': token } : {},
    }).catch((error: Error) => {
      const why = error.cause instanceof Error ? error.cause.message : error.message;
      throw new CommandError(`No kernel answers at ${address} (${why}). chat-kernel up starts one.`);
    });
    if (response.ok) return response.json();
    const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
    throw new CommandError(plain(problem.detail ?? `The kernel at ${address} answers ${response.status}.`));
  };
