/** The two ways to a server: a program that the kernel starts, or an address on the network. */
import type { Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { Transport } from '@modelcontextprotocol/client';
import { type Environment, guestEnvironment } from '../../processes/environment.ts';
import { HttpTransport } from './http-transport.ts';
import { cut, GRACE_MS, SENTENCE_CHARS } from '../rules/limits.ts';
import { startProgram } from './program.ts';
import { ProgramTransport } from './program-transport.ts';

export type ServerEntry = Settings['mcp']['servers'][string];

export interface Wire {
  transport: Transport;
  /** Nothing else tells whether the server is still there: it has to be asked. */
  silent: boolean;
  /** Why nothing goes through it any more, where something is known. */
  problem(): Promise<string | undefined>;
  /** Ends what it started. Never rejects. */
  close(): Promise<void>;
}

interface Surroundings {
  name: string;
  log: Log;
  environment: Environment;
}

export function openWire(entry: ServerEntry, surroundings: Surroundings): Wire {
  return entry.command === undefined
    ? httpWire(entry, surroundings)
    : programWire({ ...entry, command: entry.command }, surroundings);
}

function programWire(
  { command, args = [], env }: ServerEntry & { command: string },
  { name, log, environment }: Surroundings,
): Wire {
  let problem: string | undefined;
  const program = startProgram({ command, args, env: guestEnvironment(environment, env) });
  program.errors.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      if (line !== '') log.debug({ server: name, line: cut(line, SENTENCE_CHARS) }, 'an MCP server said');
    }
  });
  return {
    transport: new ProgramTransport(program, error => {
      problem = error.message;
    }),
    silent: false,
    problem: async () => problem ?? program.ended,
    close: () => program.end(GRACE_MS),
  };
}

function httpWire({ url = '', headers }: ServerEntry, { name, log }: Surroundings): Wire {
  let problem: string | undefined;
  const transport = new HttpTransport({ url, headers }, error => {
    problem = error.message;
    void transport.close();
  });
  return {
    transport,
    silent: true,
    problem: async () => problem,
    async close() {
      try {
        await transport.endSession(GRACE_MS);
      } catch (error) {
        log.debug({ server: name, err: error }, 'an MCP server did not take the end of its session');
      }
      await transport.close();
    },
  };
}
