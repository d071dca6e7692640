/** A small surface: connects a line-based TCP chat to the kernel. It uses only the HTTP API. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { defineModule, type ModuleDefinition, z } from '@chat-kernel/module-sdk';
import { LineStore } from './line-store.ts';
import { MODULE, talk } from './talk.ts';

export const Settings = z.strictObject({
  port: z.int().min(0).max(65535).default(8788),
  /** The database of the surface; that of the kernel is not accessible. */
  database: z.string().default('line-chat.sqlite'),
});

/** @param onListening called with the port, once it is open */
export const lineChat = (
  settings: z.output<typeof Settings>,
  onListening: (port: number) => void,
): ModuleDefinition =>
  defineModule({
    name: MODULE,
    version: '1.0.0',
    about: 'a chat of lines over TCP',
    async start({ kernel, signal, log }) {
      const store = new LineStore(settings.database);
      const sockets = new Set<Socket>();
      const talks = new Set<Promise<void>>();
      const server = createServer(socket => {
        sockets.add(socket);
        socket.on('error', error => log.debug(error.message)).on('close', () => sockets.delete(socket));
        const talking = talk(socket, kernel, store, signal).finally(() => talks.delete(talking));
        talks.add(talking);
      });
      server.listen(settings.port, '127.0.0.1');
      await once(server, 'listening');
      onListening((server.address() as { port: number }).port);
      signal.addEventListener('abort', async () => {
        server.close();
        for (const socket of sockets) socket.destroy();
        await Promise.allSettled(talks);
        store.close();
      });
    },
  });
