/**
 * The promises of the product, as a list: every rule of the API by its id, the part of the project that has to keep
 * it, and the rule in a sentence. `gate.test.ts` holds the titles of all tests against it.
 */

/** The parts that are done or under way: their rules need a test each. */
export const CURRENT_PART = 14;

/** id → [part, sentence]. */
export const RULES: Readonly<Record<string, readonly [part: number, sentence: string]>> = {
  // The service
  'SVC-1': [
    1,
    'A posted message starts one model run, with all the tool steps it needs, and is answered by its stream.',
  ],
  'SVC-2': [1, 'To the model a tool is a tool, wherever it comes from.'],
  'SVC-3': [
    1,
    'The reference at /apidocs needs no network; /v1/openapi.json follows from the routes; both are open.',
  ],
  'SVC-4': [5, 'The kernel never talks to a video site.'],

  // Chats
  'CHAT-1': [
    1,
    'A chat is made with a working directory and the machine it is on, and shows every field when read.',
  ],
  'CHAT-2': [1, 'The working directory can be set, and cleared by null; the answer is the chat.'],
  'CHAT-3': [1, 'The reasoning level of a chat is off, low, mid or high.'],
  'CHAT-4': [1, 'A chat can be given a model.'],
  'CHAT-5': [1, 'Chats can be listed, renamed and deleted.'],
  'CHAT-6': [3, 'Shelf, project, toolset, compaction profile, summary, notebook and plan are of one chat.'],
  'CHAT-7': [1, 'Spend is told for each chat, with the tokens of the prompt before any message.'],
  'CHAT-8': [3, 'The notebook of a chat can be read.'],

  // Messages
  'MSG-1': [
    1,
    'A message has a role, blocks, maybe a sender, and is of the master exactly where it has none.',
  ],
  'MSG-2': [1, 'Messages are read from the tail back, by limit and before.'],
  'MSG-3': [1, 'Deleting a message takes all after it along, for good, and never while a turn runs.'],
  'MSG-4': [1, 'A cursor that is malformed or unknown is refused with 400.'],

  // Markers
  'MARK-1': [
    3,
    'Where history was folded stands one exact text, which no model sees and which is no machine note.',
  ],
  'MARK-2': [3, 'A branch begins with a message that starts with [forked], which no model sees.'],
  'MARK-3': [1, 'Where a model drew an image, history has [image <id>] <url>.'],
  'MARK-4': [2, 'For an attached file the model reads a marker with a path it can open.'],

  // Items
  'ITEM-1': [1, 'Every item has id, kind, status and turn; there are nine kinds and four statuses.'],
  'ITEM-2': [1, 'A call holds its result; no item is a result.'],
  'ITEM-3': [1, 'The note of a machine note is an id of the registry.'],
  'ITEM-4': [1, 'Items of history are numbered inside their message, live ones inside their turn.'],
  'ITEM-5': [1, 'No live feed repeats the user message, and no history has client operations.'],
  'ITEM-6': [1, 'An attached image comes with its bytes, an attached file without.'],
  'ITEM-7': [1, 'Calls find their results by id, also where a page ends between them.'],
  'ITEM-8': [1, 'An item can be drawn when it begins, and ends with its final state.'],
  'ITEM-9': [1, 'A page is measured in messages, and only the start of history gives an empty one.'],
  'ITEM-10': [1, 'After done, the tail of /items can take the place of the live items.'],
  'ITEM-11': [1, 'Live, replayed and read back, a turn is the same items.'],

  // The turn request
  'TURN-1': [1, 'A turn takes text, sender, images and files.'],
  'TURN-2': [1, 'What a caller adds as context reaches the model and is no item.'],
  'TURN-3': [1, 'Event types named in mute are not sent.'],
  'TURN-4': [1, 'A turn can have a reasoning level of its own.'],
  'TURN-5': [2, 'A client with project_docs has its project files read by the kernel.'],
  'TURN-6': [2, 'A turn can bring tools of its own.'],
  'TURN-7': [2, 'A turn can be bound to a message of another surface.'],
  'TURN-8': [1, 'Surfaces can say what they need to: title, quote, guest, limits, model, level, tools.'],
  'TURN-9': [1, 'What is not JSON or not of the schema is 422; a value that is wrong after that is 400.'],
  'TURN-10': [1, 'A running turn can be cancelled.'],
  'TURN-11': [1, 'A turn does not need the stream that started it.'],
  'TURN-12': [
    1,
    'A busy chat queues or refuses; a start can be repeated; every turn has an outcome to ask for.',
  ],

  // Effort
  'EFF-1': [1, 'The level is of the turn, else ultrathink, else the chat, the model, the settings.'],
  'EFF-2': [1, 'think_harder raises the level once, to the end of the turn.'],
  'EFF-3': [1, 'The kernel says which level it used and who decided it.'],

  // Events
  'EV-1': [1, 'A stream is server-sent events, each one JSON object with a type.'],
  'EV-2': [1, 'Text and reasoning come piece by piece.'],
  'EV-3': [1, 'Calls, results and progress are told; a snapshot replaces the one before.'],
  'EV-4': [1, 'Usage is told after each trip; reasoning is part of the completion.'],
  'EV-5': [3, 'A pause for folding is announced.'],
  'EV-6': [3, 'What was freed inside a turn is told.'],
  'EV-7': [3, 'The stream of a turn that arrives asleep opens with sleeping.'],
  'EV-8': [1, 'A drawn image is told with its id, type and address.'],
  'EV-9': [1, 'The plan is always sent whole; an empty one is closed.'],
  'EV-10': [1, 'A turn ends with done, one that failed with error before it.'],
  'EV-11': [1, 'Two sets of events tell the same steps, and each can be muted.'],
  'EV-12': [1, '/live replays with a flag, goes on without it, and can be muted.'],
  'EV-13': [2, 'Each request to a client is resolved exactly once, with its reason.'],
  'EV-14': [2, 'Questions are resolved one by one.'],
  'EV-15': [2, 'No operation runs on two clients.'],

  // Client operations
  'OP-1': [2, 'Clients read, write and run commands.'],
  'OP-2': [2, 'Clients read, write and find bytes.'],
  'OP-3': [2, 'Looking for project files asks nobody.'],
  'OP-4': [2, 'The kernel offers the decisions; clients skip those they do not know.'],
  'OP-5': [2, 'A denial without words gets the canonical ones.'],
  'OP-6': [2, 'A client may not know an action, and says so.'],
  'OP-7': [2, 'An operation of a sub-agent carries its name.'],
  'OP-8': [2, 'Progress is a snapshot: short, scrubbed, never stored.'],
  'OP-9': [2, 'Answers are found by the id of their operation, whatever chat the path names.'],
  'OP-10': [2, 'An operation that nobody answers expires, and the model is told.'],
  'OP-11': [2, 'The [project] block is there from the first turn, without the model asking.'],
  'OP-12': [2, 'Files of the kernel and of a connected client can be read in pieces.'],
  'OP-13': [2, 'All that comes in sections has the same headings.'],
  'OP-14': [2, 'Lasting permissions are remembered, listed and revocable.'],

  // Extra tools
  'XT-1': [2, 'Extra tools are ordinary tools to the model.'],
  'XT-2': [2, 'Their calls reach the client under the id of the call and are answered under it.'],
  'XT-3': [2, 'Their sections are rendered by the kernel.'],
  'XT-4': [2, 'A successful call of one that ends the turn does.'],
  'XT-5': [2, 'They can say how long they may take.'],
  'XT-6': [2, 'They cannot have the name of a tool that exists.'],
  'XT-7': [2, 'Replayed calls are drawn and not run.'],

  // Built-in tools
  'BT-1': [2, 'Files are read, written and edited, and commands run, several at once.'],
  'BT-2': [5, 'Books can be put on a shelf, searched and read.'],
  'BT-3': [2, 'The model can set the working directory.'],
  'BT-4': [1, 'The model can ask to think harder.'],
  'BT-5': [2, 'The model can ask questions, which people may also talk about or answer in words.'],
  'BT-6': [4, 'Modules can be listed and approved.'],
  'BT-7': [3, 'The model keeps a plan.'],
  'BT-8': [3, 'The model keeps a notebook.'],
  'BT-9': [3, 'The model can sleep.'],
  'BT-10': [2, 'The model can set sub-agents to work.'],
  'BT-11': [3, 'Folded families are loaded when they are needed.'],

  // History
  'HIST-1': [3, 'Folding makes a summary and leaves the history readable.'],
  'HIST-2': [3, 'Old output is folded inside a long turn.'],
  'HIST-3': [1, 'However a history was cut, every provider accepts what is made of it.'],
  'FORK-1': [3, 'A branch has what stood before a message; its parent stays as it was.'],
  'FORK-2': [3, 'A branch inherits what its parent was set to.'],
  'FORK-3': [3, 'Calls that the cut left open are closed as a cancel would.'],
  'FORK-4': [3, 'A branch says where it came from, and begins with its marker.'],
  'FORK-5': [3, 'Branches have branches, outlive their parent, and pay for themselves.'],
  'FORK-6': [3, 'Only people fork.'],
  'PLAN-1': [1, 'The plan is read and erased by itself, is no history, and erasing it is told.'],

  // Sleep
  'SLP-1': [3, 'A turn that arrives asleep waits, and says so first.'],
  'SLP-2': [3, 'Waking lets it run on the same stream.'],
  'SLP-3': [3, 'Sleep has a schedule, an end and a tool.'],
  'SLP-4': [3, 'Sleep survives a restart.'],

  // Files and images
  'FILE-1': [2, 'A file is uploaded as its bytes, its name percent-encoded.'],
  'FILE-2': [2, 'Too large a file is 413.'],
  'FILE-3': [2, 'Files are read back, also in ranges.'],
  'FILE-4': [2, 'The model gets a marker, and the file is on the working machine.'],
  'IMG-1': [1, 'Images can be sent with a message, and the model sees them.'],
  'IMG-2': [1, 'Drawn images are stored, told, and never change.'],

  // Other endpoints
  'API-1': [1, 'Models are listed with windows and levels.'],
  'API-2': [5, 'Statistics hold the last limits of the providers.'],
  'API-3': [4, 'Triage is counted, and what it missed.'],
  'API-4': [4, 'Tools are listed as the model gets them.'],
  'API-5': [5, 'A single answer can be asked for, also in a shape.'],
  'API-6': [4, 'People are known by what surfaces call them.'],
  'API-7': [5, 'Settings are shown without secrets.'],
  'API-8': [1, 'Every error is a problem with a stable code.'],

  // Video
  'VID-1': [5, 'Marking a video again is no second row, and lifts it to the top.'],
  'VID-2': [5, 'Where one stopped is kept only in the middle of a video.'],
  'VID-3': [5, 'Two hundred videos are kept.'],
  'VID-4': [5, 'The cursor of the history is a video.'],
  'VID-5': [5, 'Channels can be subscribed to.'],

  // Messages that wait
  'WAIT-1': [8, 'The message of a turn that waits is in every view of the chat from its 200 on.'],
  'WAIT-2': [8, 'Waiting messages stand last, in their order, and say so until their turns begin.'],
  'WAIT-3': [
    8,
    'No model reads a message before its turn begins, or after it was dropped; search says that it waits.',
  ],
  'WAIT-4': [8, 'What waits can be dropped and taken back, and a branch copies none of it.'],
  'WAIT-5': [8, 'The model of a later turn reads in a line where the owner cancelled an earlier one.'],

  // Modules
  'MOD-1': [4, 'Modules speak JSON-RPC, a line each.'],
  'MOD-2': [4, 'Named modules are approved; found ones wait for it.'],
  'MOD-3': [4, 'Their tools carry their name, and their group.'],
  'MOD-4': [4, 'They say in a phrase what they are about; their family loads when needed.'],
  'MOD-5': [4, 'Their tools are told who asks, and for whom.'],
  'MOD-6': [4, 'Input that does not fit is an error that the model reads.'],
  'MOD-7': [4, 'Their stages intercept.'],
  'MOD-8': [4, 'They come and go without a restart.'],
  'MOD-9': [4, 'While one is down its tools stay, and say so.'],
  'MOD-10': [4, 'A surface needs nothing but the HTTP API.'],
  'MOD-11': [4, 'Their settings say how the kernel is reached.'],
  'MCP-1': [4, 'Guests are named by their prefix and groups.'],
  'MCP-2': [4, 'Guests learn nothing of turns and cannot change them.'],
  'MCP-3': [
    14,
    'Agents that speak MCP ask the kernel and read its chats and its memory at /mcp; a call that is cancelled cancels its turn, and pages of strangers do not reach it.',
  ],
  'MCP-4': [
    14,
    'What a guest asks the owner in mid-call is a question that clients show and that no model sees; a no and an end are told apart, and an address is shown, never opened.',
  ],
  'MCP-5': [
    14,
    'The owner signs in to guests that want it; an answer counts once, in its time and with its own state, and tokens are kept, renewed and shown to nobody but the guest.',
  ],

  // Safety
  'SAFE-1': [
    5,
    'A backup of a kernel that runs is one file; restored, in either database, every GET answers the same.',
  ],
  'SAFE-2': [
    5,
    'A kernel whose database is damaged, newer, or gone from a directory that was used does not begin anew.',
  ],
  'SAFE-3': [
    8,
    'What a provider sends is bounded, and so is how deep anything from outside is nested; a turn says which bound it was.',
  ],
  'SAFE-4': [
    9,
    'What a viewer was told survives a kill: a step is in the journal before it is told, and recovery closes the turn with it.',
  ],
  'SAFE-5': [
    8,
    'A store that is away for a while loses nothing that viewers were told: it is kept, shown, and stored as soon as it can be.',
  ],
  'SAFE-6': [
    8,
    'A call that is refused in three steps in a row ends the turn; at most 16 shells of a turn run at once.',
  ],

  // Access
  'AUTH-1': [1, 'The kernel asks nobody who they are.'],
  'AUTH-2': [5, 'A proxy in front asks for a token, save where the API is open.'],
  'AUTH-3': [5, 'A real proxy is shipped and tested.'],
  'AUTH-4': [1, 'The web page of a stranger can do nothing to a kernel on loopback.'],

  // Who speaks, and who may
  'WHO-1': [
    8,
    'A message with a person_id is of that person, with or without a sender, and of the master only where the person is marked so.',
  ],
  'WHO-2': [
    8,
    'The owner says for each tool and group whom it is for: all, trusted people, the master, nobody; what changes a machine is for the master.',
  ],
  'WHO-3': [
    8,
    'A turn of somebody who is not trusted changes nothing that outlives it, and neither reads nor is told what belongs to the owner.',
  ],
  'WHO-4': [
    8,
    'Names that others give themselves and their files reach a model on one short line, as theirs.',
  ],
  'WHO-7': [
    8,
    'Settings are not read from the present folder and not written by tools; a sandboxed tool writes in the working directory alone and reaches neither the kernel nor hosts that its owner does not want.',
  ],

  'WHO-5': [
    8,
    'A turn that says so touches no machine: neither tools nor the project, while what was uploaded stays readable.',
  ],
  'WHO-6': [
    8,
    "A chat may want its owner asked before the kernel's own machine is changed; the project's own clients make such chats.",
  ],

  // Word to the owner
  'PUSH-1': [
    8,
    'Browsers subscribe with the one key of this kernel, once each, by their endpoint; their own keys are never told.',
  ],
  'PUSH-2': [
    8,
    'Word comes within five seconds of what is worth it, again where it failed, and no more to a browser that is gone.',
  ],
  'PUSH-3': [
    8,
    'Programs and addresses of the settings get the same word; one that fails is logged without what it was told.',
  ],
  'PUSH-4': [
    8,
    'A browser is reached by https at a public address, looked at when it subscribes and at each connection; only the settings allow others.',
  ],

  // Memory and skills
  'MEM-1': [
    13,
    'What is remembered across chats has entries of up to 500 characters, added, changed and forgotten one by one or all at once; where there is no room, nothing changes and the error says what to remove.',
  ],
  'MEM-2': [
    13,
    'The model is told the memory in every chat, once and again when it changed, and changes it by a tool; what is forgotten is in no later request.',
  ],
  'MEM-3': [
    13,
    'The model searches and reads the chats of its owner, for the master alone, and nothing that waits.',
  ],
  'MEM-4': [
    13,
    'A model that folds a history says in the same trip what is to be remembered, unless the settings forbid it.',
  ],
  'SKILL-1': [
    13,
    'Folders with a SKILL.md are read at each turn, the nearest of a name counts; the prompt names them, a tool gives their text and files, and a broken one is named and skipped.',
  ],

  // Schedules
  'SCHED-1': [
    8,
    'A schedule sends its message at the times of a cron line in a zone, or once; what is wrong with it is refused at its place.',
  ],
  'SCHED-2': [
    8,
    'Each time that was due has one row and one outcome, whatever happens to the kernel or to the clock; what was missed is said.',
  ],
  'SCHED-3': [
    8,
    'A model sees schedules and removes them for the master, and adds one that the master was asked about.',
  ],

  // The hands of clients
  'HANDS-1': [
    8,
    'A machine stands by under a name of its own; it is listed, here or away, until it is forgotten, and a newer stream of it ends the older.',
  ],
  'HANDS-2': [
    8,
    'A chat names a machine: turns whose own client has no hands get its tools, its project and its files there.',
  ],
  'HANDS-3': [
    8,
    'Any client of the owner decides, the first answer counts; only what was allowed reaches the machine, under the same id.',
  ],
  'HANDS-4': [
    8,
    'A machine that is away is waited for, then the model reads so; nothing is sent twice, and what was lost ends as an error.',
  ],
  'HANDS-5': [8, 'chat-kernel hands is a quiet client that stands by, and clients show where a chat acts.'],
  'HANDS-6': [
    8,
    'A lasting yes covers one client, machine and directory; hands do nothing unasked that their own owner did not allow there.',
  ],

  // Voice
  'VOICE-1': [
    14,
    'Audio, sent or uploaded, is written down by a model of a provider: within bounds, with what it cost, which the caps hold; a refusal says what was wrong.',
  ],
  'VOICE-2': [
    14,
    'A text, or a message, is read aloud: its words without marks and code, in pieces that the model takes, which come as one.',
  ],

  'UNDO-1': [
    14,
    'Before write_file and edit_file write, what the file was is on the disk of its machine, within bounds; it goes with the chat.',
  ],
  'UNDO-2': [
    14,
    'A rewind previews what becomes of these files, or puts them back; where one was changed since, or a machine is away, it names it, and does nothing.',
  ],
  'UNDO-3': [
    14,
    'A client puts back what its own machine kept, under the consent that a write there needs; an older one says that it cannot.',
  ],
  'HANDS-7': [
    8,
    'A yes may cover the beginning of a plain command, or edits below the directory; a no may carry words for the model.',
  ],

  // The kernel as others expect one
  'FACE-1': [
    14,
    'Clients of OpenAI’s Chat Completions get the models, tools and chats of the kernel in shapes that they know: whole and in streams, tools that they answer, images, usage and errors.',
  ],
  'FACE-2': [
    14,
    'An editor that speaks the Agent Client Protocol has sessions that are chats: prompts, plans, tool calls with differences, decisions, effort as modes, its own files and terminals as hands, and its MCP servers as tools.',
  ],
  'FACE-3': [
    14,
    'Exports of ChatGPT, of Claude and of the kernel itself come in with their dates, their branches as forks, each once, however often and however rudely it is done; what cannot come is said.',
  ],

  // Several kernels on one Postgres
  'FLEET-1': [
    8,
    'Kernels that share a database take any request; what needs the owner of a chat goes there, and the answer names who did the work.',
  ],
  'FLEET-2': [
    8,
    'A chat has one owner at a time, by a row with an epoch: a write of an older one changes nothing, and its turn ends without a word.',
  ],
  'FLEET-3': [
    8,
    'When a kernel dies its turns are closed or go on elsewhere, its viewers elsewhere are told, and nothing runs twice.',
  ],
  'FLEET-4': [
    8,
    'Events, requests, approvals, sleep, memory, schedules, modules with their tools and approvals, caps on spending, machines that stand by and word to the owner are those of all kernels together, at each of them.',
  ],
  'FLEET-5': [
    8,
    'Bytes of files and images lie in Postgres or S3, where each kernel reads them past a cache of its own; with SQLite they lie in data_dir.',
  ],
  'FLEET-6': [
    8,
    'The kernels that live can be listed, each with its turns; one that is draining is not ready.',
  ],

  // The wire, for clients that nobody here wrote
  'WIRE-1': [
    8,
    'No frame of a stream is empty: retry and heartbeats stand in the frame of an event, and its data before its id.',
  ],
  'WIRE-2': [
    8,
    'A message that is posted again with the id of an event of its turn attaches to that turn, without a key.',
  ],
  'WIRE-3': [
    8,
    'A follower that comes back is told every turn that it missed, whole and in order, or by reset that one is gone.',
  ],
  'WIRE-4': [8, 'The API document makes clients that compile: no schema has a name that a generator gives.'],
  'WIRE-5': [
    8,
    'The usage events of a turn, its sub-agents included, add up to its bill; statistics also count deleted chats.',
  ],

  // The web client
  'WEB-1': [
    10,
    'The page and its files are open, hold no data, have a strict policy and are kept by their hashes; the page asks once for a token, sends it as X-Service-Token and puts it into no address; it can be installed, and keeps nothing of /v1.',
  ],
  'WEB-2': [10, 'What can be done in the page is found by its role and its name; Esc and the cross deny.'],
  'WEB-3': [10, 'What the API lets its owner do can be done in the page.'],
  'WEB-4': [
    10,
    'Tabs and devices stay in step; a reload in mid-turn shows the same; a page that nobody sees holds no stream, and shows all within a second of being shown.',
  ],
  'WEB-5': [
    10,
    'Nothing that a model, a file or a person says runs, loads, leads astray unseen, or looks like a control of the page.',
  ],
  'WEB-6': [
    10,
    'The first view is at most 160 KB of JavaScript; axe finds nothing serious; it works at 360 pixels, by keyboard alone, in dark and light.',
  ],
};
