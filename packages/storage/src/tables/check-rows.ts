/** Reads all JSON of a database and lists the rows in which it is damaged: for `chat-kernel doctor`. */
import { blocksIn } from './blocks.ts';
import { CHAT_COLUMNS } from './chat-columns.ts';
import { jsonColumns } from './decode.ts';
import type { Schema } from './schema.ts';

export interface UnreadableRows {
  table: string;
  count: number;
  /** The ids of the first ones. */
  ids: string[];
}

/** Runs a query without parameters and yields its rows one by one. */
export type RowReader = (sql: string) => AsyncIterable<Record<string, unknown>>;

type JsonColumns = { [Table in keyof Schema]?: { id: keyof Schema[Table]; json: (keyof Schema[Table])[] } };
const JSON_COLUMNS: JsonColumns = {
  chats: { id: 'id', json: jsonColumns(CHAT_COLUMNS) },
  messages: { id: 'id', json: ['content'] },
  versions: { id: 'id', json: ['summary'] },
  version_messages: { id: 'id', json: ['content'] },
  turns: { id: 'id', json: ['effort', 'usage', 'error', 'parameters', 'checkpoint', 'sleep', 'outside'] },
  approvals: { id: 'id', json: ['command', 'workdir', 'client_id', 'hands', 'prefix', 'target', 'outside'] },
  decisions: { id: 'id', json: ['record'] },
  modules: { id: 'name', json: ['declaration', 'approved_declaration'] },
  persons: { id: 'id', json: ['name'] },
  person_ids: { id: 'person_id', json: ['surface', 'external_id'] },
  memory: { id: 'id', json: ['record'] },
  memory_proposals: { id: 'id', json: ['record'] },
  schedules: { id: 'id', json: ['record'] },
  schedule_runs: { id: 'schedule_id', json: ['error'] },
  push_subscriptions: { id: 'id', json: ['record'] },
  hands: { id: 'client_id', json: ['client_id', 'record'] },
  video_history: { id: 'video_id', json: ['record'] },
  subscriptions: { id: 'channel_id', json: ['record'] },
  edits: { id: 'op_id', json: ['note'] },
};

const MAX_IDS = 5;

/** Reads the whole database, which may take long. */
export async function findUnreadableRows(read: RowReader): Promise<UnreadableRows[]> {
  const found: UnreadableRows[] = [];
  for (const [table, { id, json }] of Object.entries(JSON_COLUMNS) as [
    string,
    { id: string; json: string[] },
  ][]) {
    const unreadable: UnreadableRows = { table, count: 0, ids: [] };
    for await (const row of read(`select "${[id, ...json].join('", "')}" from ${table}`)) {
      if (json.every(column => isReadable(table, row[column]))) continue;
      unreadable.count++;
      if (unreadable.ids.length < MAX_IDS) unreadable.ids.push(String(row[id]));
    }
    if (unreadable.count > 0) found.push(unreadable);
  }
  return found;
}

function isReadable(table: string, text: unknown): boolean {
  if (text === null) return true;
  if (typeof text !== 'string') return false;
  if (table === 'messages' || table === 'version_messages') return blocksIn(text) !== undefined;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The caller counts the row.
    return false;
  }
}
