/**
 * Reports unreadable rows, which the disk or a manual edit has damaged. The functions that decode rows have no log, so
 * each report is sent through a channel to the stores of this process.
 */
import { channel } from 'node:diagnostics_channel';

const CHANNEL = 'chat-kernel:unreadable-row';
const reports = channel(CHANNEL);

export interface UnreadableRow {
  table: string;
  id: string;
}

export const reportUnreadable = (table: string, id: string): void =>
  reports.publish({ table, id } satisfies UnreadableRow);

/** Decodes rows. Leaves out those with damaged JSON, and reports them: the others stay usable. */
export function decodeReadable<Row, Value>(
  table: string,
  rows: readonly Row[],
  decode: (row: Row) => Value,
  idOf: (row: Row) => string,
): Value[] {
  return rows.flatMap(row => {
    try {
      return [decode(row)];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      reportUnreadable(table, idOf(row));
      return [];
    }
  });
}

/** Calls back at each report. Returns the function to unsubscribe. */
export function onUnreadable(callback: (row: UnreadableRow) => void): () => void {
  const listener = (row: unknown) => callback(row as UnreadableRow);
  reports.subscribe(listener);
  return () => void reports.unsubscribe(listener);
}
