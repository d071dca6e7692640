/** Tests how a store is closed: it finishes earlier requests, and another one may open. */
import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function closingSuite(stage: Stage): void {
  test('rejects every call to a closed store, and lets the next one open', async () => {
    const first = stage.store;
    await Promise.all([first.close(), first.close()]);
    await expect(first.ping()).rejects.toThrow();
    stage.store = await stage.open();
    await stage.store.ping();
  });

  test('finishes earlier requests on close, and rejects later ones', async () => {
    const chat = await stage.chat();
    const image = { id: crypto.randomUUID(), chat_id: chat.id, media_type: 'image/png', created_at: NOW };
    const before = [
      stage.store.images.save(image, new Uint8Array(3)),
      ...Array.from({ length: 30 }, () => stage.turn(chat.id)),
      ...Array.from({ length: 30 }, () => stage.store.messages.list(chat.id, { limit: 1 })),
    ];
    const closing = stage.store.close();
    await expect(stage.turn(chat.id)).rejects.toThrow('The store is closed.');
    await Promise.all([...before, closing]);
    stage.store = await stage.open();
    expect(await stage.store.messages.list(chat.id, { limit: 50 })).toHaveLength(30);
    expect(await stage.store.images.get(image.id)).toBeDefined();
  });
}
