/**
 * Manages a session of an editor: its prompts become turns of the chat, whose operations run on the editor's machine.
 */
import type { ContentBlock, PromptResponse, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import {
  type Chat,
  type Choice,
  type EventOf,
  type FileChange,
  HandsRunner,
  type KernelClient,
  type StopReason as KernelStopReason,
  type Operation,
  PendingCancels,
  readCurrentFile,
  type TurnEvent,
  type TurnStream,
  textAfterWrite,
  toFileChange,
} from '@chat-kernel/client';
import { sandboxKind } from '@chat-kernel/hands';
import { findContextWindow, type Models } from './choices.ts';
import type { Editor } from './editor.ts';
import { editorHands } from './editor-hands.ts';
import { EditorTools } from './editor-tools.ts';
import { optionsFor, permissionCall, toChoice } from './permissions.ts';
import { buildMessage } from './prompt.ts';
import { askAll, listQuestions } from './questions.ts';
import { SessionRecord } from './session-record.ts';
import type { ToolServers } from './tool-servers.ts';
import { TurnCursor } from './turn-cursor.ts';

interface SessionPlace {
  chat: Chat;
  /** The editor's folder. */
  cwd: string;
  additionalDirectories: readonly string[];
  models: Models;
  /** The editor's MCP servers; they end with the session. */
  servers: ToolServers;
}

/** The kernel's reason → the stop reason of the protocol. */
const STOPS: Readonly<Record<KernelStopReason, StopReason>> = {
  stop: 'end_turn',
  tools: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  other: 'end_turn',
  ends_turn: 'end_turn',
  cancelled: 'cancelled',
  error: 'end_turn',
  kernel_restarted: 'end_turn',
};

export class Session {
  readonly chat: Chat;
  readonly #client: KernelClient;
  readonly #stops: PendingCancels;
  readonly #editor: Editor;
  readonly #models: Models;
  readonly #hands: ReturnType<typeof editorHands>;
  readonly #runner: HandsRunner;
  readonly #servers: ToolServers;
  readonly #tools: EditorTools;
  readonly #closing = new AbortController();
  #told = new TurnCursor(() => {});
  #title: string | null;
  #skills: string[] = [];
  /** The turn of the last prompt; null: its message is not stored yet. */
  #turn: { turn_id: string; message_id: string } | null = null;
  /** Aborted when the prompt is canceled, possibly before its message is stored. */
  #cancelling = new AbortController();

  constructor(client: KernelClient, editor: Editor, { chat, models, servers, ...place }: SessionPlace) {
    this.chat = chat;
    this.#title = chat.title;
    this.#client = client;
    this.#stops = new PendingCancels(client);
    this.#editor = editor;
    this.#models = models;
    this.#hands = editorHands({
      ...editor,
      ...place,
      sessionId: chat.id,
      onTerminal: (command, terminalId) => this.#showTerminal(command, terminalId),
    });
    this.#servers = servers;
    const tools = new EditorTools(servers, editor);
    this.#tools = tools;
    this.#runner = new HandsRunner(client, {
      client_name: 'editor',
      whole_calls: true,
      hands: this.#hands,
      get tools() {
        return tools.handlers;
      },
      // Commands in terminals of the editor are not confined.
      sandbox: async () => (editor.capabilities.terminal ? 'none' : sandboxKind(editor.commands)),
      record: new SessionRecord(place.cwd),
      approve: (operation, signal) => this.#approve(operation, signal),
      onError: error => editor.say(`Sending a response failed: ${(error as Error).message}`),
    });
  }

  /**
   * Runs a turn until it ends.
   * @param signal aborted when the editor no longer waits for the answer
   * @throws RequestError, KernelApiError, RetriesExhaustedError; Error with the kernel's message if the turn failed
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    this.#cancelling = new AbortController();
    this.#turn = null;
    this.#told = new TurnCursor(update => this.#tell(update));
    const leaving = AbortSignal.any([signal, this.#closing.signal]);
    const stream = await this.#begin(buildMessage(blocks, this.#skills), leaving);
    if (stream === undefined) return { stopReason: 'cancelled' };
    this.#turn = await stream.started;
    if (this.#cancelling.signal.aborted) await this.cancel();
    let stopReason: StopReason | undefined;
    let failure: string | undefined;
    for await (const event of stream) {
      this.#take(event);
      if (event.type === 'error') failure = event.message;
      if (event.type === 'done') {
        if (event.status === 'failed') throw new Error(failure ?? 'The turn failed.');
        // A newer kernel may send other reasons.
        stopReason = STOPS[event.stop_reason] ?? 'end_turn';
      }
    }
    this.#told.end();
    await this.#tellTitle();
    return { stopReason: stopReason ?? 'cancelled' };
  }

  /** Starts a turn; undefined if it was canceled before. Skips tools of the editor that the kernel rejects. */
  async #begin(
    message: ReturnType<typeof buildMessage>,
    signal: AbortSignal,
  ): Promise<TurnStream | undefined> {
    for (;;) {
      const declared = await this.#tools.declare(AbortSignal.any([signal, this.#cancelling.signal]));
      if (this.#cancelling.signal.aborted) return undefined;
      const questions = Boolean(this.#editor.capabilities.elicitation?.form);
      const request = { ...message, ...this.#runner.turnFields, ...declared, questions };
      const stream = this.#client.turn(this.chat.id, request, {
        signal,
        onConnection: ({ state }) => {
          // Operations that were requested during a disconnection are still waiting.
          if (state === 'open')
            this.#runner.catchUp(this.chat.id).catch(error => this.#editor.say(error.message));
        },
      });
      try {
        await stream.started;
        return stream;
      } catch (error) {
        if (!this.#tools.leavesOut(error)) throw error;
      }
    }
  }

  /** Ends the turn of the prompt. A queued turn is removed together with its message. */
  async cancel(): Promise<void> {
    this.#cancelling.abort();
    if (this.#turn === null) return;
    this.#stops.stop(this.chat.id, Promise.resolve(this.#turn));
    await this.#stops.settled(this.chat.id);
  }

  /** Sends the editor the skills that `/name` can request. */
  async tellCommands(): Promise<void> {
    const { skills } = await this.#client.listSkills({ chat_id: this.chat.id });
    this.#skills = skills.map(({ name }) => name);
    this.#tell({
      sessionUpdate: 'available_commands_update',
      availableCommands: skills.map(({ name, description }) => ({
        name,
        description,
        input: { hint: 'task for the skill' },
      })),
    });
  }

  /** Ends the session on this machine. A running turn continues in the kernel. */
  end(): void {
    this.#closing.abort();
    this.#runner.close();
    void this.#servers.stop();
  }

  #take(event: TurnEvent): void {
    this.#runner.take(this.chat.id, event);
    this.#told.take(event);
    if (event.type === 'usage') this.#tellUsage(event);
    if (event.type === 'image') void this.#tellImage(event).catch(error => this.#editor.say(String(error)));
    if (event.type === 'tool_call' && event.replayed !== true && this.#canAsk(event)) {
      askAll(event, {
        client: this.#client,
        editor: this.#editor.editor,
        chatId: this.chat.id,
        signal: this.#closing.signal,
      }).catch(error => this.#editor.say(`Asking a question failed: ${error.message}`));
    }
  }

  #canAsk(event: EventOf<'tool_call'>): boolean {
    return Boolean(this.#editor.capabilities.elicitation?.form) && listQuestions(event).length > 0;
  }

  async #approve(operation: Operation, signal: AbortSignal): Promise<Choice> {
    const { change, unreadable } = await this.#changeOf(operation);
    const callId = this.#told.callOf(operation.params);
    if (change !== null && callId !== undefined) this.#told.changes(callId, change);
    const answer = await this.#editor.editor.request(
      'session/request_permission',
      {
        sessionId: this.chat.id,
        toolCall: permissionCall(operation, callId, change, unreadable),
        options: optionsFor(operation),
      },
      { cancellationSignal: signal },
    );
    return toChoice(answer, operation);
  }

  /** Describes the change of a write, with the old text if the file exists, or why it cannot be read. */
  async #changeOf(operation: Operation): Promise<{ change: FileChange | null; unreadable?: string }> {
    const { action, params, hands } = operation;
    const change = toFileChange(action, params);
    if (change === null || !change.whole) return { change };
    if (hands === undefined) {
      const context = { signal: this.#closing.signal, progress: () => {} };
      const before = await this.#hands.read({ path: change.path }, context).catch(() => null);
      // The editor writes the content as it is.
      if (before === null || this.#editor.capabilities.fs?.writeTextFile)
        return { change: { ...change, before } };
      return { change: { ...change, before, after: textAfterWrite(operation, change.after, before) } };
    }
    const current = await readCurrentFile(this.#client, operation, this.#closing.signal);
    if (current.state === 'unknown') return { change, unreadable: current.reason };
    if (current.state === 'new') return { change };
    const after = textAfterWrite(operation, change.after, current.text);
    return { change: { ...change, before: current.text, after } };
  }

  #showTerminal(command: string, terminalId: string): void {
    const toolCallId = this.#told.callOf({ command });
    if (toolCallId === undefined) return;
    this.#tell({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      content: [{ type: 'terminal', terminalId }],
    });
  }

  /** Tokens of the last provider request: prompt and response. */
  #tellUsage({ model, prompt_tokens, completion_tokens }: EventOf<'usage'>): void {
    const size = findContextWindow(this.#models, model);
    if (size === undefined) return;
    this.#tell({ sessionUpdate: 'usage_update', used: prompt_tokens + completion_tokens, size });
  }

  async #tellImage({ id, media_type }: EventOf<'image'>): Promise<void> {
    const bytes = await (await this.#client.getImage(id)).bytes();
    const data = Buffer.from(bytes).toString('base64');
    this.#tell({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'image', data, mimeType: media_type },
    });
  }

  /** The kernel generates titles automatically. */
  async #tellTitle(): Promise<void> {
    const { title, updated_at } = await this.#client.getChat(this.chat.id);
    if (title === this.#title) return;
    this.#title = title;
    this.#tell({ sessionUpdate: 'session_info_update', title, updatedAt: updated_at });
  }

  /** Sends updates in the order of the calls; after the editor has disconnected, they are dropped. */
  #tell(update: SessionUpdate): void {
    this.#editor.editor.notify('session/update', { sessionId: this.chat.id, update }).catch(() => {});
  }
}
