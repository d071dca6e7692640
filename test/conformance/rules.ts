/**
 * Lists every rule of the API by its id, with the part of the project that implements it and a sentence.
 * `gate.test.ts` compares the list with the titles of all tests.
 */

/** The last part whose rules need a test each. */
export const CURRENT_PART = 18;

/** id → [part, sentence]. */
export const RULES: Readonly<Record<string, readonly [part: number, sentence: string]>> = {
  // The service
  'SVC-1': [
    1,
    'A posted message starts one run of the model with all the tool steps it needs, and the response streams it.',
  ],
  'SVC-2': [1, 'The model calls every tool in the same way, wherever it comes from.'],
  'SVC-3': [
    1,
    'The reference at /apidocs needs no network, /v1/openapi.json is generated from the routes, and both are open.',
  ],
  'SVC-4': [5, 'The kernel never connects to a video site.'],

  // Chats
  'CHAT-1': [
    1,
    'A chat is created with a working directory and its machine, and returns every field when read.',
  ],
  'CHAT-2': [1, 'The working directory can be set, and cleared with null. The response is the chat.'],
  'CHAT-3': [1, 'The reasoning level of a chat is off, low, mid or high.'],
  'CHAT-4': [1, 'A chat can have its own model.'],
  'CHAT-5': [1, 'Chats can be listed, renamed and deleted.'],
  'CHAT-6': [
    3,
    'Shelf, project, toolset, compaction profile, summary, notebook and plan belong to one chat.',
  ],
  'CHAT-7': [1, 'The kernel returns the spend of each chat, with the prompt tokens before any message.'],
  'CHAT-8': [3, 'The notebook of a chat can be read.'],

  // Messages
  'MSG-1': [
    1,
    "A message has a role, blocks and an optional sender, and counts as the master's only without a sender.",
  ],
  'MSG-2': [1, 'Messages are read backwards from the tail, by limit and before.'],
  'MSG-3': [1, 'Deleting a message permanently deletes all after it, and is rejected while a turn runs.'],
  'MSG-4': [1, 'A malformed or unknown cursor returns 400.'],

  // Markers
  'MARK-1': [
    3,
    'A compaction leaves one exact text in the history, which no model sees and which is not a machine note.',
  ],
  'MARK-2': [3, 'A branch starts with a message that begins with [forked], which no model sees.'],
  'MARK-3': [1, 'An image drawn by a model appears in the history as [image <id>] <url>.'],
  'MARK-4': [2, 'The model gets a marker with a readable path for each attached file.'],

  // Items
  'ITEM-1': [1, 'Every item has id, kind, status and turn. There are nine kinds and four statuses.'],
  'ITEM-2': [1, 'A call contains its result, and no item is a result.'],
  'ITEM-3': [1, 'The note of a machine note is an id of the registry.'],
  'ITEM-4': [1, 'Items of history are numbered inside their message, live ones inside their turn.'],
  'ITEM-5': [1, 'No live feed repeats the user message, and no history has client operations.'],
  'ITEM-6': [1, 'An attached image comes with its bytes, an attached file without.'],
  'ITEM-7': [1, 'Calls get their results by id, also if a page ends between them.'],
  'ITEM-8': [1, 'An item can be drawn when it starts, and ends with its final state.'],
  'ITEM-9': [1, 'A page is measured in messages, and only the start of history returns an empty one.'],
  'ITEM-10': [1, 'After done, the tail of /items can replace the live items.'],
  'ITEM-11': [1, 'A turn has the same items live, replayed and read back.'],

  // The turn request
  'TURN-1': [1, 'A turn accepts text, sender, images and files.'],
  'TURN-2': [1, 'The context of a caller reaches the model and is not an item.'],
  'TURN-3': [1, 'Event types named in mute are not sent.'],
  'TURN-4': [1, 'A turn can have its own reasoning level.'],
  'TURN-5': [2, 'The kernel reads the project files of a client with project_docs.'],
  'TURN-6': [2, 'A turn can bring its own tools.'],
  'TURN-7': [2, 'A turn can be bound to a message of another surface.'],
  'TURN-8': [1, 'Surfaces can send what they need: title, quote, guest, limits, model, level, tools.'],
  'TURN-9': [
    1,
    'A body that is not JSON or violates the schema returns 422, and any other wrong value returns 400.',
  ],
  'TURN-10': [1, 'A running turn can be canceled.'],
  'TURN-11': [1, 'A turn does not need the stream that started it.'],
  'TURN-12': [
    1,
    'A busy chat queues or rejects a turn, a start can be repeated, and the outcome of every turn can be read.',
  ],

  // Effort
  'EFF-1': [
    1,
    'The level comes from the turn, else from ultrathink, the chat, the model or the settings, in this order.',
  ],
  'EFF-2': [1, 'think_harder raises the level once, until the end of the turn.'],
  'EFF-3': [1, 'The kernel reports which level it used and where it came from.'],

  // Events
  'EV-1': [1, 'A stream consists of server-sent events, each one JSON object with a type.'],
  'EV-2': [1, 'Text and reasoning arrive piece by piece.'],
  'EV-3': [1, 'Calls, results and progress are sent, and a snapshot replaces the one before.'],
  'EV-4': [1, 'Usage is sent after each provider request, and reasoning is part of the completion.'],
  'EV-5': [3, 'A pause for compaction is announced.'],
  'EV-6': [3, 'Truncation of tool output inside a turn is reported.'],
  'EV-7': [3, 'The stream of a turn that starts while the kernel sleeps opens with sleeping.'],
  'EV-8': [1, 'A drawn image is sent with its id, type and address.'],
  'EV-9': [1, 'The plan is always sent completely, and an empty one is closed.'],
  'EV-10': [1, 'A turn ends with done, and a failed one with error before it.'],
  'EV-11': [1, 'Two sets of events describe the same steps, and each can be muted.'],
  'EV-12': [1, '/live replays with a flag, continues without it, and can be muted.'],
  'EV-13': [2, 'Each request to a client is resolved exactly once, with its reason.'],
  'EV-14': [2, 'Questions are resolved one by one.'],
  'EV-15': [2, 'No operation runs on two clients.'],

  // Client operations
  'OP-1': [2, 'Clients read, write and run commands.'],
  'OP-2': [2, 'Clients read, write and find bytes.'],
  'OP-3': [2, 'The search for project files needs no approval.'],
  'OP-4': [2, 'The kernel offers the decisions, and clients skip unknown ones.'],
  'OP-5': [2, 'A denial without a reason gets the canonical text.'],
  'OP-6': [2, 'A client may not support an action, and then reports that.'],
  'OP-7': [2, 'An operation of a sub-agent carries the name of the agent.'],
  'OP-8': [2, 'Progress is a snapshot: short, redacted, never stored.'],
  'OP-9': [2, 'Answers are matched by the id of their operation, whatever chat the path names.'],
  'OP-10': [2, 'An unanswered operation expires, and the model gets an error.'],
  'OP-11': [2, 'The [project] block is present from the first turn, without a request of the model.'],
  'OP-12': [2, 'Files of the kernel and of a connected client can be read in pieces.'],
  'OP-13': [2, 'All output in sections has the same headings.'],
  'OP-14': [2, 'Lasting permissions are stored, listed and revocable.'],

  // Extra tools
  'XT-1': [2, 'Extra tools are ordinary tools to the model.'],
  'XT-2': [2, 'Their calls reach the client under the id of the call and are answered under it.'],
  'XT-3': [2, 'The kernel renders their sections.'],
  'XT-4': [2, 'A successful call of a tool with ends_turn ends the turn.'],
  'XT-5': [2, 'They can declare a timeout.'],
  'XT-6': [2, 'They cannot have the name of an existing tool.'],
  'XT-7': [2, 'Replayed calls are drawn and not run.'],

  // Built-in tools
  'BT-1': [2, 'The model reads, writes and edits files and runs commands, several at once.'],
  'BT-2': [5, 'Books can be put on a shelf, searched and read.'],
  'BT-3': [2, 'The model can set the working directory.'],
  'BT-4': [1, 'The model can raise its effort.'],
  'BT-5': [2, 'The model can ask questions, which people may also discuss or answer in free text.'],
  'BT-6': [4, 'Modules can be listed and approved.'],
  'BT-7': [3, 'The model keeps a plan.'],
  'BT-8': [3, 'The model keeps a notebook.'],
  'BT-9': [3, 'The model can sleep.'],
  'BT-10': [2, 'The model can start sub-agents.'],
  'BT-11': [3, 'On-demand groups are loaded when they are needed.'],

  // History
  'HIST-1': [3, 'Compaction creates a summary and keeps the history readable.'],
  'HIST-2': [3, 'Old output is truncated inside a long turn.'],
  'HIST-3': [1, 'Every provider accepts the messages built from any cut of a history.'],
  'FORK-1': [3, 'A branch has the messages before a given one, and its parent stays unchanged.'],
  'FORK-2': [3, 'A branch inherits the settings of its parent.'],
  'FORK-3': [3, 'Calls that the cut left open are closed as by a cancel.'],
  'FORK-4': [3, 'A branch names its origin, and starts with its marker.'],
  'FORK-5': [3, 'Branches can be forked, survive their parent, and count their own cost.'],
  'FORK-6': [3, 'Only people fork.'],
  'PLAN-1': [
    1,
    'The plan is read and cleared separately, is not part of the history, and clearing it sends an event.',
  ],

  // Sleep
  'SLP-1': [3, 'A turn that starts while the kernel sleeps waits, and reports that first.'],
  'SLP-2': [3, 'Waking runs it on the same stream.'],
  'SLP-3': [3, 'Sleep has a schedule, an end and a tool.'],
  'SLP-4': [3, 'Sleep survives a restart.'],

  // Files and images
  'FILE-1': [2, 'A file is uploaded as its bytes, with a percent-encoded name.'],
  'FILE-2': [2, 'A file that is too large returns 413.'],
  'FILE-3': [2, 'Files can be downloaded, also in ranges.'],
  'FILE-4': [2, 'The model gets a marker, and the file is on the working machine.'],
  'IMG-1': [1, 'Images can be sent with a message, and the model sees them.'],
  'IMG-2': [1, 'Drawn images are stored and announced, and never change.'],

  // Other endpoints
  'API-1': [1, 'Models are listed with windows and levels.'],
  'API-2': [5, 'Statistics contain the last limits of the providers.'],
  'API-3': [4, 'Triage and its misses are counted.'],
  'API-4': [4, 'Tools are listed as the model gets them.'],
  'API-5': [5, 'A single completion can be requested, also with a schema.'],
  'API-6': [4, 'People are identified by the ids of surfaces.'],
  'API-7': [5, 'Settings are returned without secrets.'],
  'API-8': [1, 'Every error is a problem with a stable code.'],

  // Video
  'VID-1': [5, 'Marking a video again adds no second row, and moves it to the top.'],
  'VID-2': [5, 'The position in a video is stored only in its middle.'],
  'VID-3': [5, 'Two hundred videos are stored.'],
  'VID-4': [5, 'The cursor of the history is a video.'],
  'VID-5': [5, 'Channels can be followed.'],

  // Queued messages
  'WAIT-1': [8, 'The message of a queued turn is in every view of the chat from its 200 on.'],
  'WAIT-2': [8, 'Queued messages come last, in their order, and are marked until their turns begin.'],
  'WAIT-3': [
    8,
    'No model reads a message before its turn begins or after it was dropped, and search marks it as waiting.',
  ],
  'WAIT-4': [
    8,
    'Queued messages can be canceled and returned to the composer, and a fork does not copy them.',
  ],
  'WAIT-5': [8, 'The model of a later turn reads a line about an earlier turn that the user canceled.'],

  // Modules
  'MOD-1': [4, 'Modules speak JSON-RPC, one message per line.'],
  'MOD-2': [4, 'Modules named in the settings are approved, and found ones wait for approval.'],
  'MOD-3': [4, 'Their tools carry their name and their group.'],
  'MOD-4': [4, 'They describe themselves in a phrase, and their group loads when needed.'],
  'MOD-5': [4, 'Their tools get the speaker and the chat of a call.'],
  'MOD-6': [4, 'Invalid input is an error that the model reads.'],
  'MOD-7': [4, 'Their stages intercept.'],
  'MOD-8': [4, 'They start and stop without a restart of the kernel.'],
  'MOD-9': [4, 'While a module is down its tools stay, and return an error.'],
  'MOD-10': [4, 'A surface needs only the HTTP API.'],
  'MOD-11': [4, 'Their settings contain the address of the kernel.'],
  'MCP-1': [4, 'MCP servers are named by their prefix and groups.'],
  'MCP-2': [4, 'MCP servers get no data about turns and cannot change them.'],
  'MCP-3': [
    14,
    'Agents that speak MCP call the kernel and read its chats and its memory at /mcp. A canceled call cancels its turn, and foreign pages cannot reach it.',
  ],
  'MCP-4': [
    14,
    'A request of an MCP server to the user during a call is a question that clients show and no model sees. A refusal and an end differ, and an address is shown, never opened.',
  ],
  'MCP-5': [
    14,
    'The user signs in to MCP servers that require it. A response counts once, in time and with its own state, and tokens are stored, renewed and sent only to their server.',
  ],

  // Safety
  'SAFE-1': [
    5,
    'A backup of a running kernel is one file. Restored to either database, every GET returns the same.',
  ],
  'SAFE-2': [
    5,
    'A kernel does not start on a database that is damaged, newer, or missing from a used directory.',
  ],
  'SAFE-3': [
    8,
    'The size of provider data and the nesting of all outside data are limited, and a turn reports which limit it reached.',
  ],
  'SAFE-4': [
    9,
    'Sent events survive a kill: a step is in the journal before it is sent, and recovery closes the turn with it.',
  ],
  'SAFE-5': [
    8,
    'An unavailable store loses no sent data: it is kept, shown, and stored as soon as possible.',
  ],
  'SAFE-6': [
    8,
    'A call that is refused in three consecutive steps ends the turn, and at most 16 shells of a turn run at once.',
  ],
  'SAFE-7': [
    19,
    'Requests and unpacked files are limited in elements and bytes, and no request blocks the event loop for long.',
  ],

  // Access
  'AUTH-1': [1, 'The kernel authenticates no one.'],
  'AUTH-2': [5, 'A proxy in front requires a token, except where the API is open.'],
  'AUTH-3': [5, 'A real proxy configuration is shipped and tested.'],
  'AUTH-4': [1, 'A foreign web page can do nothing to a kernel on loopback.'],

  // Speakers and permissions
  'WHO-1': [
    8,
    'A message with a person_id belongs to that person, with or without a sender, and to the master only if the person is marked so.',
  ],
  'WHO-2': [
    8,
    'The user sets for each tool and group who may use it: all, trusted people, the master, or no one. Tools that change a machine are for the master.',
  ],
  'WHO-3': [
    8,
    'A turn of an untrusted person changes nothing that outlasts it, and gets no data of the user.',
  ],
  'WHO-4': [
    8,
    'Names that others give themselves and their files reach a model on one short line, marked as theirs.',
  ],
  'WHO-7': [
    8,
    'Settings are not read from the current folder and not written by tools. A sandboxed tool writes only in the working directory and reaches neither the kernel nor blocked hosts.',
  ],

  'WHO-5': [
    8,
    'A turn without a machine uses neither machine tools nor the project, and uploads stay readable.',
  ],
  'WHO-6': [
    8,
    "A chat may require approval before the kernel's own machine is changed, and the project's own clients create such chats.",
  ],

  // Consent
  'CONSENT-1': [
    18,
    'A request that one client decides and another party executes is a consent_request, with a reason. Clients of the API document alone execute nothing by mistake. If no client can show it, it expires early.',
  ],
  'CONSENT-2': [18, 'Each tool lists what its calls may do; the settings can override it.'],
  'CONSENT-3': [
    18,
    'A policy can require a question before each call; a chat that asks also asks before reading elsewhere, sending, and changes by MCP servers. A grant covers the tool and its target.',
  ],
  'CONSENT-4': [
    18,
    'A turn lists the sources of text that its owner did not write. While there are some, whatever sends or remembers something asks.',
  ],
  'CONSENT-5': [
    18,
    'Secret places, such as keys and passwords, are read by no tool, by no request and in no sandboxed command, unless the owner allows a path.',
  ],
  'CONSENT-6': [
    18,
    'Protected paths, such as the configuration and hooks of git, ask before they are written, and are read-only in the sandbox.',
  ],
  'CONSENT-7': [
    18,
    'The approval of a prefix covers no option that writes files or starts programs, and of an unknown program only its exact words.',
  ],
  'CONSENT-8': [
    18,
    'A chat without a working directory works in a scratch directory of its own, whose commands see no home directory. If no sandbox works, commands and changes in it ask in every chat.',
  ],
  'CONSENT-10': [
    18,
    "Chats of the OpenAI, MCP and ACP interfaces and of the project's own modules ask before they act, unless the settings say otherwise.",
  ],
  'CONSENT-11': [
    19,
    'On Linux, a kernel on loopback accepts connections only from its own user, from root, and from users that the settings name, unless a proxy guards it.',
  ],
  'CONSENT-12': [
    19,
    'Requests that a browser sends for a page of another site are refused, except for files, images and links to pages. Machines are bounded in number and name, and stand by only with a header.',
  ],
  'CONSENT-13': [
    19,
    "A mail counts as a person's only if a signature of exactly their domain covers what is used of it, this mailbox is among the recipients, and it is recent and new. If only recipients or content headers are not covered, the owner is asked.",
  ],
  'CONSENT-14': [
    18,
    'A module sends only files of the working directory or uploads, only in a turn of the master, and asks with name, size, path and recipients.',
  ],
  'CONSENT-15': [
    18,
    'A stranger reads the files of their own messages, a trusted person also those of the working directory, and only the master other files of the machine.',
  ],
  'CONSENT-9': [
    18,
    "Commands on the owner's own machine run in the same sandbox if one works, with an environment of allowed names only. Requests say whether a command is sandboxed. Leaving the sandbox asks each time.",
  ],

  // Notifications
  'PUSH-1': [
    8,
    'Browsers subscribe with the one key of this kernel, once each, by their endpoint. Their own keys are never returned.',
  ],
  'PUSH-2': [
    8,
    'A notification arrives within five seconds of its event, is retried after a failure, and is not sent to an expired subscription.',
  ],
  'PUSH-3': [
    8,
    'Programs and addresses of the settings get the same notifications, and a failure is logged without the content.',
  ],
  'PUSH-4': [
    8,
    'Notifications go only to https at a public address, checked at the subscription and at each connection, unless the settings allow others.',
  ],

  // Memory and skills
  'MEM-1': [
    13,
    'The memory across chats has entries of up to 500 characters, added, changed and deleted one by one or all at once. Without room, nothing changes and the error names what to remove.',
  ],
  'MEM-2': [
    13,
    'The model gets the memory in every chat, once and again after a change, and changes it by a tool. A deleted entry is in no later request.',
  ],
  'MEM-3': [
    13,
    'The model searches and reads the chats of the user, only for the master, and no queued messages.',
  ],
  'MEM-4': [
    13,
    'A model that compacts a history returns new memory entries in the same request, unless the settings forbid it.',
  ],
  'SKILL-1': [
    13,
    'Folders with a SKILL.md are read at each turn, and the nearest of a name counts. The prompt lists them, a tool returns their text and files, and a malformed one is named and skipped.',
  ],

  // Schedules
  'SCHED-1': [
    8,
    'A schedule sends its message at the times of a cron line in a zone, or once. Invalid values are rejected with a pointer.',
  ],
  'SCHED-2': [
    8,
    'Each due time has one row and one outcome, whatever happens to the kernel or to the clock. Missed times are reported.',
  ],
  'SCHED-3': [
    8,
    'A model sees and removes schedules for the master, and adds one after the master approves it.',
  ],

  // The hands of clients
  'HANDS-1': [
    8,
    'A machine connects under its own name. It is listed, connected or not, until it is removed, and a newer stream replaces the older.',
  ],
  'HANDS-2': [
    8,
    'A chat names a machine: turns whose own client has no hands get its tools, its project and its files there.',
  ],
  'HANDS-3': [
    8,
    'Any client of the user decides, and the first answer counts. Only allowed operations reach the machine, under the same id.',
  ],
  'HANDS-4': [
    8,
    'The kernel waits for a disconnected machine, and then the model gets an error. No operation is sent twice, and a lost one ends with an error.',
  ],
  'HANDS-5': [
    8,
    'chat-kernel hands is a quiet client that connects a machine, and clients show which machine a chat uses.',
  ],
  'HANDS-6': [
    8,
    'A lasting approval covers one client, machine and directory. Hands run nothing without a question that their own user did not allow there.',
  ],

  // Voice
  'VOICE-1': [
    14,
    'A model of a provider transcribes audio that is sent or uploaded, within limits, with its cost under the caps. An error gives the reason.',
  ],
  'VOICE-2': [
    14,
    'A text or a message is read aloud, without markup and code, in pieces that the model accepts, returned as one.',
  ],

  'UNDO-1': [
    14,
    'Before write_file and edit_file write, the old file is stored on the disk of its machine, within limits, and is deleted with the chat.',
  ],
  'UNDO-2': [
    14,
    'A rewind previews or restores these files. If one was changed since, or a machine is disconnected, it names it and does nothing.',
  ],
  'UNDO-3': [
    14,
    'A client restores what its own machine stored, under the approval that a write there needs. An older one reports that it cannot.',
  ],
  'HANDS-7': [
    8,
    'An approval may cover the beginning of a plain command, or edits below the directory. A denial may carry a reason for the model.',
  ],

  // APIs of other products
  'FACE-1': [
    14,
    'Clients of OpenAI’s Chat Completions get the models, tools and chats of the kernel in its format: complete and streamed, with client tools, images, usage and errors.',
  ],
  'FACE-2': [
    14,
    'An editor that speaks the Agent Client Protocol has sessions that are chats: prompts, plans, tool calls with differences, decisions, effort as modes, its own files and terminals as hands, and its MCP servers as tools.',
  ],
  'FACE-3': [
    14,
    'Exports of ChatGPT, of Claude and of the kernel itself are imported with their dates, and their branches as forks. Each comes once, also after repeats and interruptions, and anything left out is reported.',
  ],

  // Several kernels on one Postgres
  'FLEET-1': [
    8,
    'Kernels that share a database accept any request. Work that needs the owner of a chat is sent there, and the response names the kernel that did it.',
  ],
  'FLEET-2': [
    8,
    'A chat has one owner at a time, by a row with an epoch. A write of an older epoch changes nothing, and its turn ends silently.',
  ],
  'FLEET-3': [
    8,
    'When a kernel dies, its turns are closed or continued by another kernel, viewers there are notified, and nothing runs twice.',
  ],
  'FLEET-4': [
    8,
    'Events, requests, approvals, sleep, memory, schedules, modules with their tools and approvals, spending caps, connected machines and notifications are shared by all kernels.',
  ],
  'FLEET-5': [
    8,
    'Bytes of files and images are stored in Postgres or S3, and each kernel has its own cache. With SQLite they are in data_dir.',
  ],
  'FLEET-6': [8, 'Live kernels can be listed, each with its turns, and a draining one is not ready.'],

  // The wire, for third-party clients
  'WIRE-1': [
    8,
    'No frame of a stream is empty: retry and heartbeats are in the frame of an event, and its data is before its id.',
  ],
  'WIRE-2': [
    8,
    'A message that is posted again with the id of an event of its turn attaches to that turn, without a key.',
  ],
  'WIRE-3': [
    8,
    'A returning follower gets every turn that it missed, completely and in order, or reset if one is missing.',
  ],
  'WIRE-4': [
    8,
    'Clients generated from the API document compile: no schema has a name that a generator uses.',
  ],
  'WIRE-5': [
    8,
    'Provider requests of sub-agents are agent_usage events, never usage. done.usage sums both, and statistics also count deleted chats.',
  ],

  'WIRE-6': [
    15,
    'A pause before a retry of a provider request is a provider_wait event. The turn returns in waiting_for what it waits for, and its stream begins at once.',
  ],
  'WIRE-7': [
    27,
    'Every request has the form that the maker of its API documents, whatever history and tools contain. GET /v1/guests and /v1/modules name the tools that a model does not get.',
  ],
  'WIRE-8': [
    27,
    'A part that a provider names in its refusal is left out of this request and of later ones, with the note request_repaired, and the turn continues.',
  ],
  'WIRE-9': [
    27,
    'A failure inside of a stream of any shape ends the turn as failed, in the words of the server.',
  ],
  'WIRE-10': [
    27,
    'What the kernel receives and does not understand is counted and logged once, and the turn mentions lost content.',
  ],
  'WIRE-11': [
    27,
    'A compaction that freed little is not repeated in its turn, and the note context_full says what fills the window.',
  ],

  // Versions
  'EDIT-1': [
    20,
    'A retry starts a turn in place of the one that a message began, with the same message or another text. The replaced messages become a version.',
  ],
  'EDIT-2': [20, 'The versions of a chat are listed by their places, and each can be made the present.'],
  'EDIT-3': [20, 'A message at which other versions begin says which one of how many it is.'],
  'EDIT-4': [
    20,
    'A version that is not the present is in no prompt, page, search, summary or fork. It is in the JSONL export and in backups, and goes with its chat.',
  ],
  'EDIT-5': [20, 'The stream of the kernel reports where a history changed.'],
  'EDIT-7': [20, 'A rewind by POST keeps what it takes away as a version.'],

  // The web client
  'WEB-1': [
    10,
    'The page and its files are open, contain no data, have a strict policy and are cached by their hashes. The page asks once for a token, sends it as X-Service-Token and never puts it into an address. It can be installed, and caches nothing of /v1.',
  ],
  'WEB-2': [
    10,
    'Everything that can be done in the page is found by its role and its name, and Esc and the cross deny.',
  ],
  'WEB-3': [
    10,
    'Everything that the API allows its user can be done in the page, except what is for programs.',
  ],
  'WEB-4': [
    10,
    'Tabs and devices stay synchronized. A reload during a turn shows the same. A hidden page has no stream, and shows everything within a second of being shown.',
  ],
  'WEB-5': [
    10,
    'No text of a model, a file or a person runs, loads, misleads invisibly, or looks like a control of the page.',
  ],
  'WEB-6': [
    10,
    'The first view is at most 160 KB of JavaScript. axe finds no serious problems. The page works at 360 pixels, by keyboard only, in dark and light.',
  ],
  'WEB-7': [
    10,
    'While a reply streams, the view stays at its end until the reader scrolls up by wheel, touch, key or scrollbar. Jump to latest returns.',
  ],
  'WEB-8': [
    10,
    'From Send on, and after a reload, Chat status says what the turn does or waits for, and Stop is there. The stream of a turn begins with an event.',
  ],
  'WEB-9': [
    10,
    'Tables break no word, scroll and align their columns. Formulas are drawn in the delimiters $, $$, \\( and \\[. Mermaid, HTML and SVG are drawn in a frame without network. Footnotes and folding sections are drawn. Images open in full view and can be downloaded. Code can be copied.',
  ],
  'WEB-10': [
    10,
    'On touch screens every control is at least 44 by 44 pixels. Connection problems and requests of other chats are shown above the message box at every width. The title and the badge of the app count waiting requests.',
  ],
  'WEB-12': [
    10,
    'Each answer shows its model, tokens and cost on demand. The page shows where the model changed, and /usage the spending by day, model and surface.',
  ],
  'EDIT-6': [
    14,
    'A message of the assistant has the model that wrote it, its tokens and its cost, and so has an agent message that ends it.',
  ],
  'WEB-14': [
    10,
    'After one visit, every page of the app opens without a network, and says that its content is not stored on the device.',
  ],
  'WEB-15': [
    10,
    'Printing a chat prints the whole chat. A chat or a page that does not exist shows a page with the way back.',
  ],
  'WEB-16': [
    10,
    'An approval shows the true change on every machine: a diff against the present content of the file where the machine can be asked, and the reason where it cannot.',
  ],
  'WEB-11': [
    10,
    'Ctrl+K opens the dialog Commands with the commands of the chat, pages and chats. The key ? opens the dialog Keyboard shortcuts. Links that skip the navigation come first.',
  ],
};
