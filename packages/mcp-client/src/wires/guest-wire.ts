/** Opens the two kinds of transport to a server: a program that the kernel starts, or an address on the network. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { harmlessVariables, type ProcessEnvironment, startSupervised } from '@chat-kernel/hands/processes';
import type { Log } from '@chat-kernel/kernel';
import type { McpServerSettings } from '@chat-kernel/protocol';
import type { AuthProvider, Transport } from '@modelcontextprotocol/client';
import { cut, GRACE_MS, SENTENCE_CHARS } from '../rules/limits.ts';
import { HttpTransport } from './http-transport.ts';
import { ProgramTransport } from './program-transport.ts';

export interface GuestWire {
  transport: Transport;
  /** Whether a disconnect is not visible, so that the kernel must send heartbeats. */
  silent: boolean;
  /** Resolves with the reason why the transport has failed, if known. */
  problem(): Promise<string | undefined>;
  /** Ends the program or the session. Never rejects. */
  close(): Promise<void>;
}

export interface GuestWireDeps {
  name: string;
  log: Log;
  environment: ProcessEnvironment;
  /** Absolute path of a directory that contains one for each program. */
  directory: string;
  /** Called for each block of a result that was not understood, with its type. */
  onUnread?(server: string, type: string): void;
  /** Provides the tokens of a sign-in; null if the settings contain all credentials. */
  auth: AuthProvider | null;
}

export function openWire(entry: McpServerSettings, deps: GuestWireDeps): GuestWire {
  return entry.command === undefined
    ? httpWire(entry, deps)
    : programWire({ ...entry, command: entry.command }, deps);
}

function programWire(
  { command, args = [], env, cwd }: McpServerSettings & { command: string },
  { name, log, environment, directory, onUnread }: GuestWireDeps,
): GuestWire {
  let problem: string | undefined;
  const program = startSupervised([command, ...args], {
    env: { ...harmlessVariables(environment), ...env },
    cwd: cwd ?? ownDirectory(directory, name),
  });
  program.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      if (line !== '')
        log.debug({ server: name, line: cut(line, SENTENCE_CHARS) }, 'output of an MCP server');
    }
  });
  const transport = new ProgramTransport(program, {
    onTooLarge(error) {
      problem = error.message;
    },
    onUnread: type => onUnread?.(name, type),
  });
  return {
    transport,
    silent: false,
    problem: async () => problem ?? program.ended,
    close: () => transport.close(),
  };
}

/**
 * Creates a directory for the program, so that its files are not written to the folder in which the kernel was started.
 */
function ownDirectory(directory: string, name: string): string {
  const path = join(directory, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function httpWire(
  { url = '', headers }: McpServerSettings,
  { name, log, auth, onUnread }: GuestWireDeps,
): GuestWire {
  let problem: string | undefined;
  const transport = new HttpTransport(
    { url, headers, auth },
    {
      onTooLarge(error) {
        problem = error.message;
        void transport.close();
      },
      onUnread: type => onUnread?.(name, type),
    },
  );
  return {
    transport,
    silent: true,
    problem: async () => problem,
    async close() {
      try {
        await transport.endSession(GRACE_MS);
      } catch (error) {
        log.debug({ server: name, err: error }, 'ending the session of an MCP server failed');
      }
      await transport.close();
    },
  };
}
