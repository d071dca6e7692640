/**
 * Checks that a kernel of the previous version survives migrations: after the first version with several kernels they
 * only add.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../src/migrations/migrate.ts';

const folder = join(import.meta.dirname, '../src/migrations');
/** The version that introduced several kernels. */
const FLEET = 18;
/** Migrations that remove what no kernel that can still run uses, each with the version since which that holds. */
const CONTRACTS: Readonly<Record<string, string>> = {};
const files = readdirSync(folder).filter(name => /^\d{4}_/.test(name));

/** Changes that break a running older kernel: it still uses what was removed, and does not know what was added. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'takes something away':
    /\.drop(Table|Column|Index|Constraint|View|Type|Schema|NotNull|Default)\(|\bdrop (table|column|index|constraint|not null|default)\b/i,
  'renames something': /\.rename(To|Column)\(|\brename (to|column)\b/i,
  'changes a column': /\.(alterColumn|modifyColumn|setDataType|setNotNull)\(|\balter column\b/i,
  'rewrites or deletes rows': /\.(updateTable|deleteFrom)\(|\b(truncate|delete from)\b|\bupdate \w+ set\b/i,
};

/** A new column of an existing table must have a value when an older kernel writes the row. */
function columnsWithoutValue(text: string): string[] {
  const alters = text
    .split(/(?=\b(?:alterTable|createTable)\()/)
    .filter(part => part.startsWith('alterTable('));
  const columns = alters.flatMap(part => part.split(/(?=\.addColumn\()/).slice(1));
  return columns.filter(column => /notNull\(\)/.test(column) && !/defaultTo\(/.test(column));
}

test('stores each migration in its own file, by number', () => {
  expect(files.map(name => Number(name.slice(0, 4)))).toEqual(MIGRATIONS.map((_, index) => index + FLEET));
});

test.each(
  files.filter(name => Number(name.slice(0, 4)) >= FLEET && !(name in CONTRACTS)),
)('only adds in %s, so that a kernel of the previous version keeps working', name => {
  const text = readFileSync(join(folder, name), 'utf8');
  for (const [what, pattern] of Object.entries(REFUSED)) expect(pattern.test(text), what).toBe(false);
  expect(columnsWithoutValue(text)).toEqual([]);
});

test('detects forbidden changes', () => {
  const bad = {
    'takes something away': "await schema.alterTable('chats').dropColumn('home').execute();",
    'renames something': 'await sql`alter table chats rename column home to place`.execute(db);',
    'changes a column': "schema.alterTable('chats').alterColumn('home', column => column.setNotNull())",
    'rewrites or deletes rows': "db.updateTable('chats').set({ home: null })",
  };
  for (const [what, text] of Object.entries(bad))
    expect((REFUSED[what] as RegExp).test(text), what).toBe(true);
  const add = (rest: string) =>
    `await schema\n.alterTable('chats')\n.addColumn('x', 'text'${rest})\n.execute();`;
  expect(columnsWithoutValue(add(', column => column.notNull()'))).toHaveLength(1);
  expect(columnsWithoutValue(add(', column => column.notNull().defaultTo(0)'))).toEqual([]);
  expect(columnsWithoutValue(add(''))).toEqual([]);
});
