/** A tiny surface: a chat of lines over TCP, whose other side is the kernel. It uses the HTTP API and nothing else. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { defineModule, type Module, z } from '@chat-kernel/module-sdk';
import { Book } from './book.ts';
import { talk } from './talk.ts';

export const Settings = z.strictObject({
  port: z.int().min(0).max(65535).default(8788),
  /** Its own database; the kernel's is none of its business. */
  database: z.string().default('line-chat.sqlite'),
});

/** @param onListening is told the port that was taken */
export const lineChat = (settings: z.output<typeof Settings>, onListening: (port: number) => void): Module =>
  defineModule({
    name: 'lines',
    version: '1.0.0',
    about: 'a chat of lines over TCP',
    async start({ kernel, signal, log }) {
      const book = new Book(settings.database);
      const sockets = new Set<Socket>();
      const talks = new Set<Promise<void>>();
      const server = createServer(socket => {
        sockets.add(socket);
        socket.on('error', error => log.debug(error.message)).on('close', () => sockets.delete(socket));
        const talking = talk(socket, kernel, book, signal).finally(() => talks.delete(talking));
        talks.add(talking);
      });
      server.listen(settings.port, '127.0.0.1');
      await once(server, 'listening');
      onListening((server.address() as { port: number }).port);
      signal.addEventListener('abort', async () => {
        server.close();
        for (const socket of sockets) socket.destroy();
        await Promise.allSettled(talks);
        book.close();
      });
    },
  });
