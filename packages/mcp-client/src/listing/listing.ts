/** Lists the tools of a server, page by page, and leaves out those that cannot be used. */
import { setImmediate as breathe } from 'node:timers/promises';
import { isTooDeep, JsonObject } from '@chat-kernel/protocol';
import type { GuestConnection } from '../connection/guest-connection.ts';
import { cut, DESCRIPTION_CHARS, PAGES, SCHEMA_CHARS, SCHEMA_LEVELS, TOOLS } from '../rules/limits.ts';

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

/**
 * Checks what a tool must have to be called. Providers accept any input schema, because it is fitted to their rules.
 * Returns why a schema cannot describe the input of a tool; undefined if it can. Other work runs between two checks.
 * @param mirrorsHeaders whether calls use HTTP, in a revision in which servers may require parameters as headers
 */
async function schemaMistake(
  { $schema: _, ...schema }: JsonObject,
  mirrorsHeaders: boolean,
): Promise<string | undefined> {
  if (schema.type !== undefined && schema.type !== 'object')
    return 'its input schema does not have the type object';
  await breathe();
  if (isTooDeep(schema, SCHEMA_LEVELS)) return `its input schema has more than ${SCHEMA_LEVELS} levels`;
  if (JSON.stringify(schema).length > SCHEMA_CHARS)
    return `its input schema has more than ${SCHEMA_CHARS} characters`;
  return mirrorsHeaders ? headerMistake(schema) : undefined;
}

const WISH = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** The keywords whose values are data, not schemas. */
const DATA = ['const', 'default', 'enum', 'examples'];

/** Returns why the headers cannot be sent; undefined if they can, or if the schema requires none. */
function headerMistake(schema: JsonObject): string | undefined {
  const taken = new Set<string>();

  /** @param named whether the node is the input itself, or a property that can occur only once in it */
  function visit(node: unknown, named: boolean, isInput = false): string | undefined {
    if (typeof node !== 'object' || node === null) return undefined;
    const { properties, ...others } = node as JsonObject;
    if (WISH in others) {
      const mistake = wishMistake(others, named && !isInput);
      if (mistake) return mistake;
    }
    const children = typeof properties === 'object' && properties !== null ? Object.values(properties) : [];
    const rest = Object.entries(others).filter(([key]) => !DATA.includes(key));
    return first(children, child => visit(child, named)) ?? first(rest, ([, child]) => visit(child, false));
  }

  function wishMistake({ [WISH]: header, type }: JsonObject, named: boolean): string | undefined {
    if (!named) return 'it maps a header to a value that may occur several times';
    if (typeof header !== 'string' || !TOKEN.test(header)) return 'it requires a header with an invalid name';
    if (!TYPES.includes(type))
      return `it maps the header ${header} to a value that is not a string, integer or boolean`;
    if (taken.has(header.toLowerCase())) return `it requires the header ${header} twice`;
    taken.add(header.toLowerCase());
    return undefined;
  }

  return visit(schema, true, true);
}

function first<Each>(all: readonly Each[], mistake: (each: Each) => string | undefined): string | undefined {
  for (const each of all) {
    const found = mistake(each);
    if (found) return found;
  }
  return undefined;
}
