/** Defines for each kind of item its name, the text to copy, and the preview in a list. */
import type { Item, ItemOf } from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import { firstLine } from '../base/text.ts';
import { callSummary } from './call-summary.ts';

interface Words<Kind extends Item['kind']> {
  name: string;
  text(item: ItemOf<Kind>): string;
  gist(item: ItemOf<Kind>): string;
}

/** For kinds of items that have a text. */
const spoken = (name: string) => ({
  name,
  text: ({ text }: { text: string }) => text,
  gist: ({ text }: { text: string }) => firstLine(text),
});

const KINDS: { readonly [Kind in Item['kind']]: Words<Kind> } = {
  user_message: spoken('Message'),
  agent_message: spoken('Response'),
  thinking: spoken('Thinking'),
  machine_note: spoken('Note'),
  tool_call: {
    name: 'Tool call',
    text: ({ name, input, output = '' }) => [name, JSON.stringify(input, null, 2), output].join('\n'),
    gist: ({ name, input }) => `${name} ${callSummary(name, input)}`,
  },
  client_op: {
    name: 'Operation',
    text: ({ params }) => JSON.stringify(params, null, 2),
    gist: ({ action, params }) => callSummary(action, params),
  },
  consent_request: {
    name: 'Request for consent',
    text: ({ params }) => JSON.stringify(params, null, 2),
    gist: ({ action, params }) => callSummary(action, params),
  },
  image: { name: 'Image', text: ({ url }) => url, gist: () => '' },
  compaction: { name: 'Compaction', text: () => '', gist: () => '' },
  plan: {
    name: 'Plan',
    text: ({ tasks }) =>
      tasks.map(({ title, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${title}`).join('\n'),
    gist: ({ tasks }) => counted(tasks.length, 'task'),
  },
};

/** For kinds that are newer than this page. */
const NEWER: Words<Item['kind']> = { name: 'Item', text: item => JSON.stringify(item), gist: () => '' };

/** Returns the texts for the kind of an item. */
export const findItemLabels = ({ kind }: Item): Words<Item['kind']> =>
  (KINDS as unknown as Record<string, Words<Item['kind']>>)[kind] ?? NEWER;
