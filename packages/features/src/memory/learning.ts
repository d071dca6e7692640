/** Defines what the memory learns when a model compacts older history (MEM-4). */
import type { Learning } from '@chat-kernel/kernel';
import { MAX_MEMORY_TEXT } from '@chat-kernel/protocol';
import { MEMORY } from './records.ts';
import type { MemoryService } from './service.ts';

const HEADING = 'For the memory';
const MAX_TEXTS = 10;

export const learning = ({ memory, proposals }: MemoryService): Learning => ({
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
