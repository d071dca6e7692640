/**
 * Operates the machine of a client with hands: every method sends a client_op, which the client executes (OP-1 to
 * OP-7).
 */
import { isSecretRead, type OpsResult, sandboxException } from '@chat-kernel/protocol';
import {
  type ByteRange,
  type Clock,
  type CommandAnswer,
  type FilePart,
  type FolderReader,
  type Hands,
  type Level,
  type MachineFile,
  type NotedEdit,
  type ProjectFiles,
  Unanswered,
  type UndoMode,
} from '../ports/index.ts';
import { answerText, commandAnswer, shapedAnswer } from './answers.ts';
import { askOwner, NO_ANSWER } from './ask-owner.ts';
import { pathThere } from './client-path.ts';
import type { ApprovalContext } from './question.ts';

const LIST_UP_SECS = 10;
const BYTES_SECS = 60;

interface Waiting {
  timeout_secs?: number;
  /** See `isSilent` of ConsentFacts. */
  silent?: boolean;
}

export class ClientHands implements Hands {
  readonly #asking: ApprovalContext;

  constructor(asking: ApprovalContext) {
    this.#asking = asking;
  }

  async read(path: string, waiting: Waiting = {}): Promise<string> {
    return answerText(await this.#ask('read', { path: this.#there(path) }, waiting));
  }

  async write(path: string, content: string, { exact = false }: { exact?: boolean } = {}): Promise<string> {
    const params = { path: this.#there(path), content, ...(exact && { exact }) };
    return answerText(await this.#ask('write', params));
  }

  async shell(
    command: string,
    { timeout_secs: wanted, ...exceptions }: Parameters<Hands['shell']>[1],
  ): Promise<CommandAnswer> {
    const { workdir } = this.#asking.chat();
    // The setting is a limit: the model can shorten the timeout of a command, but not extend it.
    const timeout_secs = Math.min(wanted, this.#asking.timeout_secs);
    const params = { command, ...(workdir !== null && { workdir }), timeout_secs, ...exceptions };
    return commandAnswer(await this.#ask('shell', params));
  }

  async readBytes(
    { path, offset, size }: ByteRange,
    { silent = false }: Pick<Waiting, 'silent'> = {},
  ): Promise<FilePart> {
    const params = { path: this.#there(path), offset, size };
    const answer = await this.#ask('read_bytes', params, { timeout_secs: BYTES_SECS, silent });
    const { total, data } = shapedAnswer('read_bytes', answer);
    return { total, data: Buffer.from(data, 'base64') };
  }

  async writeBytes(
    { path, offset, data, truncate }: Parameters<Hands['writeBytes']>[0],
    { silent = false }: Pick<Waiting, 'silent'> = {},
  ): Promise<number> {
    const params = {
      path: this.#there(path),
      offset,
      data: Buffer.from(data).toString('base64'),
      truncate,
    };
    const answer = await this.#ask('write_bytes', params, { timeout_secs: BYTES_SECS, silent });
    return shapedAnswer('write_bytes', answer).total;
  }

  async findBytes({ path, data, offset, limit }: Parameters<Hands['findBytes']>[0]) {
    const pattern = Buffer.from(data).toString('base64');
    const params = { path: this.#there(path), data: pattern, offset, limit };
    const answer = await this.#ask('find_bytes', params, { timeout_secs: BYTES_SECS });
    return shapedAnswer('find_bytes', answer);
  }

  async listUp(
    directory: string,
    names: readonly string[],
    { timeout_secs = LIST_UP_SECS }: Pick<Waiting, 'timeout_secs'> = {},
  ): Promise<Level[]> {
    const params = { path: this.#there(directory), names: [...names] };
    const answer = await this.#ask('list_up', params, { timeout_secs, silent: true });
    return shapedAnswer('list_up', answer).dirs;
  }

  /**
   * Previews or undoes edits that were made on that machine (UNDO-2).
   * @param edits the edits, oldest first
   */
  async undo(mode: UndoMode, edits: readonly NotedEdit[], waiting: Waiting): Promise<MachineFile[]> {
    const requested = edits.map(({ op_id, turn_id, path }) => ({ op_id, turn_id, path }));
    return shapedAnswer('undo', await this.#ask('undo', { mode, edits: requested }, waiting)).files;
  }

  /**
   * The same machine for the files of a project (OP-11). The user is not asked about them, because they are written for
   * models, and a turn waits for them at most 10 seconds in total.
   */
  project(clock: Clock): ProjectFiles & FolderReader {
    const until = clock.now() + LIST_UP_SECS * 1000;
    const waiting = (): { timeout_secs: number; silent: true } => {
      const left = until - clock.now();
      if (left <= 0) throw new Unanswered(NO_ANSWER);
      return { timeout_secs: left / 1000, silent: true };
    };
    return {
      listUp: async (directory, names) => this.listUp(directory, names, waiting()),
      read: async path => this.read(path, waiting()),
      listDir: async path => {
        const answer = await this.#ask('list_dir', { path: this.#there(path) }, waiting());
        return shapedAnswer('list_dir', answer).entries;
      },
    };
  }

  #there(path: string): string {
    return pathThere(this.#asking.chat().workdir, path);
  }

  #ask(
    action: string,
    params: Record<string, unknown>,
    { timeout_secs = this.#asking.timeout_secs, silent = false }: Waiting = {},
  ): Promise<OpsResult> {
    const isSecret = isSecretRead(action, params.path, this.#asking.secret_paths);
    const exception = sandboxException(params);
    return askOwner(this.#asking, {
      action,
      params,
      on: 'client',
      timeout_secs,
      target: isSecret ? String(params.path) : exception,
      facts: {
        isSilent: silent,
        isSecret,
        isOutsideSandbox: exception === 'outside_sandbox',
        isProtected: exception === 'protected',
      },
    });
  }
}
