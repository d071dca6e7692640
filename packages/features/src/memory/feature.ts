/** Defines the memory: what the kernel remembers across all chats (MEM-1 to MEM-4, CONSENT-4). */
import { defineFeature } from '../feature.ts';
import { memoryFingerprint, toMemoryRefs } from './entries.ts';
import { learning } from './learning.ts';
import { Memory } from './memory.ts';
import { Proposals } from './proposals.ts';
import { MEMORY } from './records.ts';
import { routes } from './routes.ts';
import { MemoryStore } from './store.ts';
import { memoryTool } from './tool.ts';
import { viewMessage } from './view-message.ts';

export const memory = defineFeature({
  name: MEMORY,
  stores: ({ transactions }) => ({ memory: new MemoryStore(transactions) }),
  open({ store: { messages, search }, clock, settings, shared, events, refreshHistories }, stores) {
    const memory = new Memory({ ...stores, messages, search }, clock, settings.memory, shared);
    const proposals = new Proposals(stores.memory, memory);
    const service = { memory, proposals };
    memory.watch(({ lost, here }) => {
      if (lost) refreshHistories();
      if (here) events.publish({ type: 'memory_changed' });
    });
    return {
      service,
      name: MEMORY,
      load: () => memory.load(),
      state(chat) {
        const entries = memory.forChat(chat);
        if (entries === null) return null;
        const fingerprint = memoryFingerprint(entries);
        return {
          fingerprint,
          isEmpty: entries.length === 0,
          block: () => ({
            type: 'context',
            text: '',
            internal: { told: { [MEMORY]: fingerprint }, memory: toMemoryRefs(entries) },
          }),
        };
      },
      viewMessage: (message, options) => viewMessage(message, memory, options),
      learning: learning(service),
      chatDeleted: id => proposals.chatDeleted(id),
    };
  },
  tools: service => [memoryTool(service)],
  groups: [{ name: 'memory', about: 'remembers facts across chats, and forgets them' }],
  routes,
  documentedAfter: 'setNotebook',
});
