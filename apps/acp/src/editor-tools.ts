/** Offers the tools of an editor's MCP servers as extra tools of the session's turns. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  decisionLifetime,
  type ExtraToolCall,
  type ExtraToolHandler,
  type JsonObject,
  KernelApiError,
  type TurnRequest,
} from '@chat-kernel/client';
import { parseDecision, TOOL_OPTIONS, toolPermission } from './permissions.ts';
import type { Editor, ServerTool, ToolServers } from './tool-servers.ts';

/** How long a prompt waits for starting servers. Tools of slower servers are available in the next prompt. */
const BEGIN_MS = 30_000;
/** The limit of tools for a turn. */
const MAX_TOOLS = 128;
/** How long the kernel waits for an answer, including the owner's decision: as long as for operations. */
const TIMEOUT_SECS = 600;

export function editorTools(servers: ToolServers, { editor, say }: Editor) {
  /** Tools that may run without approval. */
  const allowed = new Set<string>();
  /** Tools that the kernel rejects. */
  const refused = new Set<string>();
  /** The tools of the last prompt, by name. */
  let handlers: Readonly<Record<string, ExtraToolHandler>> = {};

  /** The client that declares a tool decides whether a call is allowed. */
  const isPermitted = async (
    name: string,
    input: JsonObject,
    { id, chat_id }: ExtraToolCall,
    signal: AbortSignal,
  ): Promise<boolean> => {
    if (allowed.has(name)) return true;
    const answer = await editor.request(
      'session/request_permission',
      { sessionId: chat_id, toolCall: toolPermission(id, name, input), options: TOOL_OPTIONS },
      { cancellationSignal: signal },
    );
    const decision = parseDecision(answer);
    if (decisionLifetime(decision) === 'process') allowed.add(name);
    return decision !== 'deny';
  };

  const handlerOf =
    (tool: ServerTool): ExtraToolHandler =>
    async (input, signal, call) => {
      if (tool.acts && !(await isPermitted(tool.name, input, call, signal))) throw new Error(DECLINED);
      const { output, is_error } = await tool.run(input, { signal, progress: call.progress });
      if (is_error) throw new Error(output);
      return output;
    };

  return {
    get handlers() {
      return handlers;
    },

    /** Returns the available tools for a new turn. @param signal ends the wait */
    async declare(signal: AbortSignal): Promise<Pick<TurnRequest, 'extra_tools'>> {
      const enough = new AbortController();
      const late = sleep(BEGIN_MS, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
      await Promise.race([servers.tried(), late.catch(() => {})]);
      enough.abort();
      const all = servers.tools().filter(({ name }) => !refused.has(name));
      const tools = all.slice(0, MAX_TOOLS);
      if (all.length > MAX_TOOLS)
        say(`The editor's MCP servers have ${all.length} tools; the model gets the first ${MAX_TOOLS}.`);
      handlers = Object.fromEntries(tools.map(tool => [tool.name, handlerOf(tool)]));
      if (tools.length === 0) return {};
      return {
        extra_tools: tools.map(({ name, description, input_schema }) => ({
          name,
          description,
          input_schema,
          timeout_secs: TIMEOUT_SECS,
          outside: true,
        })),
      };
    },

    /** Whether a turn was rejected because of one of the declared tools. That tool is not declared again. */
    leavesOut(error: unknown): boolean {
      if (!(error instanceof KernelApiError)) return false;
      const [, index] = /^\/extra_tools\/(\d{1,3})\//.exec(error.errors[0]?.pointer ?? '') ?? [];
      const name = index === undefined ? undefined : Object.keys(handlers)[Number(index)];
      if (name === undefined) return false;
      refused.add(name);
      say(`The tool ${name} of the editor's MCP servers was skipped: ${error.detail}`);
      return true;
    },
  };
}

const DECLINED = 'The user declined this call.';
