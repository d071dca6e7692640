/** Tests guarantees across real processes: the lock excludes others, and acknowledged writes survive kill -9. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';

describe.each([
  ['SQLite', false],
  ['Postgres', true],
])('over %s', (_, onPostgres) => {
  const stage = new Stage({ onPostgres });

  test('rejects a second process with a message while the first one uses the store', async () => {
    const second = startWriter(stage);
    const [code] = await once(second.child, 'exit');
    expect(code).toBe(1);
    expect(await second.errors).toMatch(/^Another kernel uses this data directory: .*\.$/m);
    await stage.store.ping();
  });

  test('rejects a second store in the same process, and keeps the first one', async () => {
    await expect(stage.open()).rejects.toThrow('Another kernel uses this data directory');
    const second = startWriter(stage);
    expect((await once(second.child, 'exit'))[0]).toBe(1);
    await stage.chat();
  });

  test('keeps everything acknowledged before kill -9 completely, and releases the lock immediately', async () => {
    await stage.store.close();
    const writer = startWriter(stage);
    const acknowledged: { chat: string; turn: string; image: string }[] = [];
    for await (const line of createInterface(writer.child.stdout!)) {
      acknowledged.push(JSON.parse(line));
      if (acknowledged.length === 30) writer.child.kill('SIGKILL');
    }
    stage.store = await stage.open();
    expect(acknowledged.length).toBeGreaterThanOrEqual(30);
    for (const { chat, turn, image } of acknowledged) {
      expect((await stage.store.turns.get(chat, turn))?.status).toBe('completed');
      expect(await stage.store.messages.listOfTurn(chat, turn)).toHaveLength(2);
      expect((await stage.store.images.get(image))?.bytes.length).toBe(1000);
    }
    const { messages, turns } = await stage.store.chats.count();
    expect(messages).toBe(turns.running + 2 * turns.completed);
    expect(turns.completed - acknowledged.length).toBeOneOf([0, 1]);
  });
});

/**
 * Starts a process that opens the same store and writes to it endlessly, with a line of JSON for each acknowledged
 * write.
 */
function startWriter({ data_dir, url }: Stage): { child: ChildProcess; errors: Promise<string> } {
  const child = spawn(process.execPath, [WRITER, data_dir, ...(url === null ? [] : [url])]);
  return {
    child,
    errors: child.stderr
      .setEncoding('utf8')
      .toArray()
      .then(parts => parts.join('')),
  };
}

const WRITER = new URL('./writer.ts', import.meta.url).pathname;
