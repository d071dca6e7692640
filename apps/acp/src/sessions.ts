/** Manages the sessions of one editor: each is a chat, and has the id of the chat. */
import { isAbsolute } from 'node:path';
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
import { buildConfigOptions, buildModes, isEffort } from './choices.ts';
import { toSessionUpdates } from './history.ts';
import { unusable } from './refusals.ts';
import { openSession, type Session } from './session.ts';
import { type Editor, toToolServers } from './tool-servers.ts';

/** Page size of session/list. */
const PAGE = 50;
/** Chats that are fetched per request while searching for sessions. */
const PAGE_SIZE = 200;
/** Source messages per page when the history is replayed. */
const HISTORY_PAGE = 100;

/** Whether a chat works in a folder on a client. */
const isSession = ({ workdir, workdir_on }: Chat): boolean => workdir !== null && workdir_on === 'client';

/** @throws RequestError if the protocol does not allow the folder */
function checkFolders({
  cwd,
  additionalDirectories = [],
}: Pick<NewSessionRequest, 'cwd' | 'additionalDirectories'>): void {
  for (const [name, path] of [
    ['cwd', cwd],
    ...additionalDirectories.map(each => ['additionalDirectories', each]),
  ]) {
    if (!isAbsolute(path as string)) throw unusable(`${name} must be an absolute path: ${path}`);
  }
}

export type Sessions = ReturnType<typeof openSessions>;

export function openSessions(client: KernelClient, editor: Editor) {
  const sessions = new Map<string, Session>();

  const begin = async (
    chat: Chat,
    { cwd, additionalDirectories = [], mcpServers = [] }: Omit<ResumeSessionRequest, 'sessionId'>,
  ): Promise<LoadSessionResponse> => {
    const models = await client.listModels();
    const { openToolServers, say } = editor;
    const servers = await openToolServers({ servers: toToolServers(mcpServers, cwd, say), say });
    const session = openSession(client, editor, { chat, cwd, additionalDirectories, models, servers });
    sessions.set(chat.id, session);
    // Sent after the response: before it, the editor does not know the session.
    setImmediate(() => session.tellCommands().catch(error => say(`Loading skills failed: ${error.message}`)));
    return { modes: buildModes(chat, models), configOptions: buildConfigOptions(models, chat) };
  };

  const tellHistory = async (sessionId: string): Promise<void> => {
    const pages = [];
    for (let before: string | undefined; ; ) {
      const page = await client.listItems(sessionId, { limit: HISTORY_PAGE, ...(before && { before }) });
      pages.unshift(page.items);
      if (page.next_before === null) break;
      before = page.next_before;
    }
    for (const update of pages.flat().flatMap(toSessionUpdates))
      await editor.editor.notify('session/update', { sessionId, update });
  };

  /** Ends the session on this machine; its chat is kept. */
  const close = (sessionId: string): void => {
    sessions.get(sessionId)?.end();
    sessions.delete(sessionId);
  };

  /** @throws RequestError if the editor has neither created nor loaded it */
  const find = (sessionId: string): Session => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw unusable(`Session ${sessionId} is not open. Load it first.`);
    return session;
  };

  /** Resumes an existing chat without replaying its history. From now on it works in the editor's folder. */
  const resume = async (request: ResumeSessionRequest): Promise<LoadSessionResponse> => {
    checkFolders(request);
    let chat = await client.getChat(request.sessionId);
    if (chat.workdir !== request.cwd || chat.workdir_on !== 'client' || chat.hands !== null) {
      chat = await client.setWorkdir(chat.id, { workdir: request.cwd, workdir_on: 'client' });
    }
    close(chat.id);
    return begin(chat, request);
  };

  return {
    close,
    find,
    resume,

    /** Creates a chat that works in the editor's folder and asks before it acts there. */
    async open(request: NewSessionRequest): Promise<NewSessionResponse> {
      checkFolders(request);
      const chat = await client.createChat({
        workdir: request.cwd,
        workdir_on: 'client',
        consent: 'ask',
      });
      return { sessionId: chat.id, ...(await begin(chat, request)) };
    },

    /** Loads an existing chat and replays its history. */
    async load(request: LoadSessionRequest): Promise<LoadSessionResponse> {
      checkFolders(request);
      const chat = await client.getChat(request.sessionId);
      await tellHistory(chat.id);
      return resume(request);
    },

    /** Lists the chats that work in a folder on a client, newest first. */
    async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
      const here: Chat[] = [];
      // Read one more than a page, to know whether another page follows.
      for (let before = cursor ?? undefined; here.length <= PAGE; ) {
        const page = await client.listChats({ limit: PAGE_SIZE, ...(before && { before }) });
        here.push(...page.chats.filter(chat => isSession(chat) && (!cwd || chat.workdir === cwd)));
        if (page.next_before === null) break;
        before = page.next_before;
      }
      const shown = here.slice(0, PAGE);
      return {
        sessions: shown.map(chat => ({
          sessionId: chat.id,
          cwd: chat.workdir as string,
          title: chat.title,
          updatedAt: chat.updated_at,
        })),
        nextCursor: here.length > PAGE ? shown.at(-1)!.id : null,
      };
    },

    /** Deletes the chat. */
    async delete(sessionId: string): Promise<void> {
      close(sessionId);
      await client.deleteChat(sessionId, { force: true });
    },

    /** Modes are the effort levels. */
    async setMode(sessionId: string, modeId: string): Promise<void> {
      if (!isEffort(modeId)) throw unusable(`Unknown mode: ${modeId}.`);
      await client.patchChat(find(sessionId).chat.id, { effort: modeId });
    },

    /** The only option is the model. */
    async setOption(sessionId: string, configId: string, value: unknown) {
      if (configId !== 'model' || typeof value !== 'string') throw unusable(`Unknown option: ${configId}.`);
      const chat = await client.patchChat(find(sessionId).chat.id, { model: value });
      return { configOptions: buildConfigOptions(await client.listModels(), chat) };
    },

    /** The editor has disconnected. */
    end(): void {
      for (const id of [...sessions.keys()]) close(id);
    },
  };
}
