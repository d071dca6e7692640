/**
 * Generated from docs/openapi.json: `npm run docs` regenerates it, `npm run check` compares it. Not to be edited.
 * Event streams and uploads are absent: they are written by hand.
 */
import type { AnswerOf, BodyOf, CallOptions, QueryOf } from './calls.ts';

/** The operations that answer JSON: method, path, and what is sent besides. */
export const JSON_OPERATIONS = {
  createChat: 'POST /v1/chats body',
  listChats: 'GET /v1/chats query',
  getChat: 'GET /v1/chats/{id}',
  patchChat: 'PATCH /v1/chats/{id} body',
  deleteChat: 'DELETE /v1/chats/{id} query',
  setWorkdir: 'PUT /v1/chats/{id}/workdir body',
  setEffort: 'PUT /v1/chats/{id}/effort body',
  setModel: 'PUT /v1/chats/{id}/model body',
  compactChat: 'POST /v1/chats/{id}/compact',
  getSpend: 'GET /v1/chats/{id}/spend',
  getPlan: 'GET /v1/chats/{id}/plan',
  erasePlan: 'DELETE /v1/chats/{id}/plan',
  listMessages: 'GET /v1/chats/{id}/messages query',
  rewind: 'DELETE /v1/chats/{id}/messages/{message_id}',
  rewindFiles: 'POST /v1/chats/{id}/messages/{message_id}/rewind body query',
  listVersions: 'GET /v1/chats/{id}/versions',
  activateVersion: 'POST /v1/chats/{id}/versions/{version_id}/activate',
  forkChat: 'POST /v1/chats/{id}/fork body',
  getTurn: 'GET /v1/chats/{id}/turns/{turn_id}',
  cancelTurn: 'POST /v1/chats/{id}/cancel query',
  answerRequest: 'POST /v1/chats/{id}/ops/result body',
  showProgress: 'POST /v1/chats/{id}/ops/progress body',
  listRequests: 'GET /v1/requests query',
  listApprovals: 'GET /v1/approvals',
  revokeApprovals: 'DELETE /v1/approvals',
  revokeApproval: 'DELETE /v1/approvals/{id}',
  listDecisions: 'GET /v1/decisions query',
  readBytes: 'POST /v1/ops/read_bytes body',
  readClientBytes: 'POST /v1/chats/{id}/ops/read_bytes body',
  copyFile: 'POST /v1/chats/{id}/ops/copy_file body',
  findClientBytes: 'POST /v1/chats/{id}/ops/find_bytes body',
  listHands: 'GET /v1/hands',
  forgetHands: 'DELETE /v1/hands/{client_id}',
  getSleep: 'GET /v1/sleep',
  sleep: 'POST /v1/sleep body',
  wake: 'POST /v1/sleep/wake',
  createSchedule: 'POST /v1/schedules body',
  listSchedules: 'GET /v1/schedules',
  getSchedule: 'GET /v1/schedules/{id}',
  patchSchedule: 'PATCH /v1/schedules/{id} body',
  deleteSchedule: 'DELETE /v1/schedules/{id}',
  runSchedule: 'POST /v1/schedules/{id}/run',
  listScheduleRuns: 'GET /v1/schedules/{id}/runs query',
  listItems: 'GET /v1/chats/{id}/items query',
  getNotebook: 'GET /v1/chats/{id}/notes',
  setNotebook: 'PUT /v1/chats/{id}/notes body',
  getMemory: 'GET /v1/memory',
  addMemory: 'POST /v1/memory body',
  forgetAllMemory: 'DELETE /v1/memory',
  reviewMemory: 'POST /v1/memory/review body',
  patchMemory: 'PATCH /v1/memory/{id} body',
  forgetMemory: 'DELETE /v1/memory/{id}',
  getPushKey: 'GET /v1/push',
  subscribeToPush: 'PUT /v1/push/subscriptions body',
  listPushSubscriptions: 'GET /v1/push/subscriptions',
  unsubscribeFromPush: 'DELETE /v1/push/subscriptions/{id}',
  testPush: 'POST /v1/push/subscriptions/{id}/test',
  readPushLog: 'GET /v1/push/log',
  search: 'GET /v1/search query',
  importChat: 'POST /v1/import body query',
  listModels: 'GET /v1/models',
  complete: 'POST /v1/complete body',
  listVoice: 'GET /v1/voice',
  listModules: 'GET /v1/modules',
  approveModule: 'POST /v1/modules/{name}/approve',
  revokeModule: 'POST /v1/modules/{name}/revoke',
  listGuests: 'GET /v1/guests',
  signInToGuest: 'POST /v1/guests/{name}/sign-in',
  signOutOfGuest: 'POST /v1/guests/{name}/sign-out',
  resolvePerson: 'POST /v1/persons/resolve body',
  listPersons: 'GET /v1/persons',
  patchPerson: 'PATCH /v1/persons/{id} body',
  mergePerson: 'POST /v1/persons/{id}/merge body',
  getStats: 'GET /v1/stats',
  getSpendReport: 'GET /v1/spend query',
  reportTriage: 'POST /v1/stats/triage body',
  listBooks: 'GET /v1/books query',
  getBook: 'GET /v1/books/{id}',
  patchBook: 'PATCH /v1/books/{id} body',
  deleteBook: 'DELETE /v1/books/{id}',
  markVideo: 'PUT /v1/video/history/{video_id} body',
  deleteVideo: 'DELETE /v1/video/history/{video_id}',
  listVideos: 'GET /v1/video/history query',
  deleteVideos: 'DELETE /v1/video/history',
  listSubscriptions: 'GET /v1/video/subscriptions',
  subscribe: 'PUT /v1/video/subscriptions/{channel_id} body',
  unsubscribe: 'DELETE /v1/video/subscriptions/{channel_id}',
  listTools: 'GET /v1/tools',
  listSkills: 'GET /v1/skills query',
  getOpenapi: 'GET /v1/openapi.json',
  getConfig: 'GET /v1/config',
  getHealth: 'GET /healthz',
  getReadiness: 'GET /readyz',
  listKernels: 'GET /v1/kernels',
} as const;

/** The operations that answer anything else. */
export const RAW_OPERATIONS = {
  exportChat: 'GET /v1/chats/{id}/export query',
  speak: 'POST /v1/speech body',
  exportSubscriptions: 'GET /v1/video/export query',
  getImage: 'GET /images/{id}',
  getFile: 'GET /files/{id}',
  getMetrics: 'GET /metrics',
} as const;

export interface OperationCalls {
  /** Create a chat. */
  createChat(body?: BodyOf<'createChat'>, options?: CallOptions): Promise<AnswerOf<'createChat'>>;
  /** List chats, newest first. */
  listChats(query?: QueryOf<'listChats'>, options?: CallOptions): Promise<AnswerOf<'listChats'>>;
  /** Get a chat. */
  getChat(id: string, options?: CallOptions): Promise<AnswerOf<'getChat'>>;
  /** Change a chat. */
  patchChat(id: string, body?: BodyOf<'patchChat'>, options?: CallOptions): Promise<AnswerOf<'patchChat'>>;
  /** Delete a chat. */
  deleteChat(id: string, query?: QueryOf<'deleteChat'>, options?: CallOptions): Promise<AnswerOf<'deleteChat'>>;
  /** Set or clear the working directory. */
  setWorkdir(id: string, body: BodyOf<'setWorkdir'>, options?: CallOptions): Promise<AnswerOf<'setWorkdir'>>;
  /** Set or clear the reasoning level. */
  setEffort(id: string, body: BodyOf<'setEffort'>, options?: CallOptions): Promise<AnswerOf<'setEffort'>>;
  /** Set or clear the model. */
  setModel(id: string, body: BodyOf<'setModel'>, options?: CallOptions): Promise<AnswerOf<'setModel'>>;
  /** Compact the history now. */
  compactChat(id: string, options?: CallOptions): Promise<AnswerOf<'compactChat'>>;
  /** Get usage and cost of a chat. */
  getSpend(id: string, options?: CallOptions): Promise<AnswerOf<'getSpend'>>;
  /** Get the current plan. */
  getPlan(id: string, options?: CallOptions): Promise<AnswerOf<'getPlan'>>;
  /** Clear the plan. */
  erasePlan(id: string, options?: CallOptions): Promise<AnswerOf<'erasePlan'>>;
  /** List messages, newest page first. */
  listMessages(id: string, query?: QueryOf<'listMessages'>, options?: CallOptions): Promise<AnswerOf<'listMessages'>>;
  /** Rewind: delete a message and all later ones. */
  rewind(id: string, message_id: string, options?: CallOptions): Promise<AnswerOf<'rewind'>>;
  /** Rewind, and keep the message and all later ones as a version. */
  rewindFiles(id: string, message_id: string, body?: BodyOf<'rewindFiles'>, query?: QueryOf<'rewindFiles'>, options?: CallOptions): Promise<AnswerOf<'rewindFiles'>>;
  /** List the versions of a chat. */
  listVersions(id: string, options?: CallOptions): Promise<AnswerOf<'listVersions'>>;
  /** Show another version. */
  activateVersion(id: string, version_id: string, options?: CallOptions): Promise<AnswerOf<'activateVersion'>>;
  /** Fork a chat before a message. */
  forkChat(id: string, body: BodyOf<'forkChat'>, options?: CallOptions): Promise<AnswerOf<'forkChat'>>;
  /** Get a turn. */
  getTurn(id: string, turn_id: string, options?: CallOptions): Promise<AnswerOf<'getTurn'>>;
  /** Cancel the running turn. */
  cancelTurn(id: string, query?: QueryOf<'cancelTurn'>, options?: CallOptions): Promise<AnswerOf<'cancelTurn'>>;
  /** Answer a request. */
  answerRequest(id: string, body?: BodyOf<'answerRequest'>, options?: CallOptions): Promise<AnswerOf<'answerRequest'>>;
  /** Report progress of an operation. */
  showProgress(id: string, body: BodyOf<'showProgress'>, options?: CallOptions): Promise<AnswerOf<'showProgress'>>;
  /** List pending requests of all chats. */
  listRequests(query?: QueryOf<'listRequests'>, options?: CallOptions): Promise<AnswerOf<'listRequests'>>;
  /** List approvals. */
  listApprovals(options?: CallOptions): Promise<AnswerOf<'listApprovals'>>;
  /** Revoke all approvals. */
  revokeApprovals(options?: CallOptions): Promise<AnswerOf<'revokeApprovals'>>;
  /** Revoke an approval. */
  revokeApproval(id: string, options?: CallOptions): Promise<AnswerOf<'revokeApproval'>>;
  /** List past decisions about operations. */
  listDecisions(query?: QueryOf<'listDecisions'>, options?: CallOptions): Promise<AnswerOf<'listDecisions'>>;
  /** Read part of a file on the kernel's machine. */
  readBytes(body: BodyOf<'readBytes'>, options?: CallOptions): Promise<AnswerOf<'readBytes'>>;
  /** Read part of a file on the client's machine. */
  readClientBytes(id: string, body: BodyOf<'readClientBytes'>, options?: CallOptions): Promise<AnswerOf<'readClientBytes'>>;
  /** Copy a file of the chat to the uploads. */
  copyFile(id: string, body: BodyOf<'copyFile'>, options?: CallOptions): Promise<AnswerOf<'copyFile'>>;
  /** Find bytes in a file on the client's machine. */
  findClientBytes(id: string, body: BodyOf<'findClientBytes'>, options?: CallOptions): Promise<AnswerOf<'findClientBytes'>>;
  /** List machines. */
  listHands(options?: CallOptions): Promise<AnswerOf<'listHands'>>;
  /** Remove a machine. */
  forgetHands(client_id: string, options?: CallOptions): Promise<AnswerOf<'forgetHands'>>;
  /** Get the sleep state. */
  getSleep(options?: CallOptions): Promise<AnswerOf<'getSleep'>>;
  /** Put the kernel to sleep. */
  sleep(body?: BodyOf<'sleep'>, options?: CallOptions): Promise<AnswerOf<'sleep'>>;
  /** Wake the kernel and all sleeping turns. */
  wake(options?: CallOptions): Promise<AnswerOf<'wake'>>;
  /** Create a schedule. */
  createSchedule(body: BodyOf<'createSchedule'>, options?: CallOptions): Promise<AnswerOf<'createSchedule'>>;
  /** List the schedules. */
  listSchedules(options?: CallOptions): Promise<AnswerOf<'listSchedules'>>;
  /** Get a schedule. */
  getSchedule(id: string, options?: CallOptions): Promise<AnswerOf<'getSchedule'>>;
  /** Change, enable or disable a schedule. */
  patchSchedule(id: string, body?: BodyOf<'patchSchedule'>, options?: CallOptions): Promise<AnswerOf<'patchSchedule'>>;
  /** Delete a schedule and its list of runs. */
  deleteSchedule(id: string, options?: CallOptions): Promise<AnswerOf<'deleteSchedule'>>;
  /** Run a schedule now. */
  runSchedule(id: string, options?: CallOptions): Promise<AnswerOf<'runSchedule'>>;
  /** List the runs of a schedule. */
  listScheduleRuns(id: string, query?: QueryOf<'listScheduleRuns'>, options?: CallOptions): Promise<AnswerOf<'listScheduleRuns'>>;
  /** List items, newest page first. */
  listItems(id: string, query?: QueryOf<'listItems'>, options?: CallOptions): Promise<AnswerOf<'listItems'>>;
  /** Get the notebook. */
  getNotebook(id: string, options?: CallOptions): Promise<AnswerOf<'getNotebook'>>;
  /** Write the notebook. */
  setNotebook(id: string, body: BodyOf<'setNotebook'>, options?: CallOptions): Promise<AnswerOf<'setNotebook'>>;
  /** List memories. */
  getMemory(options?: CallOptions): Promise<AnswerOf<'getMemory'>>;
  /** Add a memory. */
  addMemory(body: BodyOf<'addMemory'>, options?: CallOptions): Promise<AnswerOf<'addMemory'>>;
  /** Delete all memories. */
  forgetAllMemory(options?: CallOptions): Promise<AnswerOf<'forgetAllMemory'>>;
  /** Accept and discard proposals. */
  reviewMemory(body?: BodyOf<'reviewMemory'>, options?: CallOptions): Promise<AnswerOf<'reviewMemory'>>;
  /** Replace a memory. */
  patchMemory(id: string, body?: BodyOf<'patchMemory'>, options?: CallOptions): Promise<AnswerOf<'patchMemory'>>;
  /** Delete a memory. */
  forgetMemory(id: string, options?: CallOptions): Promise<AnswerOf<'forgetMemory'>>;
  /** Get the public key for browser subscriptions. */
  getPushKey(options?: CallOptions): Promise<AnswerOf<'getPushKey'>>;
  /** Subscribe a browser to notifications. */
  subscribeToPush(body: BodyOf<'subscribeToPush'>, options?: CallOptions): Promise<AnswerOf<'subscribeToPush'>>;
  /** List push subscriptions. */
  listPushSubscriptions(options?: CallOptions): Promise<AnswerOf<'listPushSubscriptions'>>;
  /** Unsubscribe a browser. */
  unsubscribeFromPush(id: string, options?: CallOptions): Promise<AnswerOf<'unsubscribeFromPush'>>;
  /** Send a test notification to a browser. */
  testPush(id: string, options?: CallOptions): Promise<AnswerOf<'testPush'>>;
  /** List recent notifications. */
  readPushLog(options?: CallOptions): Promise<AnswerOf<'readPushLog'>>;
  /** Search the messages of all chats. */
  search(query: QueryOf<'search'>, options?: CallOptions): Promise<AnswerOf<'search'>>;
  /** Export the history of a chat. */
  exportChat(id: string, query?: QueryOf<'exportChat'>, options?: CallOptions): Promise<AnswerOf<'exportChat'>>;
  /** Import a conversation. */
  importChat(body: BodyOf<'importChat'>, query?: QueryOf<'importChat'>, options?: CallOptions): Promise<AnswerOf<'importChat'>>;
  /** List models. */
  listModels(options?: CallOptions): Promise<AnswerOf<'listModels'>>;
  /** Call a model once, outside of chats. */
  complete(body?: BodyOf<'complete'>, options?: CallOptions): Promise<AnswerOf<'complete'>>;
  /** List speech models. */
  listVoice(options?: CallOptions): Promise<AnswerOf<'listVoice'>>;
  /** Read a text aloud. */
  speak(body?: BodyOf<'speak'>, options?: CallOptions): Promise<AnswerOf<'speak'>>;
  /** List modules. */
  listModules(options?: CallOptions): Promise<AnswerOf<'listModules'>>;
  /** Approve a module. */
  approveModule(name: string, options?: CallOptions): Promise<AnswerOf<'approveModule'>>;
  /** Revoke the approval of a module. */
  revokeModule(name: string, options?: CallOptions): Promise<AnswerOf<'revokeModule'>>;
  /** List MCP servers. */
  listGuests(options?: CallOptions): Promise<AnswerOf<'listGuests'>>;
  /** Start a sign-in to an MCP server. */
  signInToGuest(name: string, options?: CallOptions): Promise<AnswerOf<'signInToGuest'>>;
  /** Sign out of an MCP server. */
  signOutOfGuest(name: string, options?: CallOptions): Promise<AnswerOf<'signOutOfGuest'>>;
  /** Find or create the person with an external id. */
  resolvePerson(body: BodyOf<'resolvePerson'>, options?: CallOptions): Promise<AnswerOf<'resolvePerson'>>;
  /** List people. */
  listPersons(options?: CallOptions): Promise<AnswerOf<'listPersons'>>;
  /** Rename a person, or mark it as trusted or as the master. */
  patchPerson(id: string, body?: BodyOf<'patchPerson'>, options?: CallOptions): Promise<AnswerOf<'patchPerson'>>;
  /** Merge two persons. */
  mergePerson(id: string, body: BodyOf<'mergePerson'>, options?: CallOptions): Promise<AnswerOf<'mergePerson'>>;
  /** Get statistics. */
  getStats(options?: CallOptions): Promise<AnswerOf<'getStats'>>;
  /** Get spending by day, model or surface. */
  getSpendReport(query?: QueryOf<'getSpendReport'>, options?: CallOptions): Promise<AnswerOf<'getSpendReport'>>;
  /** Report triage outcomes. */
  reportTriage(body: BodyOf<'reportTriage'>, options?: CallOptions): Promise<AnswerOf<'reportTriage'>>;
  /** List books. */
  listBooks(query?: QueryOf<'listBooks'>, options?: CallOptions): Promise<AnswerOf<'listBooks'>>;
  /** Get a book. */
  getBook(id: string, options?: CallOptions): Promise<AnswerOf<'getBook'>>;
  /** Rename a book or move it to another shelf. */
  patchBook(id: string, body?: BodyOf<'patchBook'>, options?: CallOptions): Promise<AnswerOf<'patchBook'>>;
  /** Delete a book. */
  deleteBook(id: string, options?: CallOptions): Promise<AnswerOf<'deleteBook'>>;
  /** Move a video to the top of the history. */
  markVideo(video_id: string, body: BodyOf<'markVideo'>, options?: CallOptions): Promise<AnswerOf<'markVideo'>>;
  /** Delete a video from the history. */
  deleteVideo(video_id: string, options?: CallOptions): Promise<AnswerOf<'deleteVideo'>>;
  /** List the video history. */
  listVideos(query?: QueryOf<'listVideos'>, options?: CallOptions): Promise<AnswerOf<'listVideos'>>;
  /** Clear the video history. */
  deleteVideos(options?: CallOptions): Promise<AnswerOf<'deleteVideos'>>;
  /** List the subscriptions. */
  listSubscriptions(options?: CallOptions): Promise<AnswerOf<'listSubscriptions'>>;
  /** Subscribe to a channel. */
  subscribe(channel_id: string, body: BodyOf<'subscribe'>, options?: CallOptions): Promise<AnswerOf<'subscribe'>>;
  /** Unsubscribe from a channel. */
  unsubscribe(channel_id: string, options?: CallOptions): Promise<AnswerOf<'unsubscribe'>>;
  /** Export the subscriptions. */
  exportSubscriptions(query?: QueryOf<'exportSubscriptions'>, options?: CallOptions): Promise<AnswerOf<'exportSubscriptions'>>;
  /** List tools. */
  listTools(options?: CallOptions): Promise<AnswerOf<'listTools'>>;
  /** List skills. */
  listSkills(query?: QueryOf<'listSkills'>, options?: CallOptions): Promise<AnswerOf<'listSkills'>>;
  /** Download an image. */
  getImage(id: string, options?: CallOptions): Promise<AnswerOf<'getImage'>>;
  /** Download a file. */
  getFile(id: string, options?: CallOptions): Promise<AnswerOf<'getFile'>>;
  /** This document. */
  getOpenapi(options?: CallOptions): Promise<AnswerOf<'getOpenapi'>>;
  /** Get the effective settings. */
  getConfig(options?: CallOptions): Promise<AnswerOf<'getConfig'>>;
  /** Check that the process responds. */
  getHealth(options?: CallOptions): Promise<AnswerOf<'getHealth'>>;
  /** Check that the kernel is ready. */
  getReadiness(options?: CallOptions): Promise<AnswerOf<'getReadiness'>>;
  /** List the kernels that share the database. */
  listKernels(options?: CallOptions): Promise<AnswerOf<'listKernels'>>;
  /** Get metrics. */
  getMetrics(options?: CallOptions): Promise<AnswerOf<'getMetrics'>>;
}
