/** The one store, over whichever database was opened: here methods become transactions; the nouns know the SQL. */
import type { Clock, FileRecord, ImageRecord, Log, Store } from '@chat-kernel/kernel';
import { BookRemovals, leftBooks } from './books/book-removals.ts';
import * as shelves from './books/books.ts';
import { type ByteFiles, isByteId } from './bytes/byte-files.ts';
import { type Place, sweepBytes } from './bytes/stored-bytes.ts';
import * as approvals from './chats/approvals.ts';
import * as chats from './chats/chat-rows.ts';
import { writeChat } from './chats/chat-write.ts';
import * as files from './chats/files.ts';
import { forkChat } from './chats/forks.ts';
import { forgetKeys, KEY_LIFETIME_MS } from './chats/idempotency-keys.ts';
import * as images from './chats/images.ts';
import * as messages from './chats/messages.ts';
import * as turns from './chats/turns.ts';
import type { Database, SearchIndex } from './database/database.ts';
import { listModules, saveModule } from './extensions/modules.ts';
import * as persons from './extensions/persons.ts';
import { addTriage, readTriage } from './extensions/triage.ts';
import { searchBooks } from './search/book-search.ts';
import { search } from './search/message-search.ts';
import { readKernelSleep, writeKernelSleep } from './sleep/kernel-sleep.ts';
import * as spending from './spend/spend.ts';
import { addByDay, readByDay } from './spend/spend-by-day.ts';
import type { Db, Folder } from './tables/schema.ts';
import * as subscriptions from './videos/subscriptions.ts';
import * as videos from './videos/videos.ts';

const UPKEEP_MS = 60_000;

/** What the store is made of; `close` gives it all back. */
export interface StoreParts {
  database: Database;
  images: ByteFiles;
  files: ByteFiles;
  log: Log;
  clock: Clock;
  /** Called last. */
  release: () => void;
}

export class SqlStore implements Store {
  readonly #parts: StoreParts;
  readonly #db: Db;
  readonly #index: SearchIndex;
  readonly #removals: BookRemovals;
  /** What was asked for and is not answered yet. */
  readonly #running = new Set<Promise<unknown>>();
  #stopUpkeep: () => void = () => {};
  #closed: Promise<void> | undefined;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
    this.#index = parts.database.search;
    this.#removals = new BookRemovals(this.#transaction, parts.log);
  }

  /** Once, before anything else: clears what a crash left behind, and goes on to tidy up now and then. */
  async start(): Promise<void> {
    await sweepBytes(this.#place('images'));
    await sweepBytes(this.#place('files'));
    for (const id of await this.#write(leftBooks)) this.#removals.add(id);
    await this.#upkeep();
  }

  createChat: Store['createChat'] = chat => this.#write(db => chats.insertChat(db, chat));
  chat: Store['chat'] = id => this.#read(db => chats.readChat(db, id));
  chats: Store['chats'] = filter => this.#read(db => chats.listChats(db, filter));
  updateChat: Store['updateChat'] = (id, changes) => this.#write(db => chats.updateChat(db, id, changes));
  deleteChat: Store['deleteChat'] = id => this.#run(() => this.#deleteChat(id));

  message: Store['message'] = (chatId, id) => this.#read(db => messages.readMessage(db, chatId, id));
  messages: Store['messages'] = (chatId, range) => this.#read(db => messages.messagePage(db, chatId, range));
  messagesFrom: Store['messagesFrom'] = (chatId, position, limit) =>
    this.#read(db => messages.messagesFrom(db, chatId, position, limit));
  rewind: Store['rewind'] = (chatId, position, changes = {}) =>
    this.#write(db => messages.rewind(db, chatId, position, changes, this.#ago(0)));
  lastCompaction: Store['lastCompaction'] = (chatId, before) =>
    this.#read(db => messages.lastCompaction(db, chatId, before));
  forkChat: Store['forkChat'] = fork => this.#write(db => forkChat(db, this.#parts.database, fork));
  search: Store['search'] = (query, limit) => this.#read(db => search(db, this.#index, query, limit));

  createTurn: Store['createTurn'] = (turn, message, options) =>
    this.#write(db => turns.createTurn(db, this.#index, turn, message, options, this.#ago(KEY_LIFETIME_MS)));
  writeTurn: Store['writeTurn'] = write => this.#write(db => turns.writeTurn(db, this.#index, write));
  turn: Store['turn'] = (chatId, id) => this.#read(db => turns.readTurn(db, chatId, id));
  turnMessages: Store['turnMessages'] = (chatId, turnId) =>
    this.#read(db => messages.messagesOfTurn(db, chatId, turnId));
  unfinishedTurns: Store['unfinishedTurns'] = () => this.#read(turns.unfinishedTurns);
  turnByKey: Store['turnByKey'] = (chatId, key, notBefore) =>
    this.#read(db => turns.turnByKey(db, chatId, key, notBefore));

  writeChat: Store['writeChat'] = write => this.#write(db => writeChat(db, this.#index, write));

  kernelSleep: Store['kernelSleep'] = () => this.#read(readKernelSleep);
  setKernelSleep: Store['setKernelSleep'] = sleep => this.#write(db => writeKernelSleep(db, sleep));

  addSideSpend: Store['addSideSpend'] = (spend, days = []) =>
    this.#write(async db => {
      await spending.addSideSpend(db, spend);
      await addByDay(db, days);
    });
  spendByDay: Store['spendByDay'] = from => this.#read(db => readByDay(db, from));
  spend: Store['spend'] = chatId => this.#read(db => spending.readSpend(db, chatId));
  totalSpend: Store['totalSpend'] = () => this.#read(spending.totalSpend);
  counts: Store['counts'] = () => this.#read(spending.counts);

  saveImage: Store['saveImage'] = (image, bytes) =>
    this.#run(() => images.saveImage(this.#place('images'), image, bytes));
  image: Store['image'] = id => this.#run(() => this.#image(id));

  saveFile: Store['saveFile'] = (file, bytes) =>
    this.#run(() => files.saveFile(this.#place('files'), file, bytes));
  file: Store['file'] = id =>
    this.#read(async db => (isByteId(id) ? await files.readFile(db, id) : undefined));
  fileBytes: Store['fileBytes'] = (file, range) => this.#run(() => this.#fileBytes(file, range));
  filePath: Store['filePath'] = ({ id, name }) => this.#parts.files.path(id, name);
  copyFile: Store['copyFile'] = ({ id, name }, workdir) =>
    this.#run(() => this.#parts.files.copyInto(workdir, ['.service', 'files'], id, name));

  modules: Store['modules'] = () => this.#read(listModules);
  saveModule: Store['saveModule'] = module => this.#write(db => saveModule(db, module));

  persons: Store['persons'] = () => this.#read(persons.listPersons);
  person: Store['person'] = id => this.#read(db => persons.readPerson(db, id));
  resolvePerson: Store['resolvePerson'] = fresh => this.#write(db => persons.resolvePerson(db, fresh));
  updatePerson: Store['updatePerson'] = (id, changes) =>
    this.#write(db => persons.updatePerson(db, id, changes));
  mergePersons: Store['mergePersons'] = (id, into) => this.#write(db => persons.mergePersons(db, id, into));

  addTriage: Store['addTriage'] = counts => this.#write(db => addTriage(db, counts));
  triage: Store['triage'] = () => this.#read(readTriage);

  approvals: Store['approvals'] = () => this.#read(approvals.listApprovals);
  saveApproval: Store['saveApproval'] = approval => this.#write(db => approvals.insertApproval(db, approval));
  deleteApprovals: Store['deleteApprovals'] = ids => this.#write(db => approvals.deleteApprovals(db, ids));

  markVideo: Store['markVideo'] = (video, keep) => this.#write(db => videos.markVideo(db, video, keep));
  videos: Store['videos'] = range => this.#read(db => videos.listVideos(db, range));
  deleteVideos: Store['deleteVideos'] = id => this.#write(db => videos.deleteVideos(db, id));
  subscriptions: Store['subscriptions'] = () => this.#read(subscriptions.listSubscriptions);
  saveSubscription: Store['saveSubscription'] = subscription =>
    this.#write(db => subscriptions.saveSubscription(db, subscription));
  addSubscriptions: Store['addSubscriptions'] = added =>
    this.#write(db => subscriptions.addSubscriptions(db, added));
  deleteSubscription: Store['deleteSubscription'] = channelId =>
    this.#write(db => subscriptions.deleteSubscription(db, channelId));

  saveBook: Store['saveBook'] = (book, parts) =>
    this.#run(() => shelves.saveBook(this.#transaction, this.#index, book, parts));
  book: Store['book'] = id => this.#read(db => shelves.readBook(db, id));
  bookOfBytes: Store['bookOfBytes'] = (shelf, sha256) =>
    this.#read(db => shelves.bookOfBytes(db, shelf, sha256));
  books: Store['books'] = filter => this.#read(db => shelves.listBooks(db, filter));
  updateBook: Store['updateBook'] = (id, changes) => this.#write(db => shelves.updateBook(db, id, changes));
  deleteBook: Store['deleteBook'] = async id => {
    const hidden = await this.#write(db => shelves.hideBook(db, id));
    if (hidden) this.#removals.add(id);
    return hidden;
  };
  bookParts: Store['bookParts'] = (id, from, limit) =>
    this.#read(db => shelves.bookParts(db, id, from, limit));
  findBookPart: Store['findBookPart'] = (id, wanted) => this.#read(db => shelves.findPart(db, id, wanted));
  bookContents: Store['bookContents'] = (id, from, limit) =>
    this.#read(db => shelves.bookContents(db, id, from, limit));
  searchBooks: Store['searchBooks'] = (shelf, query, limit) =>
    this.#read(db => searchBooks(db, this.#index, shelf, query, limit));

  ping: Store['ping'] = () =>
    this.#read(async db => {
      this.#parts.database.checkOwned();
      await db.selectFrom('meta').select('value').execute();
    });

  /** Lets what was asked for before it end; refuses what is asked after. May be called again; it is one close. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #read<Answer>(work: (db: Db) => Promise<Answer>): Promise<Answer> {
    return this.#run(() => work(this.#db));
  }

  #write<Answer>(work: (db: Db) => Promise<Answer>): Promise<Answer> {
    return this.#run(() => this.#transaction(work));
  }

  async #run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#closed) throw new Error('The store is closed.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  readonly #transaction = async <Answer>(work: (db: Db) => Promise<Answer>): Promise<Answer> => {
    this.#parts.database.checkOwned();
    return await this.#db.transaction().execute(work);
  };

  async #deleteChat(id: string): Promise<boolean> {
    const left = await this.#transaction(async db => {
      // Takes the row's lock, so that no image comes between.
      if (!(await chats.updateChat(db, id, {}))) return undefined;
      return {
        images: await images.leaveImages(db, id),
        files: await files.leaveFiles(db, id, () => chats.deleteChat(db, id)),
      };
    });
    if (!left) return false;
    await sweepBytes(this.#place('images'), left.images);
    await sweepBytes(this.#place('files'), left.files);
    return true;
  }

  async #image(id: string): Promise<(ImageRecord & { bytes: Uint8Array }) | undefined> {
    const image = isByteId(id) ? await images.readImage(this.#db, id) : undefined;
    if (!image) return undefined;
    const bytes = await this.#parts.images.read(id);
    if (bytes) return { ...image, bytes };
    this.#parts.log.warn({ image_id: id }, 'The file of an image is missing.');
    return undefined;
  }

  async #fileBytes(file: FileRecord, range?: { start: number; end: number }) {
    const bytes = await this.#parts.files.stream(file.id, file.name, range);
    if (!bytes) this.#parts.log.warn({ file_id: file.id }, 'The bytes of a file are missing.');
    return bytes;
  }

  async #upkeep(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#write(db => forgetKeys(db, this.#ago(KEY_LIFETIME_MS)));
      await this.#run(() => this.#forgetFiles());
      await this.#run(() => this.#parts.database.tidy());
    } catch (error) {
      if (!this.#closed) this.#parts.log.error({ error }, 'The upkeep of the database failed.');
    }
    if (!this.#closed) this.#stopUpkeep = this.#parts.clock.after(UPKEEP_MS, () => void this.#upkeep());
  }

  async #forgetFiles(): Promise<void> {
    const before = this.#ago(files.UNUSED_FILE_LIFETIME_MS);
    await sweepBytes(this.#place('files'), await this.#transaction(db => files.forgetFiles(db, before)));
  }

  async #close(): Promise<void> {
    this.#stopUpkeep();
    await Promise.allSettled([...this.#running, this.#removals.close()]);
    try {
      await this.#parts.database.close();
    } finally {
      this.#parts.release();
    }
  }

  #place(folder: Folder): Place {
    return { folder, files: this.#parts[folder], write: this.#transaction, log: this.#parts.log };
  }

  /** RFC 3339. */
  #ago(ms: number): string {
    return new Date(this.#parts.clock.now() - ms).toISOString();
  }
}
