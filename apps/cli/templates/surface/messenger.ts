/**
 * Connects the messenger; no other file depends on it. The generated version receives HTTP requests and writes answers to a file.
 * To connect a real messenger, rewrite `Settings`, `receive`, `send` and `hasArrived`. module.ts does the rest.
 */
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from '@chat-kernel/module-sdk';

/** The `module` section of config.yaml. */
export const Settings = z.strictObject({
  port: z.int().min(1).max(65_535).default(8790),
  sent_file: z.string().min(1),
  /** Used by module.ts. */
  owner: z.string().min(1).nullable().default(null),
});
export type Settings = z.output<typeof Settings>;

export const Incoming = z.strictObject({
  /** Identifies this message in its conversation, also if the messenger delivers it again. */
  id: z.string().min(1),
  /** Each conversation has its own chat. */
  conversation: z.string().min(1),
  /** The sender's id, which the messenger never assigns to another user. */
  from: z.string().min(1),
  text: z.string().min(1),
});
export type Incoming = z.output<typeof Incoming>;

export interface Outgoing {
  /** Stays the same in repeated attempts. If the messenger accepts such an id, for example a transaction id, pass it on. */
  id: string;
  conversation: string;
  text: string;
}

/** Thrown by `send` if the messenger permanently rejects the message. All other errors are retried. */
export class Refused extends Error {}

/**
 * RECEIVE: calls `store` with each message. Confirm a message to the messenger only after `store` has returned, so that an
 * unconfirmed message is delivered again. If you read from a position on, such as a sync token, saving it is the confirmation:
 * save it in a file after `store` has returned. Leave out what your own account sent, automatic messages, edits, and people who
 * should get no answer. Runs until the signal is aborted; if it throws, it is called again after a delay.
 */
export async function receive(
  { port }: Settings,
  store: (message: Incoming) => void,
  signal: AbortSignal,
): Promise<void> {
  const server = createServer(async (request, response) => {
    // Pages in a browser cannot send this type to another origin.
    if (request.headers['content-type'] !== 'application/json') {
      return void response.writeHead(415).end('The content-type must be application/json.\n');
    }
    try {
      store(Incoming.parse(JSON.parse(await text(request))));
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(400).end(`${(error as Error).message}\n`);
    }
  });
  server.listen({ port, host: '127.0.0.1', signal });
  await once(server, 'close');
}

/**
 * SEND: resolves when the messenger has accepted the message. It is called again after an error or a crash. An answer that is too
 * long for one message must be sent in parts.
 */
export async function send({ sent_file }: Settings, message: Outgoing): Promise<void> {
  await appendFile(sent_file, `${JSON.stringify(message)}\n`, { flush: true });
}

/**
 * Checks whether an interrupted `send` was successful, before the message is sent again. If the messenger cannot tell but
 * always ignores known ids, return false. If it does neither, false means at-least-once delivery, and true at-most-once.
 */
export async function hasArrived({ sent_file }: Settings, { id }: Outgoing): Promise<boolean> {
  const sent = await readFile(sent_file, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return sent.includes(`"id":${JSON.stringify(id)}`);
}
