/** The memory of the surface: what came, which chats belong together, and what is still to be sent. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Asked, Body, Button, Mark, Outgoing, Place, Press, Row, SaidRow, TurnRow } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Edits of what is older do nothing. */
const EDITS_COUNT_MS = DAY_MS;
const KEEP_MS = 30 * DAY_MS;

export class Store {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const old = Date.now() - KEEP_MS;
    for (const table of ['seen', 'button']) this.#run(`DELETE FROM ${table} WHERE at < ?`, old);
    this.#run('DELETE FROM said WHERE at < ?', Date.now() - EDITS_COUNT_MS);
    this.#run(`DELETE FROM outgoing WHERE at < ? AND state IN ('sent', 'failed')`, old);
  }

  /** Runs all of it or nothing. */
  together<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  isSeen(updateId: number): boolean {
    return this.#one('SELECT 1 FROM seen WHERE update_id = ?', updateId) !== undefined;
  }

  /** Notes that an update, with all that are parts of its turn, needs no more work, and what came of it. */
  taken<Result>(updateId: number, work: () => Result): Result {
    return this.together(() => {
      const sql =
        'INSERT OR IGNORE INTO seen (update_id, at) SELECT ?1, ?2 UNION SELECT update_id, ?2 FROM part WHERE turn = ?1';
      this.#run(sql, updateId, Date.now());
      this.#run('DELETE FROM part WHERE turn = ?', updateId);
      return work();
    });
  }

  chatOf({ chat_id, thread_id }: Place): string | undefined {
    const sql = 'SELECT kernel_chat FROM conversation WHERE chat_id = ? AND thread_id = ?';
    return this.#one<{ kernel_chat: string }>(sql, chat_id, thread_id)?.kernel_chat;
  }

  placeOf(kernelChat: string): Place | undefined {
    return this.#one('SELECT chat_id, thread_id FROM conversation WHERE kernel_chat = ?', kernelChat);
  }

  bind({ chat_id, thread_id }: Place, kernelChat: string): void {
    const sql = 'INSERT OR REPLACE INTO conversation (chat_id, thread_id, kernel_chat) VALUES (?, ?, ?)';
    this.#run(sql, chat_id, thread_id, kernelChat);
  }

  /** Returns whether this is the first time. */
  refuses(userId: number): boolean {
    return this.#run('INSERT OR IGNORE INTO refused (user_id) VALUES (?)', userId) > 0;
  }

  marked({ chat_id, thread_id }: Place, mark: Mark): boolean {
    const sql = 'SELECT 1 FROM mark WHERE chat_id = ? AND thread_id = ? AND mark = ?';
    return this.#one(sql, chat_id, thread_id, mark) !== undefined;
  }

  /** Returns whether that changes anything. */
  mark({ chat_id, thread_id }: Place, mark: Mark, on: boolean): boolean {
    const sql = on
      ? 'INSERT OR IGNORE INTO mark (chat_id, thread_id, mark) VALUES (?, ?, ?)'
      : 'DELETE FROM mark WHERE chat_id = ? AND thread_id = ? AND mark = ?';
    return this.#run(sql, chat_id, thread_id, mark) > 0;
  }

  /** What a message said when it became part of a turn, or since its last edit that did. */
  said({ chat_id }: Place, messageId: number): SaidRow | undefined {
    const sql = 'SELECT * FROM said WHERE chat_id = ? AND message_id = ? AND at > ?';
    return this.#one(sql, chat_id, messageId, Date.now() - EDITS_COUNT_MS);
  }

  keepSaid({ chat_id }: Place, message_id: number, { update_id, words, file }: SaidRow): void {
    const sql =
      'INSERT OR REPLACE INTO said (chat_id, message_id, update_id, words, file, at) VALUES (?, ?, ?, ?, ?, ?)';
    this.#run(sql, chat_id, message_id, update_id, words, file, Date.now());
  }

  /** Another update is part of a turn: it is taken with that. */
  addPart(turn: number, updateId: number): void {
    this.#run('INSERT OR REPLACE INTO part (update_id, turn) VALUES (?, ?)', updateId, turn);
  }

  turn(updateId: number): TurnRow | undefined {
    return this.#turns('WHERE update_id = ?', updateId)[0];
  }

  /** The turns that were begun, and whose answers were not handed to the outbox yet. */
  openTurns(): TurnRow[] {
    return this.#turns('WHERE turn_id IS NOT NULL ORDER BY update_id');
  }

  /** The messages that were kept and, as far as anybody knows, not posted. */
  unposted(): TurnRow[] {
    return this.#turns('WHERE turn_id IS NULL ORDER BY update_id');
  }

  putTurn(row: Omit<TurnRow, 'turn_id' | 'live_message' | 'taken_at'>): TurnRow {
    this.#run(
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

  turnBegan(updateId: number, turnId: string): void {
    this.#run('UPDATE turn SET turn_id = ? WHERE update_id = ?', turnId, updateId);
  }

  growsIn(updateId: number, messageId: number): void {
    this.#run('UPDATE turn SET live_message = ? WHERE update_id = ?', messageId, updateId);
  }

  forgetTurn(updateId: number): void {
    this.#run('DELETE FROM turn WHERE update_id = ?', updateId);
  }

  /** Returns the number of the message in the outbox. */
  send({ chat_id, thread_id }: Place, body: Body): number {
    const sql = 'INSERT INTO outgoing (chat_id, thread_id, body, at) VALUES (?, ?, ?, ?) RETURNING id';
    return this.#one<{ id: number }>(sql, chat_id, thread_id, JSON.stringify(body), Date.now())!.id;
  }

  /** What is to be sent, the oldest first. */
  unsent(): Outgoing[] {
    return this.#all(`SELECT * FROM outgoing WHERE state IN ('waiting', 'sending') ORDER BY id`).map(
      outgoingOf,
    );
  }

  outgoing(id: number): Outgoing | undefined {
    return this.#all('SELECT * FROM outgoing WHERE id = ?', id).map(outgoingOf)[0];
  }

  sentAs(id: number, state: Outgoing['state'], messageId: number | null = null): void {
    this.#run('UPDATE outgoing SET state = ?, message_id = ? WHERE id = ?', state, messageId, id);
  }

  /** Stores what the buttons do: Telegram takes 64 bytes with each, so that it gets a word for it. */
  buttons(rows: readonly (readonly Button[])[]): Row[] {
    return rows.map(row =>
      row.map(({ text, press }) => {
        const token = randomBytes(12).toString('base64url');
        this.#run(
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
    const row = this.#one<{ press: string }>('SELECT press FROM button WHERE token = ?', token);
    return row && JSON.parse(row.press);
  }

  /** Returns the number of the request here; undefined: it was shown already. */
  ask(asked: Omit<Asked, 'id' | 'open' | 'outgoing'>): number | undefined {
    const sql =
      'INSERT OR IGNORE INTO asked (request_id, question, kernel_chat, text, outgoing) VALUES (?, ?, ?, ?, 0) RETURNING id';
    const { request_id, question, kernel_chat, text } = asked;
    return this.#one<{ id: number }>(sql, request_id, question, kernel_chat, text)?.id;
  }

  shownIn(asked: number, outgoing: number): void {
    this.#run('UPDATE asked SET outgoing = ? WHERE id = ?', outgoing, asked);
  }

  asked(id: number): Asked | undefined {
    return this.#one('SELECT * FROM asked WHERE id = ?', id);
  }

  openAsked(): Asked[] {
    return this.#all('SELECT * FROM asked WHERE open = 1') as unknown as Asked[];
  }

  /** The open request that a message of the bot shows. */
  askedIn({ chat_id }: Place, messageId: number): Asked | undefined {
    const sql =
      'SELECT asked.* FROM asked JOIN outgoing ON outgoing.id = asked.outgoing WHERE asked.open = 1 AND outgoing.chat_id = ? AND outgoing.message_id = ?';
    return this.#one(sql, chat_id, messageId);
  }

  closeAsked(id: number): void {
    this.#run('UPDATE asked SET open = 0 WHERE id = ?', id);
  }

  close(): void {
    this.#database.close();
  }

  #turns(rest: string, ...values: SQLInputValue[]): TurnRow[] {
    return this.#all(`SELECT * FROM turn ${rest}`, ...values).map(
      row => ({ ...row, request: JSON.parse(row.request as string) }) as unknown as TurnRow,
    );
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#database.prepare(sql).all(...values);
  }

  #one<Result>(sql: string, ...values: SQLInputValue[]): Result | undefined {
    return this.#database.prepare(sql).get(...values) as Result | undefined;
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}

const outgoingOf = (row: Record<string, unknown>): Outgoing =>
  ({ ...row, body: JSON.parse(row.body as string) }) as unknown as Outgoing;
