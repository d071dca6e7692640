/** The interface of a writer for a SQLite database: one transaction at a time. */
import type { Answer, Statement } from './sqlite-statements.ts';

export interface Writer {
  /**
   * Resolves when it is this transaction's turn; `commit` or `rollback` must follow. False if the writer was closed in
   * the meantime and another one has replaced it.
   */
  begin(): Promise<boolean>;
  /** Runs a statement of the active transaction. @throws the errors of node:sqlite */
  run(statement: Statement): Promise<Answer>;
  /** Commits the active transaction. Resolves once it is on the disk. */
  commit(): Promise<void>;
  /** Rolls back the active transaction. */
  rollback(): Promise<void>;
  /** Runs a statement while no transaction is open. False as in `begin`. */
  alone(statement: Statement): Promise<Answer | false>;
  /** Ends after all earlier requests. */
  close(): Promise<void>;
}
