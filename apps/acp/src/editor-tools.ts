/** The tools of an editor's MCP servers, as extra tools of the turns of its session. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ExtraToolCall,
  type ExtraToolHandler,
  type JsonObject,
  KernelApiError,
  type TurnRequest,
} from '@chat-kernel/client';
import type { Editor } from './editor.ts';
import { decisionOf, TOOL_OPTIONS, toolPermission } from './permissions.ts';
import type { ServerTool, ToolServers } from './tool-servers.ts';

/** How long a prompt waits for servers that begin; those that come later have their tools in the next one. */
const BEGIN_MS = 30_000;
/** As many as a turn may declare. */
const MOST_TOOLS = 128;
/** How long the kernel waits for an answer, the owner's decision included: as long as for operations. */
const TIMEOUT_SECS = 600;

export class EditorTools {
  readonly #servers: ToolServers;
  readonly #editor: Editor;
  /** Tools that may act without being asked about. */
  readonly #allowed = new Set<string>();
  /** Tools that the kernel refuses. */
  readonly #refused = new Set<string>();
  /** Those of the last prompt, by name. */
  #handlers: Readonly<Record<string, ExtraToolHandler>> = {};

  constructor(servers: ToolServers, editor: Editor) {
    this.#servers = servers;
    this.#editor = editor;
  }

  get handlers(): Readonly<Record<string, ExtraToolHandler>> {
    return this.#handlers;
  }

  /** Returns the tools that there are, for a turn that begins. @param signal ends the waiting */
  async declare(signal: AbortSignal): Promise<Pick<TurnRequest, 'extra_tools'>> {
    const enough = new AbortController();
    const late = sleep(BEGIN_MS, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
    await Promise.race([this.#servers.tried(), late.catch(() => {})]);
    enough.abort();
    const all = this.#servers.tools().filter(({ name }) => !this.#refused.has(name));
    const tools = all.slice(0, MOST_TOOLS);
    if (all.length > MOST_TOOLS) {
      this.#editor.say(
        `Of ${all.length} tools of the editor's MCP servers, the model gets the first ${MOST_TOOLS}.`,
      );
    }
    this.#handlers = Object.fromEntries(tools.map(tool => [tool.name, this.#handlerOf(tool)]));
    if (tools.length === 0) return {};
    return {
      extra_tools: tools.map(({ name, description, input_schema }) => ({
        name,
        description,
        input_schema,
        timeout_secs: TIMEOUT_SECS,
      })),
    };
  }

  /** Whether a turn was refused for one of the tools that were declared, which is not declared again. */
  leavesOut(error: unknown): boolean {
    if (!(error instanceof KernelApiError)) return false;
    const [, index] = /^\/extra_tools\/(\d{1,3})\//.exec(error.errors[0]?.pointer ?? '') ?? [];
    const name = index === undefined ? undefined : Object.keys(this.#handlers)[Number(index)];
    if (name === undefined) return false;
    this.#refused.add(name);
    this.#editor.say(`The tool ${name} of the editor's MCP servers is left out: ${error.detail}`);
    return true;
  }

  #handlerOf(tool: ServerTool): ExtraToolHandler {
    return async (input, signal, call) => {
      if (tool.acts && !(await this.#isPermitted(tool.name, input, call, signal))) throw new Error(DECLINED);
      const { output, is_error } = await tool.run(input, { signal, progress: call.progress });
      if (is_error) throw new Error(output);
      return output;
    };
  }

  /** The kernel leaves it to whoever has a tool whether it is called. */
  async #isPermitted(name: string, input: JsonObject, { id, chat_id }: ExtraToolCall, signal: AbortSignal) {
    if (this.#allowed.has(name)) return true;
    const answer = await this.#editor.editor.request(
      'session/request_permission',
      { sessionId: chat_id, toolCall: toolPermission(id, name, input), options: TOOL_OPTIONS },
      { cancellationSignal: signal },
    );
    const decision = decisionOf(answer);
    if (decision === 'allow_session') this.#allowed.add(name);
    return decision !== 'deny';
  }
}

const DECLINED = 'The user declined this call.';
