/** Defines the memory: what the kernel remembers across all chats (MEM-1 to MEM-4, CONSENT-4). */
import type { Learning } from '@chat-kernel/kernel';
import { MAX_MEMORY_TEXT } from '@chat-kernel/protocol';
import { defineFeature } from '../feature.ts';
import { memoryFingerprint, toMemoryRefs } from './entries.ts';
import { Memory } from './memory.ts';
import { Proposals } from './proposals.ts';
import { MEMORY } from './records.ts';
import { routes } from './routes.ts';
import type { MemoryService } from './service.ts';
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

const HEADING = 'For the memory';
const MAX_TEXTS = 10;

/** Defines what the memory learns when a model compacts older history (MEM-4). */
const learning = ({ memory, proposals }: MemoryService): Learning => ({
  // A summary must not contain forgotten entries.
  privateTools: [MEMORY],
  heading: HEADING,
  instructions: `After the summary, write one more heading:
## ${HEADING}
A list of what will also matter in other conversations with the same person: lasting facts that they stated about themselves, and lasting preferences. Each item is one short, self-contained sentence; at most ${MAX_TEXTS} items. Leave out what is already remembered, what matters only in this conversation, secrets, and what only tools, files or quotes say. Usually there is nothing to list: then write "None."`,
  maxTexts: MAX_TEXTS,
  maxChars: MAX_MEMORY_TEXT,
  known: chat => (memory.learns ? (memory.forChat(chat)?.map(({ text }) => text) ?? null) : null),
  learn: (texts, source, log) => proposals.learn(texts, source, log),
});
