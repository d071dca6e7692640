import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/directory.ts';
import { databaseFile, SurfaceStore } from '../../src/surface/index.ts';

const VERSIONS = [
  'CREATE TABLE IF NOT EXISTS word (id INTEGER PRIMARY KEY, text TEXT NOT NULL)',
  "ALTER TABLE word ADD COLUMN language TEXT NOT NULL DEFAULT 'en'",
];

function newFile(): string {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  return databaseFile(join(path, 'data'), 'words.sqlite');
}

function open(file: string, versions = VERSIONS): SurfaceStore {
  const store = new SurfaceStore(file, versions);
  onTestFinished(() => store.close());
  return store;
}
const versionOf = (store: SurfaceStore) => store.get('PRAGMA user_version');

test('creates the newest tables in a new file', () => {
  const store = open(newFile());
  store.run('INSERT INTO word (text) VALUES (?)', 'moon');
  expect(store.all('SELECT * FROM word')).toEqual([{ id: 1, text: 'moon', language: 'en' }]);
  expect(versionOf(store)).toEqual({ user_version: 2 });
});

test('adds a column to an unversioned file and to one of version 1, and keeps their rows', () => {
  const file = newFile();
  const old = new DatabaseSync(file);
  old.exec(
    "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL); INSERT INTO word VALUES (4, 'sun')",
  );
  old.close();
  const first = new SurfaceStore(file, VERSIONS.slice(0, 1));
  expect(versionOf(first)).toEqual({ user_version: 1 });
  expect(first.all('SELECT * FROM word')).toEqual([{ id: 4, text: 'sun' }]);
  first.close();
  const second = open(file);
  expect(second.all('SELECT * FROM word')).toEqual([{ id: 4, text: 'sun', language: 'en' }]);
  expect(versionOf(second)).toEqual({ user_version: 2 });
  expect(versionOf(open(file))).toEqual({ user_version: 2 });
});

test('leaves a file unchanged if a migration fails', () => {
  const file = newFile();
  open(file, VERSIONS.slice(0, 1)).run("INSERT INTO word VALUES (1, 'moon')");
  expect(() => open(file, [...VERSIONS, 'INSERT INTO nowhere VALUES (1)'])).toThrow('nowhere');
  const store = open(file, VERSIONS.slice(0, 1));
  expect(store.all('SELECT * FROM word')).toEqual([{ id: 1, text: 'moon' }]);
});

test('rejects a file that a newer module has written', () => {
  const file = newFile();
  open(file);
  expect(() => open(file, VERSIONS.slice(0, 1))).toThrow(
    `${file} has version 2, and this module knows versions up to 1.`,
  );
});

test('commits a transaction completely or not at all', () => {
  const store = open(newFile());
  const failing = () =>
    store.transaction(() => {
      store.run("INSERT INTO word (text) VALUES ('moon')");
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(store.all('SELECT * FROM word')).toEqual([]);
  expect(store.transaction(() => store.run("INSERT INTO word (text) VALUES ('moon')"))).toBe(1);
});

test('requires a folder name', () => {
  expect(() => databaseFile(null, 'words.sqlite')).toThrow('Set data_dir, or --data DIR.');
});
