/** Stores received updates, the mapping of conversations to chats, and unsent messages. */
import { randomBytes } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import { Chats, SurfaceStore } from '@chat-kernel/module-sdk/surface';
import {
  type Body,
  type Button,
  type Conversation,
  type Mark,
  type Outgoing,
  type Press,
  type ReceivedMessage,
  type RequestIds,
  type RequestRow,
  type Row,
  type TurnRow,
  VERSIONS,
} from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Edits of older messages are ignored. */
const EDIT_WINDOW_MS = DAY_MS;
const KEEP_MS = 30 * DAY_MS;

export class Store extends SurfaceStore {
  readonly #chats = new Chats(this, {
    table: 'conversation',
    key: ['chat_id', 'thread_id'],
    chat: 'kernel_chat',
  });

  constructor(file: string) {
    super(file, VERSIONS);
    const old = Date.now() - KEEP_MS;
    for (const table of ['seen', 'button']) this.run(`DELETE FROM ${table} WHERE at < ?`, old);
    this.run('DELETE FROM said WHERE at < ?', Date.now() - EDIT_WINDOW_MS);
    this.run(`DELETE FROM outgoing WHERE at < ? AND state IN ('sent', 'failed')`, old);
  }

  isSeen(updateId: number): boolean {
    return this.get('SELECT 1 FROM seen WHERE update_id = ?', updateId) !== undefined;
  }

  /** Marks an update and all parts of its turn as handled, together with the result of `work`. */
  markHandled<Result>(updateId: number, work: () => Result): Result {
    return this.transaction(() => {
      const sql =
        'INSERT OR IGNORE INTO seen (update_id, at) SELECT ?1, ?2 UNION SELECT update_id, ?2 FROM part WHERE turn = ?1';
      this.run(sql, updateId, Date.now());
      this.run('DELETE FROM part WHERE turn = ?', updateId);
      return work();
    });
  }

  findChat({ chat_id, thread_id }: Conversation): string | undefined {
    return this.#chats.find(chat_id, thread_id);
  }

  findConversation(kernelChat: string): Conversation | undefined {
    return this.#chats.keyOf(kernelChat);
  }

  bind({ chat_id, thread_id }: Conversation, kernelChat: string): void {
    this.#chats.bind(kernelChat, chat_id, thread_id);
  }

  /** Returns whether this is the first call for this user. */
  recordRefusal(userId: number): boolean {
    return this.run('INSERT OR IGNORE INTO refused (user_id) VALUES (?)', userId) > 0;
  }

  hasMark({ chat_id, thread_id }: Conversation, setMark: Mark): boolean {
    const sql = 'SELECT 1 FROM mark WHERE chat_id = ? AND thread_id = ? AND mark = ?';
    return this.get(sql, chat_id, thread_id, setMark) !== undefined;
  }

  /** Returns whether the mark has changed. */
  mark({ chat_id, thread_id }: Conversation, mark: Mark, on: boolean): boolean {
    const sql = on
      ? 'INSERT OR IGNORE INTO mark (chat_id, thread_id, mark) VALUES (?, ?, ?)'
      : 'DELETE FROM mark WHERE chat_id = ? AND thread_id = ? AND mark = ?';
    return this.run(sql, chat_id, thread_id, mark) > 0;
  }

  /** The text of a message when it last became part of a turn, as sent or as edited. */
  lastReceived({ chat_id }: Conversation, messageId: number): ReceivedMessage | undefined {
    const sql = 'SELECT * FROM said WHERE chat_id = ? AND message_id = ? AND at > ?';
    return this.get(sql, chat_id, messageId, Date.now() - EDIT_WINDOW_MS);
  }

  saveReceived(
    { chat_id }: Conversation,
    message_id: number,
    { update_id, words, file }: ReceivedMessage,
  ): void {
    const sql =
      'INSERT OR REPLACE INTO said (chat_id, message_id, update_id, words, file, at) VALUES (?, ?, ?, ?, ?, ?)';
    this.run(sql, chat_id, message_id, update_id, words, file, Date.now());
  }

  /** Adds another update to a turn; it is marked as handled together with the turn. */
  addPart(turn: number, updateId: number): void {
    this.run('INSERT OR REPLACE INTO part (update_id, turn) VALUES (?, ?)', updateId, turn);
  }

  turn(updateId: number): TurnRow | undefined {
    return this.#turns('WHERE update_id = ?', updateId)[0];
  }

  /** Started turns whose answers are not in the outbox yet. */
  openTurns(): TurnRow[] {
    return this.#turns('WHERE turn_id IS NOT NULL ORDER BY update_id');
  }

  /** Stored messages that, as far as is known, were not posted. */
  unposted(): TurnRow[] {
    return this.#turns('WHERE turn_id IS NULL ORDER BY update_id');
  }

  putTurn(row: Omit<TurnRow, 'turn_id' | 'live_message' | 'taken_at'>): TurnRow {
    this.run(
      'INSERT OR REPLACE INTO turn (update_id, chat_id, thread_id, message_id, kernel_chat, request, taken_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      row.update_id,
      row.chat_id,
      row.thread_id,
      row.message_id,
      row.kernel_chat,
      JSON.stringify(row.request),
      Date.now(),
    );
    return this.turn(row.update_id)!;
  }

  setTurnId(updateId: number, turnId: string): void {
    this.run('UPDATE turn SET turn_id = ? WHERE update_id = ?', turnId, updateId);
  }

  setLiveMessage(updateId: number, messageId: number): void {
    this.run('UPDATE turn SET live_message = ? WHERE update_id = ?', messageId, updateId);
  }

  forgetTurn(updateId: number): void {
    this.run('DELETE FROM turn WHERE update_id = ?', updateId);
  }

  /** Returns the id of the message in the outbox. */
  send({ chat_id, thread_id }: Conversation, body: Body): number {
    const sql = 'INSERT INTO outgoing (chat_id, thread_id, body, at) VALUES (?, ?, ?, ?) RETURNING id';
    return this.get<{ id: number }>(sql, chat_id, thread_id, JSON.stringify(body), Date.now())!.id;
  }

  /** Unsent messages, oldest first. */
  unsent(): Outgoing[] {
    return this.all<OutgoingRow>(
      `SELECT * FROM outgoing WHERE state IN ('waiting', 'sending') ORDER BY id`,
    ).map(parseOutgoing);
  }

  outgoing(id: number): Outgoing | undefined {
    return this.all<OutgoingRow>('SELECT * FROM outgoing WHERE id = ?', id).map(parseOutgoing)[0];
  }

  setSent(id: number, state: Outgoing['state'], messageId: number | null = null): void {
    this.run('UPDATE outgoing SET state = ?, message_id = ? WHERE id = ?', state, messageId, id);
  }

  /** Stores the actions of the buttons, and gives each a token: Telegram allows only 64 bytes for each button. */
  buttons(rows: readonly (readonly Button[])[]): Row[] {
    return rows.map(row =>
      row.map(({ text, press }) => {
        const token = randomBytes(12).toString('base64url');
        this.run(
          'INSERT INTO button (token, press, at) VALUES (?, ?, ?)',
          token,
          JSON.stringify(press),
          Date.now(),
        );
        return { text, callback_data: token };
      }),
    );
  }

  press(token: string): Press | undefined {
    const row = this.get<{ press: string }>('SELECT press FROM button WHERE token = ?', token);
    return row && JSON.parse(row.press);
  }

  hasRequest({ request_id, question, kernel_chat }: RequestIds): boolean {
    const sql = 'SELECT 1 FROM asked WHERE request_id = ? AND question = ? AND kernel_chat = ?';
    return this.get(sql, request_id, question, kernel_chat) !== undefined;
  }

  /** Returns the number of the request; undefined: it was already shown. */
  addRequest(asked: Omit<RequestRow, 'id' | 'open' | 'outgoing'>): number | undefined {
    const sql =
      'INSERT OR IGNORE INTO asked (request_id, question, kernel_chat, text, outgoing) VALUES (?, ?, ?, ?, 0) RETURNING id';
    const { request_id, question, kernel_chat, text } = asked;
    return this.get<{ id: number }>(sql, request_id, question, kernel_chat, text)?.id;
  }

  setShown(getRequest: number, outgoing: number): void {
    this.run('UPDATE asked SET outgoing = ? WHERE id = ?', outgoing, getRequest);
  }

  asked(id: number): RequestRow | undefined {
    return this.get('SELECT * FROM asked WHERE id = ?', id);
  }

  openRequests(): RequestRow[] {
    return this.all<RequestRow>('SELECT * FROM asked WHERE open = 1');
  }

  /** The open request that a message of the bot shows. */
  requestShownIn({ chat_id }: Conversation, messageId: number): RequestRow | undefined {
    const sql =
      'SELECT asked.* FROM asked JOIN outgoing ON outgoing.id = asked.outgoing WHERE asked.open = 1 AND outgoing.chat_id = ? AND outgoing.message_id = ?';
    return this.get(sql, chat_id, messageId);
  }

  closeRequest(id: number): void {
    this.run('UPDATE asked SET open = 0 WHERE id = ?', id);
  }

  #turns(rest: string, ...values: SQLInputValue[]): TurnRow[] {
    return this.all<StoredTurn>(`SELECT * FROM turn ${rest}`, ...values).map(row => ({
      ...row,
      request: JSON.parse(row.request),
    }));
  }
}

type StoredTurn = Omit<TurnRow, 'request'> & { request: string };
type OutgoingRow = Omit<Outgoing, 'body'> & { body: string };

const parseOutgoing = (row: OutgoingRow): Outgoing => ({ ...row, body: JSON.parse(row.body) });
