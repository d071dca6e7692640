/** Checks that Node is new enough and its SQLite has full-text search. */
import { DatabaseSync } from 'node:sqlite';
import packageJson from '../../package.json' with { type: 'json' };
import { type Finding, ok, problem } from './finding.ts';

/** First major version of Node that runs TypeScript and includes SQLite. */
const OLDEST_NODE = 24;

export function* checkVersions({ node } = process.versions as { node: string }): Generator<Finding> {
  if (Number.parseFloat(node) < OLDEST_NODE) {
    yield problem(
      'versions',
      `this is Node ${node}; Chat Kernel requires ${OLDEST_NODE} or later`,
      'start it with `npm start`, which uses its own Node, or install a newer one',
    );
  }
  const database = new DatabaseSync(':memory:');
  try {
    const { version } = database.prepare('select sqlite_version() as version').get() as { version: string };
    database.exec('create virtual table words using fts5(word)');
    yield ok('versions', `chat-kernel ${packageJson.version}, Node ${node}, SQLite ${version}`);
  } catch (error) {
    yield problem(
      'versions',
      `this Node's SQLite has no full-text search (${(error as Error).message})`,
      'use the Node that `npm ci` installs',
    );
  } finally {
    database.close();
  }
}
