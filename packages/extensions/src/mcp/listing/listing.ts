/** The tools of a server as it lists them: page by page, and of each only what holds. */
import { JsonObject } from '@chat-kernel/protocol';
import type { Connection } from '../connection/guest-connection.ts';
import { cut, DESCRIPTION_CHARS, PAGES, TOOLS } from '../rules/limits.ts';
import { schemaMistake } from './schema-check.ts';

export interface ListedTool {
  /** As the server calls it. */
  name: string;
  description: string;
  input_schema: JsonObject;
  /** As the server declared it: what it says of headers counts when it is called. */
  declared_schema: JsonObject;
  /** The server says that it changes nothing. */
  read_only: boolean;
}

interface Listing {
  /** In the order of their names. */
  tools: ListedTool[];
  /** Sentences on what was left out. */
  left_out: string[];
}

/** Providers want both of these, whatever else is said. */
const NO_ARGUMENTS = { type: 'object', properties: {} };
/** More sentences than this help nobody. */
const MOST_SENTENCES = 20;

/** @throws whatever the server answers in place of a list */
export async function listTools(
  { client, mirrors_headers }: Pick<Connection, 'client' | 'mirrors_headers'>,
  signal: AbortSignal,
): Promise<Listing> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], left_out: [] };
  const tools = new Map<string, ListedTool>();
  const left_out: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // The library's own listing fails as a whole where one tool of it is malformed.
    const answer = await client.request({ method: 'tools/list', params }, JsonObject, { signal });
    if (!Array.isArray(answer.tools)) throw new Error('its list of tools is none');
    for (const told of answer.tools) {
      if (tools.size === TOOLS) break;
      const tool = await readTool(told, mirrors_headers);
      if (typeof tool === 'string') left_out.push(tool);
      else if (tools.has(tool.name)) left_out.push(`${cut(tool.name, 100)}: listed twice`);
      else tools.set(tool.name, tool);
    }
    const { nextCursor: next } = answer;
    if (typeof next !== 'string' || next === cursor) break;
    if (tools.size === TOOLS || page === PAGES) {
      left_out.push(`all that follows the first ${tools.size} tools, on ${page} pages`);
      break;
    }
    cursor = next;
  }
  const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tools: sorted, left_out: left_out.slice(0, MOST_SENTENCES) };
}

/** The tool, or why it is none. */
async function readTool(told: unknown, mirrorsHeaders: boolean): Promise<ListedTool | string> {
  const { data: tool } = JsonObject.safeParse(told);
  if (tool === undefined || typeof tool.name !== 'string' || tool.name === '') return 'a tool without a name';
  const { name, description, inputSchema, annotations } = tool;
  const { data: declared_schema } = JsonObject.safeParse(inputSchema);
  const mistake = declared_schema
    ? await schemaMistake(declared_schema, mirrorsHeaders)
    : 'it has no input schema';
  if (declared_schema === undefined || mistake) return `${cut(name, 100)}: ${mistake}`;
  const { $schema: _, ...schema } = declared_schema;
  return {
    name,
    description: typeof description === 'string' ? cut(description, DESCRIPTION_CHARS) : '',
    input_schema: { ...NO_ARGUMENTS, ...schema },
    declared_schema,
    read_only: JsonObject.safeParse(annotations).data?.readOnlyHint === true,
  };
}
