/** Shows tool calls and operations in an editor. */
import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { callSummary, type FileChange, type JsonObject, toFileChange } from '@chat-kernel/client';

/** Tools and operations whose kind is known; tools of modules and MCP servers are `other`. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  write_file: 'edit',
  edit_file: 'edit',
  shell: 'execute',
  web_fetch: 'fetch',
  web_search: 'search',
  search_chats: 'search',
  think_harder: 'think',
  read: 'read',
  read_bytes: 'read',
  find_bytes: 'search',
  list_dir: 'read',
  list_up: 'search',
  write: 'edit',
  write_bytes: 'edit',
};

/** @param name of a tool or an operation */
export const toolKind = (name: string): ToolKind => (Object.hasOwn(KINDS, name) ? KINDS[name]! : 'other');

/** As one line: `shell: npm test`. */
export function formatCallTitle(name: string, input: JsonObject): string {
  const summary = callSummary(name, input);
  return summary === '' ? name : `${name}: ${summary}`;
}

export const callStarted = (toolCallId: string, name: string, input: JsonObject): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: formatCallTitle(name, input),
  kind: toolKind(name),
  status: 'in_progress',
  rawInput: input,
  locations: parseLocations(input),
  content: toDiffContent(toFileChange(name, input)),
});

export const callProgress = (toolCallId: string, output: string): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  content: [textContent(output)],
});

/** A successful file change is shown as a diff, everything else by its output. */
export const buildCallResult = (
  toolCallId: string,
  {
    name,
    input,
    change = toFileChange(name, input),
  }: { name: string; input: JsonObject; change?: FileChange | null },
  output: string,
  is_error: boolean,
): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  status: is_error ? 'failed' : 'completed',
  rawOutput: { output },
  content: is_error || change === null ? [textContent(output)] : toDiffContent(change),
});

/** The diff of a change; empty if there is none. */
export const toDiffContent = (change: FileChange | null): ToolCallContent[] =>
  change === null ? [] : [{ type: 'diff', path: change.path, oldText: change.before, newText: change.after }];

export function parseLocations({ path, files }: JsonObject): ToolCallLocation[] {
  const named = Array.isArray(files) ? files.map(file => (file as JsonObject | null)?.path) : [path];
  return named.filter(each => typeof each === 'string').map(each => ({ path: each }));
}

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
});
