/** Defines the suite of the port Store, for any implementation over any database. */
import { describe } from 'vitest';
import { Stage } from './stage.ts';
import { approvalSuite } from './suite/approvals.ts';
import { chatWriteSuite } from './suite/chat-writes.ts';
import { chatSuite } from './suite/chats.ts';
import { closingSuite } from './suite/closing.ts';
import { fileSuite } from './suite/files.ts';
import { forkSuite } from './suite/forks.ts';
import { handsSuite } from './suite/hands.ts';
import { idempotencySuite } from './suite/idempotency.ts';
import { imageSuite } from './suite/images.ts';
import { messageSuite } from './suite/messages.ts';
import { migrationSuite } from './suite/migrations.ts';
import { moduleSuite } from './suite/modules.ts';
import { personSuite } from './suite/persons.ts';
import { searchSuite } from './suite/search.ts';
import { sleepSuite } from './suite/sleep.ts';
import { spendSuite } from './suite/spend.ts';
import { triageSuite } from './suite/triage.ts';
import { turnSuite } from './suite/turns.ts';
import { versionSuite } from './suite/versions.ts';

export function storeSuite(): void {
  const stage = new Stage();
  describe('Chats', () => chatSuite(stage));
  describe('Messages', () => messageSuite(stage));
  describe('Turns', () => turnSuite(stage));
  describe('Versions', () => versionSuite(stage));
  describe('Writes to a chat', () => chatWriteSuite(stage));
  describe('Forks', () => forkSuite(stage));
  describe('Search', () => searchSuite(stage));
  describe('Sleep', () => sleepSuite(stage));
  describe('Idempotency keys', () => idempotencySuite(stage));
  describe('Spend', () => spendSuite(stage));
  describe('Files', () => fileSuite(stage));
  describe('Images', () => imageSuite(stage));
  describe('Approvals', () => approvalSuite(stage));
  describe('Modules', () => moduleSuite(stage));
  describe('Persons', () => personSuite(stage));
  describe('Machines in standby', () => handsSuite(stage));
  describe('Triage', () => triageSuite(stage));
  describe('Closing', () => closingSuite(stage));
  describe('Migrations', () => migrationSuite(stage));
}
