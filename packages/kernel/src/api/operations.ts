/**
 * Implements operations for the API: the answers of clients to requests, the user's permissions, and reads of files.
 */
import {
  type ApprovalList,
  type BytesFound,
  type BytesRead,
  type FindBytes,
  invalidValue,
  isSecretRead,
  KernelError,
  type OpsProgress,
  type OpsResult,
  type ReadBytes,
  type ReadClientBytes,
  type RequestList,
  type ResolvedRequest,
  type RevokedApprovals,
  type UploadedFile,
} from '@chat-kernel/protocol';
import { ClientHands } from '../client-machine/client-machine.ts';
import { consentTimeouts } from '../client-machine/question.ts';
import {
  type ChatRecord,
  type FilePart,
  type NewRequest,
  OperationError,
  Refused,
  type RequestHandle,
  Unanswered,
} from '../ports/index.ts';
import { OUTSIDE_TURNS } from '../requests/requests.ts';
import { notConnected } from '../standby/machine.ts';
import { clientMachine } from '../turn/machines.ts';
import { requestOpener } from '../turn/request-opener.ts';
import { ApiBase } from './api-base.ts';
import { copyFile } from './copy-file.ts';

export class Operations extends ApiBase {
  /**
   * Accepts a client's answer. The chat is used if several chats have a request with this id. Errors as for
   * `Requests.answer`.
   */
  answer(chatId: string, answer: OpsResult): ResolvedRequest {
    return { ok: true, resolution: this.services.requests.answer(chatId, answer) };
  }

  /** Accepts a snapshot of a client's progress. Errors as for `Requests.answer`. */
  showProgress(chatId: string, progress: OpsProgress): { ok: true } {
    this.services.requests.progress(chatId, progress);
    return { ok: true };
  }

  /** Whether a request with this id was opened by this kernel. */
  has(id: string): boolean {
    return this.services.requests.has(id);
  }

  /** The id of another kernel on the same database that opened a request with this id; undefined if none is known. */
  holderOf(id: string): string | undefined {
    return this.services.events.holderOf(id);
  }

  /** The open requests of one chat or of all. */
  pending(chatId?: string): RequestList {
    const all = this.services.requests.pending();
    return { requests: chatId === undefined ? all : all.filter(({ chat_id }) => chat_id === chatId) };
  }

  /** The lasting permissions (OP-14). */
  approvals(): ApprovalList {
    return { approvals: this.services.machines.grants.list() };
  }

  /** Revokes one permission, or all. @throws KernelError not_found for an unknown id */
  async revoke(id?: string): Promise<RevokedApprovals> {
    const revoked = await this.services.machines.grants.revoke(id);
    if (id !== undefined && revoked === 0)
      throw new KernelError('not_found', 'There is no approval with this id.');
    return { revoked };
  }

  /**
   * Reads a piece of a file on the kernel's machine (OP-12).
   * @throws KernelError forbidden_path, not_found, invalid_value
   */
  async readBytes(range: ReadBytes): Promise<BytesRead> {
    return encoded(await this.services.machines.local.readBytes(range));
  }

  /**
   * Reads a piece of a file on the machine of the client whose turn is open in the chat (OP-12); its owner may be
   * asked.
   * @param gone aborted when the caller has disconnected: a question to the owner is then closed
   * @throws KernelError no_client, forbidden_path (denied by its owner), invalid_value (with the answer of the client),
   * unknown_request
   */
  async readClientBytes(
    chatId: string,
    { request, ...range }: ReadClientBytes,
    gone?: AbortSignal,
  ): Promise<BytesRead> {
    if (request !== undefined) return encoded(await this.#readForDialog(chatId, request, range, gone));
    return encoded(await this.#asking(chatId, gone, hands => hands.readBytes(range)));
  }

  /**
   * Copies a file of the working directory to the uploads, during a turn of the master (CONSENT-14). Parameters and
   * errors as for `copyFile` and `readClientBytes`.
   */
  async copyFile(chatId: string, path: string, maxBytes: number, gone: AbortSignal): Promise<UploadedFile> {
    const chat = await this.chats.get(chatId);
    const turn = this.turns.queues.open(chatId);
    const opener = turn && requestOpener(turn, this.services);
    const request = opener && askedFor(gone, opener);
    return answered(copyFile(path, maxBytes, { chat, turn, request }, this.services));
  }

  /** Finds bytes in a file on that machine. Errors as for `readClientBytes`. */
  findClientBytes(chatId: string, { data, ...search }: FindBytes, gone?: AbortSignal): Promise<BytesFound> {
    const wanted = { ...search, data: Buffer.from(data, 'base64') };
    return this.#asking(chatId, gone, hands => hands.findBytes(wanted));
  }

  /**
   * Reads the file that an open request would write, on the machine that would write it, so that the owner sees what
   * changes. That must not need another question, so a secret place is refused (WEB-16).
   */
  async #readForDialog(
    chatId: string,
    id: string,
    range: ReadBytes,
    gone: AbortSignal | undefined,
  ): Promise<FilePart> {
    const chat = await this.chats.get(chatId);
    const hands = this.#machineOfWrite(chatId, id, range.path);
    if (hands === undefined) {
      const detail = 'There is no open request to write this file on a connected machine.';
      throw new KernelError('unknown_request', detail);
    }
    if (isSecretRead('read_bytes', range.path, this.services.settings.tools.secret_paths))
      throw new KernelError('forbidden_path', 'This is a place for keys and passwords.');
    // The path of the request counts, whatever directory the chat has by now.
    const place = { ...chat, workdir: null };
    return this.#atStandBy(place, hands, gone, machine => machine.readBytes(range, { silent: true }));
  }

  #machineOfWrite(chatId: string, id: string, path: string): string | undefined {
    const event = this.pending(chatId).requests.find(request => request.id === id)?.event;
    if (event?.type !== 'consent_request' || event.action !== 'write') return undefined;
    return event.path === path && typeof event.hands === 'string' ? event.hands : undefined;
  }

  async #asking<Answer>(
    chatId: string,
    gone: AbortSignal | undefined,
    work: (hands: ClientHands) => Promise<Answer>,
  ): Promise<Answer> {
    const chat = await this.chats.get(chatId);
    const turn = this.turns.queues.withHands(chatId);
    if (turn === undefined && chat.hands !== null) return this.#atStandBy(chat, chat.hands, gone, work);
    // A directory of the kernel's machine has no meaning on the client's, so the client chooses the start of relative
    // paths.
    const place = { ...chat, workdir: chat.workdir_on === 'client' ? chat.workdir : null };
    const request = turn && askedFor(gone, requestOpener(turn, this.services));
    const hands = turn && clientMachine(turn, () => place, this.services, { request });
    if (!hands)
      throw new KernelError('no_client', 'No client that can run operations has an open turn in this chat.');
    return answered(work(hands));
  }

  /** The same on the machine that the chat names, while it is connected, with or without a turn. */
  #atStandBy<Answer>(
    chat: ChatRecord,
    name: string,
    gone: AbortSignal | undefined,
    work: (hands: ClientHands) => Promise<Answer>,
  ): Promise<Answer> {
    const { requests, machines, settings } = this.services;
    const { standby, grants } = machines;
    if (!standby.isHere(name)) throw new KernelError('no_client', notConnected(name));
    const asking = { ...OUTSIDE_TURNS, chat_id: chat.id };
    const hands = new ClientHands({
      chat: () => chat,
      client_id: undefined,
      standby: standby.named(name),
      trusted: true,
      outside: () => [],
      secret_paths: settings.tools.secret_paths,
      grants,
      timeout_secs: settings.requests.client_op_timeout_secs,
      consent: consentTimeouts(settings.requests, {}),
      request: askedFor(gone, opening => requests.open(asking, opening)),
    });
    return answered(work(hands));
  }
}

/** Converts errors of a machine to errors of the API. */
async function answered<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) throw new KernelError('forbidden_path', error.message);
    if (error instanceof Unanswered) throw new KernelError('no_client', error.message);
    if (error instanceof OperationError)
      throw invalidValue('/path', `The client reported an error: ${error.message}`);
    throw error;
  }
}

type Ask = (opening: NewRequest) => RequestHandle;

/** Ends requests when the caller has disconnected, so that no obsolete dialog stays open. */
const askedFor =
  (gone: AbortSignal | undefined, ask: Ask): Ask =>
  opening => {
    const open = ask(opening);
    if (gone?.aborted) open.end();
    gone?.addEventListener('abort', () => open.end(), { once: true });
    return open;
  };

const encoded = ({ total, data }: FilePart): BytesRead => ({
  total,
  data: Buffer.from(data).toString('base64'),
});
