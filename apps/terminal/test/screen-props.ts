/** A chat screen for tests: a component that holds the input's state, and items to fill it with. */
import type { Item } from '@chat-kernel/protocol';
import { createElement as h, type ReactElement, useState } from 'react';
import { createEditor } from '../src/editor/state.ts';
import { ChatScreen, type ChatScreenProps } from '../src/screen/chat-screen.ts';
import type { Status } from '../src/status/status-line.ts';

export const NOW = Date.parse('2026-01-02T03:04:05.000Z');
export const PLAIN = { colours: false, styles: false, links: false, images: null } as const;
export const COLOURS = { colours: true, styles: true, links: true, images: null } as const;
export const IDLE: Status = {
  model: 'demo/demo',
  effort: 'mid',
  context: { prompt_tokens: 30_000, prefix_tokens: 5_000, context_window: 100_000 },
  cost_usd: null,
  queued: 0,
  connection: { state: 'connected' },
  turn: { state: 'idle' },
};

type TestProps = Partial<Omit<ChatScreenProps, 'editor' | 'onEdit'>>;

export const screenOf = (given: TestProps): ReactElement => h(Holder, { given });

function Holder({ given }: { given: TestProps }) {
  const [editor, setEditor] = useState(createEditor(['older message']));
  const nothing = () => undefined;
  return h(ChatScreen, {
    chatKey: 'one',
    items: [],
    plan: [],
    status: IDLE,
    dialog: null,
    placeholder: 'Say something',
    capabilities: PLAIN,
    commands: [
      { name: 'help', description: 'show keys and commands' },
      { name: 'model', description: 'choose a model', takes: '<id>' },
    ],
    completeFile: async query => ['src/main.ts', 'src/'].filter(path => path.startsWith(query)),
    completeChat: async () => [],
    onTakeBack: () => false,
    onSubmit: nothing,
    onEscape: nothing,
    onInterrupt: nothing,
    onExit: nothing,
    onSteer: nothing,
    onAction: nothing,
    onPasteImage: async () => null,
    onPath: async () => null,
    clock: () => NOW,
    ...given,
    editor,
    onEdit: setEditor,
  });
}

const common = { status: 'completed', turn_id: 't1', created_at: '2026-01-02T03:04:05.000Z' } as const;
let ordinal = 0;
const id = () => `t1:${ordinal++}`;

export const user = (text: string): Item => ({
  ...common,
  id: id(),
  kind: 'user_message',
  text,
  attachments: [],
  master: true,
  message_id: `m-${text}`,
});
export const agent = (text: string, status: Item['status'] = 'completed', name = 't1:0'): Item => ({
  ...common,
  status,
  id: name,
  kind: 'agent_message',
  text,
});
export const thinking = (text: string, status: Item['status'] = 'completed'): Item => ({
  ...common,
  status,
  id: id(),
  kind: 'thinking',
  text,
});
export const call = (given: Partial<Extract<Item, { kind: 'tool_call' }>>): Item => ({
  ...common,
  id: id(),
  kind: 'tool_call',
  call_id: 'c1',
  name: 'shell',
  input: { commands: ['ls -la'] },
  is_error: false,
  ...given,
});
