/** Builds exports of other programs in their real shapes, with relevant and irrelevant fields. */

/** 2 January 2025, 03:04:05.678 UTC. */
const BEGUN = 1735787045.678;

type Content = Record<string, unknown>;
interface Node {
  role?: string;
  name?: string;
  at?: number;
  content?: string | Content;
  metadata?: Content;
  recipient?: string;
  parent: string | null;
}

/** A ChatGPT conversation. The nodes are named by their ids, and a text becomes content of type text. */
export function chatGpt(id: string, nodes: Record<string, Node>, changes: Content = {}): Content {
  const entries = Object.entries(nodes);
  const mapping = Object.fromEntries(
    entries.map(
      ([key, { role, name = null, at = null, content, metadata = {}, recipient = 'all', parent }]) => [
        key,
        {
          id: key,
          message:
            role === undefined
              ? null
              : {
                  id: key,
                  author: { role, name, metadata: {} },
                  create_time: at === null ? null : BEGUN + at,
                  update_time: null,
                  content: typeof content === 'string' ? { content_type: 'text', parts: [content] } : content,
                  status: 'finished_successfully',
                  end_turn: true,
                  weight: 1,
                  metadata: { model_slug: 'gpt-4o', ...metadata },
                  recipient,
                  channel: null,
                },
          parent,
          children: entries.filter(([, other]) => other.parent === key).map(([child]) => child),
        },
      ],
    ),
  );
  return {
    title: id,
    create_time: BEGUN,
    update_time: BEGUN + 1000,
    mapping,
    moderation_results: [],
    current_node: entries.at(-1)?.[0],
    plugin_ids: null,
    conversation_id: id,
    conversation_template_id: null,
    id,
    ...changes,
  };
}

/** Message `n` of a Claude conversation, in order of time. */
export const claudeMessage = (
  uuid: string,
  n: number,
  sender: string,
  content: object[],
  more: Content = {},
) => ({
  uuid,
  text: '',
  content: content.map(block => ({ start_timestamp: null, stop_timestamp: null, flags: null, ...block })),
  sender,
  created_at: `2025-03-04T05:06:${String(n).padStart(2, '0')}.123456Z`,
  updated_at: '2025-03-04T05:07:00.000000Z',
  attachments: [],
  files: [],
  ...more,
});

export const claude = (uuid: string, name: string, chat_messages: object[]): Content => ({
  uuid,
  name,
  summary: '',
  created_at: '2025-03-04T05:06:00.123456Z',
  updated_at: '2025-03-04T05:08:00.000000Z',
  account: { uuid: 'account' },
  chat_messages,
});
