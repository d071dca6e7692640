/** A session of an editor: its prompts become turns of the chat, in which the editor's machine acts. */
import type { ContentBlock, PromptResponse, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import {
  type Chat,
  type Choice,
  changeOf,
  type EventOf,
  type FileChange,
  HandsRunner,
  type KernelClient,
  type Operation,
  Stops,
  type TurnEvent,
  type TurnStream,
} from '@chat-kernel/client';
import { type Models, windowOf } from './choices.ts';
import type { Editor } from './editor.ts';
import { editorHands } from './editor-hands.ts';
import { EditorTools } from './editor-tools.ts';
import { choiceOf, optionsFor, permissionCall } from './permissions.ts';
import { messageOf } from './prompt.ts';
import { askAll, questionsOf } from './questions.ts';
import { SessionRecord } from './session-record.ts';
import { ToldTurn } from './told.ts';
import type { ToolServers } from './tool-servers.ts';

interface SessionPlace {
  chat: Chat;
  /** The editor's folder. */
  cwd: string;
  additionalDirectories: readonly string[];
  models: Models;
  /** The editor's MCP servers; they end with the session. */
  servers: ToolServers;
}

/** Why the model stopped → what the protocol has for it; all else is `end_turn`. */
const STOPS: Readonly<Record<string, StopReason>> = { max_tokens: 'max_tokens', refusal: 'refusal' };

export class Session {
  readonly chat: Chat;
  readonly #client: KernelClient;
  readonly #stops: Stops;
  readonly #editor: Editor;
  readonly #models: Models;
  readonly #hands: ReturnType<typeof editorHands>;
  readonly #runner: HandsRunner;
  readonly #servers: ToolServers;
  readonly #tools: EditorTools;
  readonly #closing = new AbortController();
  #told = new ToldTurn(() => {});
  #title: string | null;
  #skills: string[] = [];
  /** The turn of the last prompt; null: its message is not stored yet. */
  #turn: { turn_id: string; message_id: string } | null = null;
  /** Aborted when the prompt is cancelled, which may be before its message is stored. */
  #cancelling = new AbortController();

  constructor(client: KernelClient, editor: Editor, { chat, models, servers, ...place }: SessionPlace) {
    this.chat = chat;
    this.#title = chat.title;
    this.#client = client;
    this.#stops = new Stops(client);
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
      hands: this.#hands,
      get tools() {
        return tools.handlers;
      },
      record: new SessionRecord(place.cwd),
      approve: (operation, signal) => this.#approve(operation, signal),
      onError: error => editor.say(`an answer was not taken: ${(error as Error).message}`),
    });
  }

  /**
   * Runs a turn to its end. @param signal aborted when the editor wants no answer any more
   * @throws RequestError, KernelApiError, ConnectionLost; Error with the kernel's sentence where the turn failed
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    this.#cancelling = new AbortController();
    this.#turn = null;
    this.#told = new ToldTurn(update => this.#tell(update));
    const leaving = AbortSignal.any([signal, this.#closing.signal]);
    const stream = await this.#begin(messageOf(blocks, this.#skills), leaving);
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
        stopReason = event.status === 'cancelled' ? 'cancelled' : (STOPS[event.stop_reason] ?? 'end_turn');
      }
    }
    this.#told.end();
    await this.#tellTitle();
    return { stopReason: stopReason ?? 'cancelled' };
  }

  /** Begins a turn; undefined where it was cancelled before. A tool of the editor that the kernel refuses is left out of it. */
  async #begin(message: ReturnType<typeof messageOf>, signal: AbortSignal): Promise<TurnStream | undefined> {
    for (;;) {
      const declared = await this.#tools.declare(AbortSignal.any([signal, this.#cancelling.signal]));
      if (this.#cancelling.signal.aborted) return undefined;
      const questions = Boolean(this.#editor.capabilities.elicitation?.form);
      const request = { ...message, ...this.#runner.turnFields, ...declared, questions };
      const stream = this.#client.turn(this.chat.id, request, {
        signal,
        onConnection: ({ state }) => {
          // Operations that were asked for while there was no connection still wait.
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

  /** Ends the turn of the prompt; one that waits behind others is taken back with its message. */
  async cancel(): Promise<void> {
    this.#cancelling.abort();
    if (this.#turn === null) return;
    this.#stops.stop(this.chat.id, Promise.resolve(this.#turn));
    await this.#stops.settled(this.chat.id);
  }

  /** Tells the editor which skills `/name` asks for. */
  async tellCommands(): Promise<void> {
    const { skills } = await this.#client.listSkills({ chat_id: this.chat.id });
    this.#skills = skills.map(({ name }) => name);
    this.#tell({
      sessionUpdate: 'available_commands_update',
      availableCommands: skills.map(({ name, description }) => ({
        name,
        description,
        input: { hint: 'what it is to do' },
      })),
    });
  }

  /** Ends what is done here; a turn that runs goes on in the kernel. */
  end(): void {
    this.#closing.abort();
    this.#runner.close();
    void this.#servers.stop();
  }

  #take(event: TurnEvent): void {
    this.#runner.take(this.chat.id, event);
    this.#told.take(event);
    if (event.type === 'usage' && event.agent === undefined) this.#tellUsage(event);
    if (event.type === 'image') void this.#tellImage(event).catch(error => this.#editor.say(String(error)));
    if (event.type === 'tool_call' && event.replayed !== true && this.#canAsk(event)) {
      askAll(event, {
        client: this.#client,
        editor: this.#editor.editor,
        chatId: this.chat.id,
        signal: this.#closing.signal,
      }).catch(error => this.#editor.say(`a question could not be asked: ${error.message}`));
    }
  }

  #canAsk(event: EventOf<'tool_call'>): boolean {
    return Boolean(this.#editor.capabilities.elicitation?.form) && questionsOf(event).length > 0;
  }

  async #approve(operation: Operation, signal: AbortSignal): Promise<Choice> {
    const change = await this.#changeOf(operation);
    const callId = this.#told.callOf(operation.params);
    if (change !== null && callId !== undefined) this.#told.changes(callId, change);
    const answer = await this.#editor.editor.request(
      'session/request_permission',
      {
        sessionId: this.chat.id,
        toolCall: permissionCall(operation, callId, change),
        options: optionsFor(operation),
      },
      { cancellationSignal: signal },
    );
    return choiceOf(answer, operation);
  }

  /** What a write changes in its file, the old text read where there is one. */
  async #changeOf({ action, params, hands }: Operation): Promise<FileChange | null> {
    const change = changeOf(action, params);
    if (change === null || hands !== undefined) return change;
    const context = { signal: this.#closing.signal, progress: () => {} };
    const before = await this.#hands.read({ path: change.path }, context).catch(() => null);
    return { ...change, before };
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

  /** Tokens of the last trip: what the model has been told so far, and has said. */
  #tellUsage({ model, prompt_tokens, completion_tokens }: EventOf<'usage'>): void {
    const size = windowOf(this.#models, model);
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

  /** Chats get their titles by themselves. */
  async #tellTitle(): Promise<void> {
    const { title, updated_at } = await this.#client.getChat(this.chat.id);
    if (title === this.#title) return;
    this.#title = title;
    this.#tell({ sessionUpdate: 'session_info_update', title, updatedAt: updated_at });
  }

  /** In the order of the calls; an editor that has hung up hears no more. */
  #tell(update: SessionUpdate): void {
    this.#editor.editor.notify('session/update', { sessionId: this.chat.id, update }).catch(() => {});
  }
}
