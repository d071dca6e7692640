/** The path of the SQLite database. */
import { join } from 'node:path';

export const sqlitePath = (data_dir: string): string => join(data_dir, 'chat-kernel.db');
