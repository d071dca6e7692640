/** Who writes to a SQLite database: one transaction at a time. */
import type { Answer, Statement } from './sqlite-statements.ts';

export interface Writer {
  /**
   * Resolves when it is this transaction's turn; `commit` or `rollback` must follow. False where the writer was closed
   * meanwhile, and another one has its place.
   */
  begin(): Promise<boolean>;
  /** Runs a statement of the transaction whose turn it is. @throws the errors of node:sqlite */
  run(statement: Statement): Promise<Answer>;
  /** Ends the transaction whose turn it is. Resolves once it is on the disk. */
  commit(): Promise<void>;
  /** Takes back what the transaction wrote whose turn it is. */
  rollback(): Promise<void>;
  /** Runs a statement while no transaction is open. False as of `begin`. */
  alone(statement: Statement): Promise<Answer | false>;
  /** Ends with what was asked for before. */
  close(): Promise<void>;
}
