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
  type ModelList,
  type Operation,
  PendingCancels,
  readCurrentFile,
  type TurnEvent,
  type TurnStream,
  textAfterWrite,
  toFileChange,
} from '@chat-kernel/client';
import { sandboxKind } from '@chat-kernel/hands';
import { findContextWindow } from './choices.ts';
import { editorHands } from './editor-hands.ts';
import { editorTools } from './editor-tools.ts';
import { optionsFor, permissionCall, toChoice } from './permissions.ts';
import { buildMessage } from './prompt.ts';
import { askAll, listQuestions } from './questions.ts';
import { sessionRecord } from './session-record.ts';
import type { Editor, ToolServers } from './tool-servers.ts';
import { turnCursor } from './turn-cursor.ts';

interface SessionPlace {
  chat: Chat;
  /** The editor's folder. */
  cwd: string;
  additionalDirectories: readonly string[];
  models: ModelList;
  /** The editor's MCP servers; they end with the session. */
  servers: ToolServers;
}

/** The kernel's reason → the stop reason of the protocol; `end_turn` for others, also of newer kernels. */
const STOPS: Readonly<Partial<Record<KernelStopReason, StopReason>>> = {
  length: 'max_tokens',
  content_filter: 'refusal',
  cancelled: 'cancelled',
};

export type Session = ReturnType<typeof openSession>;

export function openSession(
  client: KernelClient,
  place: Editor,
  { chat, models, servers, ...folders }: SessionPlace,
) {
  const { editor, capabilities, say } = place;
  const canAskForm = Boolean(capabilities.elicitation?.form);
  const stops = new PendingCancels(client);
  const closing = new AbortController();
  const tools = editorTools(servers, place);
  let { title } = chat;
  let skills: string[] = [];
  let told = turnCursor(() => {});
  /** The turn of the last prompt; null: its message is not stored yet. */
  let turn: { turn_id: string; message_id: string } | null = null;
  /** Aborted when the prompt is canceled, possibly before its message is stored. */
  let cancelling = new AbortController();

  /** Sends updates in the order of the calls; after the editor has disconnected, they are dropped. */
  const tell = (update: SessionUpdate): void => {
    editor.notify('session/update', { sessionId: chat.id, update }).catch(() => {});
  };

  const hands = editorHands({
    ...place,
    ...folders,
    sessionId: chat.id,
    onTerminal(command, terminalId) {
      const toolCallId = told.callOf({ command });
      if (toolCallId === undefined) return;
      tell({ sessionUpdate: 'tool_call_update', toolCallId, content: [{ type: 'terminal', terminalId }] });
    },
  });

  /** Describes the change of a write, with the old text if the file exists, or why it cannot be read. */
  const changeOf = async (
    operation: Operation,
  ): Promise<{ change: FileChange | null; unreadable?: string }> => {
    const change = toFileChange(operation.action, operation.params);
    if (change === null || !change.whole) return { change };
    if (operation.hands === undefined) {
      const context = { signal: closing.signal, progress: () => {} };
      const before = await hands.read({ path: change.path }, context).catch(() => null);
      // The editor writes the content as it is.
      if (before === null || capabilities.fs?.writeTextFile) return { change: { ...change, before } };
      return { change: { ...change, before, after: textAfterWrite(operation, change.after, before) } };
    }
    const current = await readCurrentFile(client, operation, closing.signal);
    if (current.state === 'unknown') return { change, unreadable: current.reason };
    if (current.state === 'new') return { change };
    const after = textAfterWrite(operation, change.after, current.text);
    return { change: { ...change, before: current.text, after } };
  };

  const approve = async (operation: Operation, signal: AbortSignal): Promise<Choice> => {
    const { change, unreadable } = await changeOf(operation);
    const callId = told.callOf(operation.params);
    if (change !== null && callId !== undefined) told.changes(callId, change);
    const toolCall = permissionCall(operation, callId, change, unreadable);
    const answer = await editor.request(
      'session/request_permission',
      { sessionId: chat.id, toolCall, options: optionsFor(operation) },
      { cancellationSignal: signal },
    );
    return toChoice(answer, operation);
  };

  const runner = new HandsRunner(client, {
    client_name: 'editor',
    whole_calls: true,
    hands,
    get tools() {
      return tools.handlers;
    },
    // Commands in terminals of the editor are not confined.
    sandbox: async () => (capabilities.terminal ? 'none' : sandboxKind(place.commands)),
    record: sessionRecord(folders.cwd),
    approve,
    onError: error => say(`Sending a response failed: ${(error as Error).message}`),
  });

  /** Starts a turn; undefined if it was canceled before. Skips tools of the editor that the kernel rejects. */
  const begin = async (
    message: ReturnType<typeof buildMessage>,
    signal: AbortSignal,
  ): Promise<TurnStream | undefined> => {
    for (;;) {
      const declared = await tools.declare(AbortSignal.any([signal, cancelling.signal]));
      if (cancelling.signal.aborted) return undefined;
      const request = { ...message, ...runner.turnFields, ...declared, questions: canAskForm };
      const stream = client.turn(chat.id, request, {
        signal,
        onConnection: ({ state }) => {
          // Operations that were requested during a disconnection are still waiting.
          if (state === 'open') runner.catchUp(chat.id).catch(error => say(error.message));
        },
      });
      try {
        await stream.started;
        return stream;
      } catch (error) {
        if (!tools.leavesOut(error)) throw error;
      }
    }
  };

  const take = (event: TurnEvent): void => {
    runner.take(chat.id, event);
    told.take(event);
    if (event.type === 'usage') tellUsage(event);
    if (event.type === 'image') void tellImage(event).catch(error => say(String(error)));
    if (
      event.type === 'tool_call' &&
      event.replayed !== true &&
      canAskForm &&
      listQuestions(event).length > 0
    )
      askAll(event, { client, editor, chatId: chat.id, signal: closing.signal }).catch(error =>
        say(`Asking a question failed: ${error.message}`),
      );
  };

  /** Tokens of the last provider request: prompt and response. */
  const tellUsage = ({ model, prompt_tokens, completion_tokens }: EventOf<'usage'>): void => {
    const size = findContextWindow(models, model);
    if (size !== undefined)
      tell({ sessionUpdate: 'usage_update', used: prompt_tokens + completion_tokens, size });
  };

  const tellImage = async ({ id, media_type }: EventOf<'image'>): Promise<void> => {
    const bytes = await (await client.getImage(id)).bytes();
    const data = Buffer.from(bytes).toString('base64');
    tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data, mimeType: media_type } });
  };

  /** The kernel generates titles automatically. */
  const tellTitle = async (): Promise<void> => {
    const now = await client.getChat(chat.id);
    if (now.title === title) return;
    title = now.title;
    tell({ sessionUpdate: 'session_info_update', title, updatedAt: now.updated_at });
  };

  /** Ends the turn of the prompt. A queued turn is removed together with its message. */
  const cancel = async (): Promise<void> => {
    cancelling.abort();
    if (turn === null) return;
    stops.stop(chat.id, Promise.resolve(turn));
    await stops.settled(chat.id);
  };

  return {
    chat,
    cancel,

    /**
     * Runs a turn until it ends.
     * @param signal aborted when the editor no longer waits for the answer
     * @throws RequestError, KernelApiError, RetriesExhaustedError; Error with the kernel's message if the turn failed
     */
    async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
      cancelling = new AbortController();
      turn = null;
      told = turnCursor(tell);
      const leaving = AbortSignal.any([signal, closing.signal]);
      const stream = await begin(buildMessage(blocks, skills), leaving);
      if (stream === undefined) return { stopReason: 'cancelled' };
      turn = await stream.started;
      if (cancelling.signal.aborted) await cancel();
      let stopReason: StopReason | undefined;
      let failure: string | undefined;
      for await (const event of stream) {
        take(event);
        if (event.type === 'error') failure = event.message;
        if (event.type === 'done') {
          if (event.status === 'failed') throw new Error(failure ?? 'The turn failed.');
          stopReason = STOPS[event.stop_reason] ?? 'end_turn';
        }
      }
      told.end();
      await tellTitle();
      return { stopReason: stopReason ?? 'cancelled' };
    },

    /** Sends the editor the skills that `/name` can request. */
    async tellCommands(): Promise<void> {
      const known = (await client.listSkills({ chat_id: chat.id })).skills;
      skills = known.map(({ name }) => name);
      const input = { hint: 'task for the skill' };
      const availableCommands = known.map(({ name, description }) => ({ name, description, input }));
      tell({ sessionUpdate: 'available_commands_update', availableCommands });
    },

    /** Ends the session on this machine. A running turn continues in the kernel. */
    end(): void {
      closing.abort();
      runner.close();
      void servers.stop();
    },
  };
}
