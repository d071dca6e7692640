/** What the kernel tells of all chats, as far as this client shows it: titles, sleep, and whether it is there. */
import type { KernelClient, KernelEvent } from '@chat-kernel/client';
import type { AppState } from '../state/app-state.ts';
import { isLost } from '../state/status.ts';
import type { Store } from '../state/store.ts';

/** Ends with the signal. */
export async function followNews(
  client: KernelClient,
  store: Store<AppState>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const onConnection = (line: AppState['line']) => {
    store.set({ line, ...(store.get().chat === null && { lost: isLost(line, store.get().lost) }) });
    if (line.state === 'open' && store.get().notice?.passing) store.set({ notice: null });
    // It may be another kernel than before, with other models.
    if (line.state === 'open')
      readAll(client, store, signal).catch(error => signal.aborted || onError(error));
  };
  try {
    for await (const event of client.events({ signal, onConnection })) take(store, event);
  } catch (error) {
    if (!signal.aborted) onError(error);
  }
}

async function readAll(client: KernelClient, store: Store<AppState>, signal: AbortSignal): Promise<void> {
  const { chat } = store.get();
  const [models, { tools }, { waiting: _, ...sleep }, fresh] = await Promise.all([
    client.listModels({ signal }),
    client.listTools({ signal }),
    client.request('GET', '/v1/sleep', { signal }),
    chat && client.getChat(chat.id, { signal }),
  ]);
  const icons = new Map(tools.filter(({ icon }) => EMOJI.test(icon)).map(({ name, icon }) => [name, icon]));
  store.set({ models, icons, sleep });
  if (fresh && store.get().chat?.id === fresh.id) store.set({ chat: fresh });
}

const EMOJI = /^\p{Emoji_Presentation}$/u;

function take(store: Store<AppState>, event: KernelEvent): void {
  switch (event.type) {
    case 'chat_updated':
      if (store.get().chat?.id === event.chat.id) store.set({ chat: event.chat });
      return;
    case 'sleep_changed': {
      const { type: _, ...sleep } = event;
      store.set({ sleep });
      return;
    }
    default:
      // The other lists are not shown here.
      return;
  }
}
