/** `chat-kernel mcp`: lists the MCP servers of a running kernel, and signs in to them (MCP-5). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guest, GuestList, Problem, SignIn } from '@chat-kernel/protocol';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { type AddressFlags, kernelAddress } from './address.ts';

const POLL_INTERVAL_MS = 1000;

/** Calls the kernel. @throws CommandError if it does not answer or rejects the request */
type Ask = <Answer>(method: 'GET' | 'POST', path: string) => Promise<Answer>;

export function listGuests(flags: AddressFlags): Promise<void> {
  return run(flags, async ask => {
    const { guests } = await ask<GuestList>('GET', '/v1/guests');
    if (guests.length === 0) process.stdout.write('No MCP servers configured.\n');
    // A kernel of an older version lists no problems of tools.
    for (const { name, status, problem, problems = [] } of guests) {
      process.stdout.write(`${name}: ${problem === null ? status : `${status}, ${plain(problem)}`}\n`);
      for (const sentence of problems) process.stdout.write(`  ${plain(sentence)}\n`);
    }
  });
}

/** Waits until the sign-in in the browser has finished or expired. */
export function signIn(name: string, flags: AddressFlags): Promise<void> {
  return run(flags, async ask => {
    const { url } = await ask<SignIn>('POST', guestPath(name, 'sign-in'));
    process.stdout.write(`Open this page in a browser and sign in:\n\n  ${plain(url)}\n\n`);
    const guest = await settled(name, ask);
    if (guest?.sign_in !== 'done') throw new CommandError(`The sign-in to ${name} was not completed.`);
    process.stdout.write(`Signed in to ${name}.\n`);
  });
}

export function signOut(name: string, flags: AddressFlags): Promise<void> {
  return run(flags, async ask => {
    await ask<Guest>('POST', guestPath(name, 'sign-out'));
    process.stdout.write(
      `Signed out of ${name}. To revoke access completely, also remove it at the provider.\n`,
    );
  });
}

/** Returns the guest when its sign-in has finished, failed or expired. */
async function settled(name: string, ask: Ask): Promise<Guest | undefined> {
  for (;;) {
    const { guests } = await ask<GuestList>('GET', '/v1/guests');
    const guest = guests.find(each => each.name === name);
    if (guest?.sign_in !== 'waiting') return guest;
    await sleep(POLL_INTERVAL_MS);
  }
}

const guestPath = (name: string, what: string): string => `/v1/guests/${encodeURIComponent(name)}/${what}`;

/** Removes control characters from untrusted text. */
const plain = (text: string): string => text.replace(/\p{C}/gu, ' ');

async function run(flags: AddressFlags, work: (ask: Ask) => Promise<void>): Promise<void> {
  const { url, token } = await kernelAddress(flags);
  await work(createRequester(url.endsWith('/') ? url.slice(0, -1) : url, token));
}

const createRequester =
  (address: string, token: string | undefined): Ask =>
  async (method, path) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: token ? { 'x-service-token': token } : {},
    }).catch((error: Error) => {
      const why = error.cause instanceof Error ? error.cause.message : error.message;
      throw new CommandError(
        `No server is responding at ${address} (${why}). Start one with chat-kernel up.`,
      );
    });
    if (response.ok) return response.json();
    const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
    throw new CommandError(
      plain(problem.detail ?? `The kernel at ${address} answered with status ${response.status}.`),
    );
  };
