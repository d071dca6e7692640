/** The sessions of one editor: each is a chat, whose id is the session's. */
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import type { Chat, KernelClient } from '@chat-kernel/client';
import { isEffort, modesOf, optionsOf } from './choices.ts';
import type { Editor } from './editor.ts';
import { updatesOf } from './history.ts';
import { unusable } from './refusals.ts';
import { Session } from './session.ts';
import { serversOf } from './tool-servers.ts';

/** Chats of one answer to session/list. */
const PAGE = 50;
/** Source messages of one page of the history that is told. */
const HISTORY_PAGE = 100;

export class Sessions {
  readonly #client: KernelClient;
  readonly #editor: Editor;
  readonly #sessions = new Map<string, Session>();

  constructor(client: KernelClient, editor: Editor) {
    this.#client = client;
    this.#editor = editor;
  }

  /** A new chat, which works in the editor's folder and asks before it acts there. */
  async open(request: NewSessionRequest): Promise<NewSessionResponse> {
    const chat = await this.#client.createChat({
      workdir: request.cwd,
      workdir_on: 'client',
      consent: 'ask',
    });
    return { sessionId: chat.id, ...(await this.#begin(chat, request)) };
  }

  /** A chat that is there, its history told first. */
  async load(request: LoadSessionRequest): Promise<LoadSessionResponse> {
    const chat = await this.#client.getChat(request.sessionId);
    await this.#tellHistory(chat.id);
    return this.resume(request);
  }

  /** A chat that is there, its history not told. From now on it works in the editor's folder. */
  async resume(request: ResumeSessionRequest): Promise<LoadSessionResponse> {
    let chat = await this.#client.getChat(request.sessionId);
    if (chat.workdir !== request.cwd || chat.workdir_on !== 'client' || chat.hands !== null) {
      chat = await this.#client.setWorkdir(chat.id, { workdir: request.cwd, workdir_on: 'client' });
    }
    this.close(chat.id);
    return this.#begin(chat, request);
  }

  /** Chats that work in a folder of a client, the newest first. */
  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { chats, next_before } = await this.#client.listChats({
      limit: PAGE,
      ...(cursor && { before: cursor }),
    });
    const here = chats.filter(
      ({ workdir, workdir_on }) => workdir !== null && workdir_on === 'client' && (!cwd || workdir === cwd),
    );
    return {
      sessions: here.map(chat => ({
        sessionId: chat.id,
        cwd: chat.workdir as string,
        title: chat.title,
        updatedAt: chat.updated_at,
      })),
      nextCursor: next_before,
    };
  }

  /** Ends what the session does on this machine; its chat stays. */
  close(sessionId: string): void {
    this.#sessions.get(sessionId)?.end();
    this.#sessions.delete(sessionId);
  }

  /** Deletes the chat. */
  async delete(sessionId: string): Promise<void> {
    this.close(sessionId);
    await this.#client.deleteChat(sessionId, { force: true });
  }

  /** Modes are how hard the model thinks. */
  async setMode(sessionId: string, modeId: string): Promise<void> {
    if (!isEffort(modeId)) throw unusable(`There is no mode ${modeId}.`);
    await this.#client.patchChat(this.find(sessionId).chat.id, { effort: modeId });
  }

  /** The only option is the model. */
  async setOption(sessionId: string, configId: string, value: unknown) {
    if (configId !== 'model' || typeof value !== 'string') throw unusable(`There is no option ${configId}.`);
    const session = this.find(sessionId);
    const chat = await this.#client.patchChat(session.chat.id, { model: value });
    return { configOptions: optionsOf(await this.#client.listModels(), chat) };
  }

  /** @throws RequestError where the editor has neither opened nor loaded it */
  find(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw unusable(`There is no open session ${sessionId}: load it first.`);
    return session;
  }

  /** The editor has gone. */
  end(): void {
    for (const id of [...this.#sessions.keys()]) this.close(id);
  }

  async #begin(
    chat: Chat,
    { cwd, additionalDirectories = [], mcpServers = [] }: Omit<ResumeSessionRequest, 'sessionId'>,
  ): Promise<LoadSessionResponse> {
    const models = await this.#client.listModels();
    const { openToolServers, say } = this.#editor;
    const servers = await openToolServers({ servers: serversOf(mcpServers, cwd, say), say });
    const place = { chat, cwd, additionalDirectories, models, servers };
    const session = new Session(this.#client, this.#editor, place);
    this.#sessions.set(chat.id, session);
    // After the answer: an editor does not know the session before.
    setImmediate(() =>
      session.tellCommands().catch(error => this.#editor.say(`skills are not known: ${error.message}`)),
    );
    return { modes: modesOf(chat, models), configOptions: optionsOf(models, chat) };
  }

  async #tellHistory(sessionId: string): Promise<void> {
    const pages = [];
    for (let before: string | undefined; ; ) {
      const page = await this.#client.listItems(sessionId, {
        limit: HISTORY_PAGE,
        ...(before && { before }),
      });
      pages.unshift(page.items);
      if (page.next_before === null) break;
      before = page.next_before;
    }
    for (const item of pages.flat()) {
      for (const update of updatesOf(item)) {
        await this.#editor.editor.notify('session/update', { sessionId, update });
      }
    }
  }
}
