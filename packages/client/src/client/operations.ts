/**
 * Lists the operations of the API by name: what a call takes, what it returns, and how it is sent. Event streams and
 * uploads are missing, because client.ts has them. The build publishes the types as they are written here.
 */
import type * as api from '../api/types.ts';
import { type Call, Calls } from './calls.ts';

/** `before`: the cursor of a page, from the page before it. */
interface PageQuery {
  limit?: number;
  before?: string;
}

export class NamedCalls extends Calls {
  /** Create a chat. */
  createChat: Call<[body?: api.CreateChat], api.Chat> = this.json('POST /v1/chats body');
  /** List chats, newest first. */
  listChats: Call<[query?: PageQuery & { shelf?: string; project?: string; q?: string }], api.ChatPage> =
    this.json('GET /v1/chats query');
  /** Get a chat. */
  getChat: Call<[id: string], api.Chat> = this.json('GET /v1/chats/{id}');
  /** Change a chat. */
  patchChat: Call<[id: string, body?: api.PatchChat], api.Chat> = this.json('PATCH /v1/chats/{id} body');
  /** Delete a chat. */
  deleteChat: Call<[id: string, query?: { force?: boolean }], api.DeletedChat> = this.json(
    'DELETE /v1/chats/{id} query',
  );
  /** Set or clear the working directory. */
  setWorkdir: Call<[id: string, body: api.SetWorkdir], api.Chat> = this.json(
    'PUT /v1/chats/{id}/workdir body',
  );
  /** Set or clear the reasoning level. */
  setEffort: Call<[id: string, body: api.SetEffort], api.EffortSetting> = this.json(
    'PUT /v1/chats/{id}/effort body',
  );
  /** Set or clear the model. */
  setModel: Call<[id: string, body: api.SetModel], api.Chat> = this.json('PUT /v1/chats/{id}/model body');
  /** Compact the history now. */
  compactChat: Call<[id: string], api.CompactResult> = this.json('POST /v1/chats/{id}/compact');
  /** Get usage and cost of a chat. */
  getSpend: Call<[id: string], api.Spend> = this.json('GET /v1/chats/{id}/spend');
  /** Get the current plan. */
  getPlan: Call<[id: string], api.Plan> = this.json('GET /v1/chats/{id}/plan');
  /** Clear the plan. */
  erasePlan: Call<[id: string], api.Plan> = this.json('DELETE /v1/chats/{id}/plan');
  /** List messages, newest page first. */
  listMessages: Call<[id: string, query?: PageQuery], api.MessagePage> = this.json(
    'GET /v1/chats/{id}/messages query',
  );
  /** Rewind: delete a message and all later ones. */
  rewind: Call<[id: string, message_id: string], api.RewoundMessages> = this.json(
    'DELETE /v1/chats/{id}/messages/{message_id}',
  );
  /** Rewind, and keep the message and all later ones as a version. */
  rewindFiles: Call<
    [id: string, message_id: string, body?: api.RewindFiles, query?: { files?: 'preview' | 'restore' }],
    api.RewoundFiles
  > = this.json('POST /v1/chats/{id}/messages/{message_id}/rewind body query');
  /** List the versions of a chat. */
  listVersions: Call<[id: string], api.ChatVersions> = this.json('GET /v1/chats/{id}/versions');
  /** Show another version. */
  activateVersion: Call<[id: string, version_id: string], api.ChatVersions> = this.json(
    'POST /v1/chats/{id}/versions/{version_id}/activate',
  );
  /** Fork a chat before a message. */
  forkChat: Call<[id: string, body: api.ForkChat], api.Chat> = this.json('POST /v1/chats/{id}/fork body');
  /** Get a turn. */
  getTurn: Call<[id: string, turn_id: string], api.Turn> = this.json('GET /v1/chats/{id}/turns/{turn_id}');
  /** Cancel the running turn. */
  cancelTurn: Call<[id: string, query?: { queued?: boolean }], api.CancelResult> = this.json(
    'POST /v1/chats/{id}/cancel query',
  );
  /** Answer a request. */
  answerRequest: Call<[id: string, body?: api.OpsResult], api.ResolvedRequest> = this.json(
    'POST /v1/chats/{id}/ops/result body',
  );
  /** Report progress of an operation. */
  showProgress: Call<[id: string, body: api.OpsProgress], api.ProgressTaken> = this.json(
    'POST /v1/chats/{id}/ops/progress body',
  );
  /** List pending requests of all chats. */
  listRequests: Call<[query?: { chat_id?: string }], api.RequestList> = this.json('GET /v1/requests query');
  /** List approvals. */
  listApprovals: Call<[], api.ApprovalList> = this.json('GET /v1/approvals');
  /** Revoke all approvals. */
  revokeApprovals: Call<[], api.RevokedApprovals> = this.json('DELETE /v1/approvals');
  /** Revoke an approval. */
  revokeApproval: Call<[id: string], api.RevokedApprovals> = this.json('DELETE /v1/approvals/{id}');
  /** List past decisions about operations. */
  listDecisions: Call<[query?: PageQuery], api.DecisionPage> = this.json('GET /v1/decisions query');
  /** Read part of a file on the kernel's machine. */
  readBytes: Call<[body: api.ReadBytes], api.BytesRead> = this.json('POST /v1/ops/read_bytes body');
  /** Read part of a file on the client's machine. */
  readClientBytes: Call<[id: string, body: api.ReadClientBytes], api.BytesRead> = this.json(
    'POST /v1/chats/{id}/ops/read_bytes body',
  );
  /** Copy a file of the chat to the uploads. */
  copyFile: Call<[id: string, body: api.CopyFile], api.File> = this.json(
    'POST /v1/chats/{id}/ops/copy_file body',
  );
  /** Find bytes in a file on the client's machine. */
  findClientBytes: Call<[id: string, body: api.FindBytes], api.BytesFound> = this.json(
    'POST /v1/chats/{id}/ops/find_bytes body',
  );
  /** List machines. */
  listHands: Call<[], api.HandsList> = this.json('GET /v1/hands');
  /** Remove a machine. */
  forgetHands: Call<[client_id: string], api.ForgottenHands> = this.json('DELETE /v1/hands/{client_id}');
  /** Get the sleep state. */
  getSleep: Call<[], api.SleepState> = this.json('GET /v1/sleep');
  /** Put the kernel to sleep. */
  sleep: Call<[body?: api.PutToSleep], api.SleepState> = this.json('POST /v1/sleep body');
  /** Wake the kernel and all sleeping turns. */
  wake: Call<[], api.Woken> = this.json('POST /v1/sleep/wake');
  /** Create a schedule. */
  createSchedule: Call<[body: api.CreateSchedule], api.Schedule> = this.json('POST /v1/schedules body');
  /** List the schedules. */
  listSchedules: Call<[], api.ScheduleList> = this.json('GET /v1/schedules');
  /** Get a schedule. */
  getSchedule: Call<[id: string], api.Schedule> = this.json('GET /v1/schedules/{id}');
  /** Change, enable or disable a schedule. */
  patchSchedule: Call<[id: string, body?: api.PatchSchedule], api.Schedule> = this.json(
    'PATCH /v1/schedules/{id} body',
  );
  /** Delete a schedule and its list of runs. */
  deleteSchedule: Call<[id: string], api.DeletedSchedule> = this.json('DELETE /v1/schedules/{id}');
  /** Run a schedule now. */
  runSchedule: Call<[id: string], api.StartedRun> = this.json('POST /v1/schedules/{id}/run');
  /** List the runs of a schedule. */
  listScheduleRuns: Call<[id: string, query?: PageQuery], api.ScheduleRunPage> = this.json(
    'GET /v1/schedules/{id}/runs query',
  );
  /** List items, newest page first. */
  listItems: Call<[id: string, query?: PageQuery], api.ItemPage> = this.json(
    'GET /v1/chats/{id}/items query',
  );
  /** Get the notebook. */
  getNotebook: Call<[id: string], api.Notebook> = this.json('GET /v1/chats/{id}/notes');
  /** Write the notebook. */
  setNotebook: Call<[id: string, body: api.SetNotebook], api.Notebook> = this.json(
    'PUT /v1/chats/{id}/notes body',
  );
  /** List memories. */
  getMemory: Call<[], api.Memory> = this.json('GET /v1/memory');
  /** Add a memory. */
  addMemory: Call<[body: api.AddMemory], api.MemoryEntry> = this.json('POST /v1/memory body');
  /** Delete all memories. */
  forgetAllMemory: Call<[], api.MemoryEmptied> = this.json('DELETE /v1/memory');
  /** Accept and discard proposals. */
  reviewMemory: Call<[body?: api.ReviewMemory], api.MemoryReviewed> = this.json(
    'POST /v1/memory/review body',
  );
  /** Replace a memory. */
  patchMemory: Call<[id: string, body?: api.PatchMemory], api.MemoryEntry> = this.json(
    'PATCH /v1/memory/{id} body',
  );
  /** Delete a memory. */
  forgetMemory: Call<[id: string], api.MemoryForgotten> = this.json('DELETE /v1/memory/{id}');
  /** Get the public key for browser subscriptions. */
  getPushKey: Call<[], api.PushKey> = this.json('GET /v1/push');
  /** Subscribe a browser to notifications. */
  subscribeToPush: Call<[body: api.SubscribeToPush], api.PushSubscription> = this.json(
    'PUT /v1/push/subscriptions body',
  );
  /** List push subscriptions. */
  listPushSubscriptions: Call<[], api.PushSubscriptionList> = this.json('GET /v1/push/subscriptions');
  /** Unsubscribe a browser. */
  unsubscribeFromPush: Call<[id: string], api.PushUnsubscribed> = this.json(
    'DELETE /v1/push/subscriptions/{id}',
  );
  /** Send a test notification to a browser. */
  testPush: Call<[id: string], api.PushTested> = this.json('POST /v1/push/subscriptions/{id}/test');
  /** List recent notifications. */
  readPushLog: Call<[], api.PushLog> = this.json('GET /v1/push/log');
  /** Search the messages of all chats. */
  search: Call<[query: { q: string; limit?: number }], api.SearchResults> = this.json('GET /v1/search query');
  /** Export the history of a chat. */
  exportChat: Call<[id: string, query?: { format?: 'jsonl' | 'md' }], Response> = this.raw(
    'GET /v1/chats/{id}/export query',
  );
  /** Import a conversation. */
  importChat: Call<[body: api.ImportChat, query?: { dry_run?: boolean }], api.ImportedChat> = this.json(
    'POST /v1/import body query',
  );
  /** List models. */
  listModels: Call<[], api.ModelList> = this.json('GET /v1/models');
  /** Call a model once, outside of chats. */
  complete: Call<[body?: api.CompletionRequest], api.Completion> = this.json('POST /v1/complete body');
  /** List speech models. */
  listVoice: Call<[], api.VoiceList> = this.json('GET /v1/voice');
  /** Read a text aloud. */
  speak: Call<[body?: api.SpeechRequest], Response> = this.raw('POST /v1/speech body');
  /** List modules. */
  listModules: Call<[], api.ModuleList> = this.json('GET /v1/modules');
  /** Approve a module. */
  approveModule: Call<[name: string], api.Module> = this.json('POST /v1/modules/{name}/approve');
  /** Revoke the approval of a module. */
  revokeModule: Call<[name: string], api.Module> = this.json('POST /v1/modules/{name}/revoke');
  /** List MCP servers. */
  listGuests: Call<[], api.GuestList> = this.json('GET /v1/guests');
  /** Start a sign-in to an MCP server. */
  signInToGuest: Call<[name: string], api.SignIn> = this.json('POST /v1/guests/{name}/sign-in');
  /** Sign out of an MCP server. */
  signOutOfGuest: Call<[name: string], api.Guest> = this.json('POST /v1/guests/{name}/sign-out');
  /** Find or create the person with an external id. */
  resolvePerson: Call<[body: api.ResolvePerson], api.Person> = this.json('POST /v1/persons/resolve body');
  /** List people. */
  listPersons: Call<[], api.PersonList> = this.json('GET /v1/persons');
  /** Rename a person, or mark it as trusted or as the master. */
  patchPerson: Call<[id: string, body?: api.PatchPerson], api.Person> = this.json(
    'PATCH /v1/persons/{id} body',
  );
  /** Merge two persons. */
  mergePerson: Call<[id: string, body: api.MergePerson], api.Person> = this.json(
    'POST /v1/persons/{id}/merge body',
  );
  /** Get statistics. */
  getStats: Call<[], api.Stats> = this.json('GET /v1/stats');
  /** Get spending by day, model or surface. */
  getSpendReport: Call<[query?: { days?: number; by?: 'day' | 'model' | 'surface' }], api.SpendReport> =
    this.json('GET /v1/spend query');
  /** Report triage outcomes. */
  reportTriage: Call<[body: api.TriageReport], api.Triage> = this.json('POST /v1/stats/triage body');
  /** List books. */
  listBooks: Call<[query?: PageQuery & { shelf?: string }], api.BookList> = this.json('GET /v1/books query');
  /** Get a book. */
  getBook: Call<[id: string], api.Book> = this.json('GET /v1/books/{id}');
  /** Rename a book or move it to another shelf. */
  patchBook: Call<[id: string, body?: api.PatchBook], api.Book> = this.json('PATCH /v1/books/{id} body');
  /** Delete a book. */
  deleteBook: Call<[id: string], api.BookDeleted> = this.json('DELETE /v1/books/{id}');
  /** Move a video to the top of the history. */
  markVideo: Call<[video_id: string, body: api.MarkVideo], api.Video> = this.json(
    'PUT /v1/video/history/{video_id} body',
  );
  /** Delete a video from the history. */
  deleteVideo: Call<[video_id: string], api.VideosDeleted> = this.json('DELETE /v1/video/history/{video_id}');
  /** List the video history. */
  listVideos: Call<[query?: PageQuery], api.VideoPage> = this.json('GET /v1/video/history query');
  /** Clear the video history. */
  deleteVideos: Call<[], api.VideosDeleted> = this.json('DELETE /v1/video/history');
  /** List the subscriptions. */
  listSubscriptions: Call<[], api.SubscriptionList> = this.json('GET /v1/video/subscriptions');
  /** Subscribe to a channel. */
  subscribe: Call<[channel_id: string, body: api.SubscribeToChannel], api.Subscription> = this.json(
    'PUT /v1/video/subscriptions/{channel_id} body',
  );
  /** Unsubscribe from a channel. */
  unsubscribe: Call<[channel_id: string], api.VideosDeleted> = this.json(
    'DELETE /v1/video/subscriptions/{channel_id}',
  );
  /** Export the subscriptions. */
  exportSubscriptions: Call<[query?: { format?: 'opml' | 'newpipe' }], Response> = this.raw(
    'GET /v1/video/export query',
  );
  /** List tools. */
  listTools: Call<[], api.ToolList> = this.json('GET /v1/tools');
  /** List skills. */
  listSkills: Call<[query?: { chat_id?: string }], api.SkillList> = this.json('GET /v1/skills query');
  /** Download an image. */
  getImage: Call<[id: string], Response> = this.raw('GET /images/{id}');
  /** Download a file. */
  getFile: Call<[id: string], Response> = this.raw('GET /files/{id}');
  /** This document. */
  getOpenapi: Call<[], unknown> = this.json('GET /v1/openapi.json');
  /** Get the effective settings. */
  getConfig: Call<[], api.Config> = this.json('GET /v1/config');
  /** Check that the process responds. */
  getHealth: Call<[], api.Health> = this.json('GET /healthz');
  /** Check that the kernel is ready. */
  getReadiness: Call<[], api.Health> = this.json('GET /readyz');
  /** List the kernels that share the database. */
  listKernels: Call<[], api.KernelList> = this.json('GET /v1/kernels');
  /** Get metrics. */
  getMetrics: Call<[], Response> = this.raw('GET /metrics');
}
