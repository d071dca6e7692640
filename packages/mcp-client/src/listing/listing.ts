/** Lists the tools of a server, page by page, and leaves out those that cannot be used. */
import { JsonObject } from '@chat-kernel/protocol';
import type { GuestConnection } from '../connection/guest-connection.ts';
import { cut, DESCRIPTION_CHARS, PAGES, TOOLS } from '../rules/limits.ts';
import { schemaMistake } from './schema-check.ts';

export interface ListedTool {
  /** The name that the server uses. */
  name: string;
  description: string;
  input_schema: JsonObject;
  /** The schema as the server sent it. A call needs its information about headers. */
  declared_schema: JsonObject;
  /** Whether the server states that the tool changes nothing. */
  read_only: boolean;
  /** Whether calls are made as tasks. */
  as_task: boolean;
}

interface Listing {
  /** Sorted by name. */
  tools: ListedTool[];
  /** Sentences about the tools that were left out. */
  left_out: string[];
}

type ListedConnection = Pick<GuestConnection, 'client' | 'mirrors_headers' | 'tasks'>;

/** Providers require these two fields. */
const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };
/** Maximum number of sentences for the log. */
const MAX_SENTENCES = 20;

/** @throws Error, including an error answer of the server */
export async function listTools(connection: ListedConnection, signal: AbortSignal): Promise<Listing> {
  const { client } = connection;
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], left_out: [] };
  const tools = new Map<string, ListedTool>();
  const left_out: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // The library's own listing would fail completely if one tool is malformed.
    const answer = await client.request({ method: 'tools/list', params }, JsonObject, { signal });
    if (!Array.isArray(answer.tools)) throw new Error('its tool list is invalid');
    for (const listed of answer.tools) {
      if (tools.size === TOOLS) break;
      const tool = await readTool(listed, connection);
      if (typeof tool === 'string') left_out.push(tool);
      else if (tools.has(tool.name)) left_out.push(`${cut(tool.name, 100)}: listed twice`);
      else tools.set(tool.name, tool);
    }
    const { nextCursor: next } = answer;
    if (typeof next !== 'string' || next === cursor) break;
    if (tools.size === TOOLS || page === PAGES) {
      left_out.push(`all tools after the first ${tools.size}, on ${page} pages`);
      break;
    }
    cursor = next;
  }
  const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tools: sorted, left_out: left_out.slice(0, MAX_SENTENCES) };
}

/** Returns the tool, or a sentence that says why it is left out. */
async function readTool(
  listed: unknown,
  { mirrors_headers, tasks }: ListedConnection,
): Promise<ListedTool | string> {
  const { data: tool } = JsonObject.safeParse(listed);
  if (tool === undefined || typeof tool.name !== 'string' || tool.name === '') return 'a tool without a name';
  const { name, description, inputSchema, annotations, execution } = tool;
  const support = JsonObject.safeParse(execution).data?.taskSupport;
  // The server would reject all its calls.
  if (support === 'required' && tasks === null)
    return `${cut(name, 100)}: it runs only as a task, which its server does not offer`;
  const declared_schema = JsonObject.safeParse(inputSchema).data ?? NO_ARGUMENTS;
  const mistake = await schemaMistake(declared_schema, mirrors_headers);
  if (mistake) return `${cut(name, 100)}: ${mistake}`;
  const { $schema: _, ...schema } = declared_schema;
  return {
    name,
    description: typeof description === 'string' ? cut(description, DESCRIPTION_CHARS) : '',
    input_schema: { ...NO_ARGUMENTS, ...schema },
    declared_schema,
    read_only: JsonObject.safeParse(annotations).data?.readOnlyHint === true,
    as_task: support === 'required' || (support === 'optional' && tasks?.outlive_line === true),
  };
}
