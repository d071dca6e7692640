/** Tests the record of a module that an earlier version of the kernel has stored. */
import type { ModuleRecord } from '@chat-kernel/kernel';
import { InitializeResult } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { StoredModule } from '../src/hosted/stored-module.ts';

const DECLARED = InitializeResult.parse({
  protocol: 1,
  name: 'parrot',
  version: '1.0.0',
  about: 'birds',
  tools: [],
});
const RECORD: ModuleRecord = {
  name: 'parrot',
  declaration: DECLARED,
  hash: 'by another formula',
  approved_hash: 'by another formula',
  approved_declaration: DECLARED,
  decided_at: '2026-01-01T00:00:00.000Z',
};
const stored = (changes: Partial<ModuleRecord>): StoredModule => {
  const unused = () => Promise.reject(new Error('nothing is stored here'));
  const modules = { list: unused, declare: unused, save: unused };
  const clock = { now: () => 0, after: () => () => {} };
  return new StoredModule({ name: 'parrot', record: { ...RECORD, ...changes }, store: { modules }, clock });
};

test('[MOD-2] keeps an approval after a change of the declaration hash', () => {
  expect(stored({}).approvedAsIs).toBe(true);
  expect(stored({ approved_declaration: null }).approvedAsIs).toBe(true);
  expect(stored({ declaration: { ...DECLARED, version: '2.0.0' } }).approvedAsIs).toBe(true);
});

test('[MOD-2] still asks about a change before the restart, and keeps a revoked module revoked', () => {
  expect(stored({ declaration: { ...DECLARED, about: 'more' } }).approvedAsIs).toBe(false);
  expect(stored({ approved_declaration: null, approved_hash: 'earlier' }).approvedAsIs).toBe(false);
  expect(stored({ approved_hash: null, approved_declaration: null })).toMatchObject({ revoked: true });
});
