/** THE suite of the port Store: what any implementation keeps to, over whichever database. */
import { describe } from 'vitest';
import { Stage, type TestDatabase } from './stage.ts';
import { bookSuite } from './suite/books.ts';
import { chatSuite } from './suite/chats.ts';
import { fileSuite } from './suite/files.ts';
import { idempotencySuite } from './suite/idempotency.ts';
import { imageSuite } from './suite/images.ts';
import { messageSuite } from './suite/messages.ts';
import { migrationSuite } from './suite/migrations.ts';
import { processSuite } from './suite/processes.ts';
import { turnSuite } from './suite/turns.ts';

export function storeSuite(database: TestDatabase): void {
  const stage = new Stage(database);
  describe('Chats', () => chatSuite(stage));
  describe('Messages', () => messageSuite(stage));
  describe('Turns', () => turnSuite(stage));
  describe('Idempotency keys', () => idempotencySuite(stage));
  describe('Books', () => bookSuite(stage));
  describe('Files', () => fileSuite(stage));
  describe('Images', () => imageSuite(stage));
  describe('Processes', () => processSuite(stage));
  describe('Migrations', () => migrationSuite(stage));
}
