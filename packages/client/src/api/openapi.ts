/**
 * Generated from docs/openapi.json: `npm run docs` writes it anew, `npm run check` compares. Not to be edited.
 * `operations['startTurn']` is one operation, `components['schemas']['Event']` one schema.
 */
export interface paths {
    "/v1/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chats, newest first
         * @description By when they were made. An empty page is the end.
         */
        get: operations["listChats"];
        put?: never;
        /**
         * Create a chat
         * @description All fields are optional: `{}` makes a chat with the defaults of the settings.
         */
        post: operations["createChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a chat
         * @description Its settings, its title, its summary and its times; not its messages.
         */
        get: operations["getChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat with everything in it
         * @description Messages, spend and approvals, and the files that no other chat uses. While a turn runs only with force=true.
         */
        delete: operations["deleteChat"];
        options?: never;
        head?: never;
        /**
         * Change a chat
         * @description Fields that are absent stay as they are; null clears.
         */
        patch: operations["patchChat"];
        trace?: never;
    };
    "/v1/chats/{id}/workdir": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or clear the working directory
         * @description On the machine that `workdir_on` names. Null clears it.
         */
        put: operations["setWorkdir"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/effort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or clear the reasoning level
         * @description Counts from the next turn on, where the turn itself says nothing else.
         */
        put: operations["setEffort"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or clear the model
         * @description Counts from the next turn on, where the turn itself says nothing else.
         */
        put: operations["setModel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fold the older part of the history into the summary now
         * @description The history itself stays: to read, to search, to export. Only the model is told less of it.
         */
        post: operations["compactChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the chat used and cost
         * @description Tokens and cost, by model. A cost is null where the price of a model is unknown. Where the settings cap what is spent, `caps` says how that stands.
         */
        get: operations["getSpend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the plan as it now is
         * @description The tasks as the model wrote them last; none where there is no plan.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        /**
         * Erase the plan
         * @description Answers the plan, which then is empty. A turn that runs shows it in its stream.
         */
        delete: operations["erasePlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read messages, from the newest page back
         * @description As they are kept, made of blocks. `items` gives the same in the form that clients draw.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Send a message: starts a turn and streams it
         * @description The message is stored when the answer is 200; the turn then goes on whatever becomes of this stream. While another turn of the chat runs, this one waits in a queue, or is refused with on_busy: reject.
         */
        post: operations["startTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Rewind: delete a message and all after it
         * @description Cannot be undone, and does not undo what tools did outside the chat.
         */
        delete: operations["rewind"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/messages/{message_id}/rewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rewind with the files that write_file and edit_file have changed, or see what that would do
         * @description Each file becomes what it was before the first of the edits that go. Where one was changed since, nothing is restored and nothing rewound. What commands did is not undone.
         */
        post: operations["rewindFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fork: a new chat with the history before a message
         * @description The branch is set as its parent is, and begins with a marker. The parent does not change; a turn of it may run.
         */
        post: operations["forkChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/turns/{turn_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a turn goes or went
         * @description Its status, its effort and who decided on it, its usage; where it failed, its error.
         */
        get: operations["getTurn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the running turn
         * @description Answers once the turn has ended. Turns that wait behind it go on, unless queued=true.
         */
        post: operations["cancelTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the turn that runs: what it did so far, then what it does
         * @description Replayed events carry `replayed: true`: draw them, never execute them. 204 where no turn is queued, sleeping or running. With `follow` and Last-Event-ID come the rest of that turn and every turn that ran since, whole, as far as they are kept: 60 s after their end. Where one is gone, an event `reset` comes first: read the items again.
         */
        get: operations["watchChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch all chats: which come, change and go, which turns run, what waits for an answer
         * @description Begins with an event `opened`; what happens from now on follows. With Last-Event-ID what was missed comes first; where that is no longer known, such as after a restart, an event `reset` comes in its place: read the lists again. Ends with the kernel.
         */
        get: operations["watchKernel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/ops/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a request of the kernel
         * @description Of an operation, an extra tool call or a question. The request is found by its id; the chat in the path counts only where several chats have a request of this id.
         */
        post: operations["answerRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/ops/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show how far an operation is
         * @description A snapshot, which replaces the one before; never stored. A few a second are enough. Found as answers are.
         */
        post: operations["showProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits for an answer, in all chats
         * @description Operations, calls of extra tools and questions. None outlives its turn.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operations that need no dialog any more
         * @description Given by answering an operation with allow_session or allow_always.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        /**
         * Take all of them back
         * @description From now on the owner is asked before every operation again.
         */
        delete: operations["revokeApprovals"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take one of them back
         * @description From now on the owner is asked before the operations that it covered.
         */
        delete: operations["revokeApproval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/read_bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a piece of a file on the kernel's machine
         * @description What belongs to the kernel (its data, settings and keys) is out of reach.
         */
        post: operations["readBytes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/ops/read_bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a piece of a file on the client's machine
         * @description Works while a client with hands has a turn open in the chat, or the machine that the chat names is here; its owner may be asked. A relative path begins at the working directory of the chat, where it has one on that machine.
         */
        post: operations["readClientBytes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/ops/find_bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find bytes in a file on the client's machine
         * @description Works while a client with hands has a turn open in the chat, or the machine that the chat names is here; its owner may be asked. A relative path begins at the working directory of the chat, where it has one on that machine.
         */
        post: operations["findClientBytes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hands/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stand by: execute operations for chats that name this machine
         * @description The same client_id again ends the older stream. What it was sent before and is not in `running` is not sent again: it ends as an error. Results go to `POST /v1/chats/{chat_id}/ops/result`.
         */
        get: operations["standBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the machines that stand by, or did
         * @description One that was here once stays in the list until it is forgotten.
         */
        get: operations["listHands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hands/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget a machine
         * @description Its name is free, and what it was doing ends as an error. One that still runs comes back by itself.
         */
        delete: operations["forgetHands"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sleep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who sleeps
         * @description Whether the kernel sleeps, since when and until when, and which turns sleep.
         */
        get: operations["getSleep"];
        put?: never;
        /**
         * Put the kernel to sleep
         * @description Turns that run go on; turns that arrive wait, and their streams open with `sleeping`.
         */
        post: operations["sleep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sleep/wake": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wake the kernel, and every turn that sleeps
         * @description Answers the turns that slept; where there were none, nothing happens.
         */
        post: operations["wake"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules
         * @description Each with its next time and its last run.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Make a schedule
         * @description Takes a cron line, or one time in `at`. `errors` of a 400 says where the mistake is. Without `timezone` the zone of the kernel counts.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schedule
         * @description With its next time and its last run.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule and its list of runs
         * @description Runs that are under way go on, and the chats of all runs stay.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule, or switch it on or off
         * @description Other times count from now on. A run that is under way is what it was.
         */
        patch: operations["patchSchedule"];
        trace?: never;
    };
    "/v1/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule now
         * @description Also where it is disabled. Its next time stays as it is.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule
         * @description One for each time that was due, the missed ones too, and one for each run by hand. The last 10,000 are kept.
         */
        get: operations["listScheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read items, from the newest page back
         * @description An empty page is the start of the history; only there is one.
         */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the notebook
         * @description In a turn the model is told it anyway.
         */
        get: operations["getNotebook"];
        /**
         * Write the notebook
         * @description The whole of it. The model is told in the next turn.
         */
        put: operations["setNotebook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is remembered
         * @description All of it, with its size and what it costs to tell a model.
         */
        get: operations["getMemory"];
        put?: never;
        /**
         * Remember something
         * @description Every chat is told it from its next turn on. Where there is no room, the error says what to remove.
         */
        post: operations["addMemory"];
        /**
         * Forget everything
         * @description As for each entry.
         */
        delete: operations["forgetAllMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget something
         * @description It is told in no later request to a model, of no chat. Old messages stay as they are: the answer says where it still stands.
         */
        delete: operations["forgetMemory"];
        options?: never;
        head?: never;
        /**
         * Remember something else in its place
         * @description The text that was there is told in no later request to a model.
         */
        patch: operations["patchMemory"];
        trace?: never;
    };
    "/v1/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key that browsers subscribe with
         * @description It stays the same, also in a restored backup. A browser with another one has to subscribe again.
         */
        get: operations["getPushKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the browsers that get word
         * @description Without their keys.
         */
        get: operations["listPushSubscriptions"];
        /**
         * Send word to a browser
         * @description The same endpoint again replaces what was known of it, and keeps its id. The endpoint has to be https and of the public network, unless `push.allow_private` is set.
         */
        put: operations["subscribeToPush"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Send a browser no more word
         * @description The browser itself knows nothing of it; what is under way may still come.
         */
        delete: operations["unsubscribeFromPush"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/subscriptions/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a browser a test message
         * @description Once, and answers what became of it. Where the subscription is gone it is removed.
         */
        post: operations["testPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was sent lately
         * @description To browsers and to what `notify` of the settings names; no text of a message.
         */
        get: operations["readPushLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the messages of all chats
         * @description In what people and models said, the newest first.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the whole history of a chat
         * @description As `jsonl` (application/x-ndjson) the chat (its `kind` is `chat`), then one item a line, as GET items has them; as `md` (text/markdown) a text for people.
         */
        get: operations["exportChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a conversation that was held elsewhere
         * @description It becomes a chat with its dates, and each of its branches a fork: all of it, or nothing. What was imported once, by its source and key, is not imported again while its chat is there.
         */
        post: operations["importChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description With what is known of each: its window, its levels of effort, its price.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model once, outside of any chat
         * @description Who hangs up ends the request to the provider. What it costs stands in the answer and in the totals of GET /v1/stats.
         */
        post: operations["complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/voice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models that hear and speak
         * @description Those that can be used, with their voices and prices. Where there are none, the lists are empty.
         */
        get: operations["listVoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a text aloud
         * @description A text, or a message of a chat, of at most 50,000 characters: its words, without the marks of Markdown and without code. MP3 of a long text comes piece by piece; where a later piece fails, the connection ends before the answer does. Who hangs up ends the request to the provider.
         */
        post: operations["speak"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List modules
         * @description Those of the settings and those that were found beside them, each with its status and what it declares. Where several kernels share the database, those of all of them.
         */
        get: operations["listModules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/modules/{name}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a module take part
         * @description Bound to its version, tools and stages as it declares them now: where they change, it waits again.
         */
        post: operations["approveModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/modules/{name}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a module take part no longer
         * @description Its tools are offered no more and its stages are not asked, until it is approved again.
         */
        post: operations["revokeModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/guests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool servers
         * @description Those of `mcp.servers`, each with how it stands and whether it wants its owner to sign in.
         */
        get: operations["listGuests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/guests/{name}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in to a tool server
         * @description Answers the page of its authorization server, to be opened in a browser; that sends the browser back to the kernel.
         */
        post: operations["signInToGuest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/guests/{name}/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out of a tool server
         * @description Forgets its tokens here; the server may still know them.
         */
        post: operations["signOutOfGuest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/persons/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the person that a surface calls so
         * @description Made at first sight: neither trusted nor the master. Its id goes into `person_id` of turns.
         */
        post: operations["resolvePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List persons
         * @description With their marks and the ids under which surfaces know them.
         */
        get: operations["listPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/persons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Name a person, or mark it as trusted or as the master
         * @description Counts for every turn that begins from now on, those that wait included.
         */
        patch: operations["patchPerson"];
        trace?: never;
    };
    "/v1/persons/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Two persons are one
         * @description The other one gets all external ids, and the name where it has none; its marks stay as they are. This one is gone.
         */
        post: operations["mergePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the kernel has done so far
         * @description Of the chats that there are, and of all one-off calls. A cost is null as soon as a part of it is unknown.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats/triage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what became of messages that a judge engaged
         * @description Answers the totals.
         */
        post: operations["reportTriage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List books
         * @description Of one shelf, or of all, the newest first.
         */
        get: operations["listBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/books/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of a book
         * @description Its title, its shelf and its size; not its text, which models search and read.
         */
        get: operations["getBook"];
        put?: never;
        post?: never;
        /**
         * Delete a book
         * @description With all of its text. The file that it was made of stays.
         */
        delete: operations["deleteBook"];
        options?: never;
        head?: never;
        /**
         * Rename a book, or move it to another shelf
         * @description What is absent stays as it is. Chats of the other shelf find it from then on.
         */
        patch: operations["patchBook"];
        trace?: never;
    };
    "/v1/video/history/{video_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put a video on top of the history
         * @description With what is known of it now, in place of what was. The 200 that were marked last are kept.
         */
        put: operations["markVideo"];
        post?: never;
        /**
         * Take a video out of the history
         * @description The channel that it is of stays followed.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of videos
         * @description The one that was marked last comes first.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        /**
         * Empty the history of videos
         * @description Subscriptions stay.
         */
        delete: operations["deleteVideos"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the channels that are followed
         * @description By title.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/subscriptions/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Follow a channel
         * @description Or change what is known of it: all of it takes the place of what was.
         */
        put: operations["subscribe"];
        post?: never;
        /**
         * Follow a channel no longer
         * @description Videos of it stay in the history.
         */
        delete: operations["unsubscribe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the channels that are followed
         * @description A channel that the format has no place for is not in it.
         */
        get: operations["exportSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools
         * @description Names, descriptions and schemas exactly as models get them. Tools that the settings turn off are not among them.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List skills
         * @description As they are now. Those of a client's machine are as a turn of the chat has seen them last.
         */
        get: operations["listSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an image
         * @description Open to whoever knows the id. The bytes of an id never change.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file
         * @description With a Range of one piece, that piece. Images, audio, video, PDF and plain text are shown in place.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description OpenAPI 3.1, made from the routes that this kernel answers.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings that count
         * @description Of file, environment and flags together, with the defaults; as of the start, for settings do not change in a kernel that runs. Every secret is `***`.
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process answers
         * @description Says nothing of the database or of providers: see /readyz.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The kernel can take work
         * @description Asks the database. 503 while it does not answer, and while the kernel shuts down.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/kernels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kernels that share the database
         * @description One where server.advertise_url is not set.
         */
        get: operations["listKernels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the process counts of itself
         * @description In the text format of Prometheus.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transcribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write down what is said
         * @description The body is the bytes of the audio, at most 25 MB, and its Content-Type says what they are; or there is no body, and file_id names an uploaded file. Eight are written down at once; a further one is refused. Who hangs up ends the request to the provider. The cost stands in the answer and in the totals of GET /v1/stats.
         */
        post: operations["transcribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow the channels of a file
         * @description The body is the file itself, of at most 10 MiB, whatever its Content-Type: OPML, or the subscriptions that NewPipe, Invidious or FreeTube export. What it is shows in what it holds.
         */
        post: operations["importSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description The body is the bytes of the file, whatever its Content-Type, which is kept as the media type. A file that no message uses is removed after seven days.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ToolsetInput: {
            /**
             * @description Folded groups that were loaded for the chat.
             * @default []
             */
            loaded?: string[];
            /**
             * @description Groups that the chat does not offer.
             * @default []
             */
            disabled?: string[];
        };
        Anchor: {
            chat_id: number;
            message_id: number;
        };
        /**
         * @description Reasoning level.
         * @enum {string}
         */
        Effort: "off" | "low" | "mid" | "high";
        TurnEffort: {
            /** @description The level used: the nearest one that the model takes. */
            value: components["schemas"]["Effort"];
            /** @enum {string} */
            source: "turn" | "ultrathink" | "chat" | "surface" | "model" | "global";
            /** @description think_harder raised it inside the turn. */
            raised: boolean;
        };
        Resolution: {
            /** @description Of the operation, or of the tool call. */
            id: string;
            /**
             * @description An extra tool call is an op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
        };
        UndoneFile: {
            /** @description The real path, where it is known. */
            path: string;
            /**
             * @description delete: the edits have made it. unchanged: it is as it was before them. not_kept: nothing is kept of it, and it stays as it is.
             * @enum {string}
             */
            action: "restore" | "delete" | "unchanged" | "not_kept";
            /** @description Somebody, or a command, has changed it since the last of the edits: nothing is restored. */
            changed_since: boolean;
            /** @description Why it cannot be put back, or is not kept. */
            error?: string;
            /** @description Of a restore that came to no end: whether the file was put back before that. */
            restored?: boolean;
            /**
             * @description Where the file is; server: on the machine of the kernel.
             * @enum {string}
             */
            machine: "client" | "server";
            /** @description The name of the machine, where it stands by. */
            hands?: string;
        };
        /**
         * @description Stable. New codes may be added.
         * @enum {string}
         */
        ErrorCode: "malformed_cursor" | "unknown_cursor" | "invalid_value" | "tool_name_taken" | "unknown_file" | "unknown_model" | "empty_message" | "spend_cap" | "forbidden_origin" | "forbidden_host" | "forbidden_path" | "not_found" | "unknown_request" | "turn_running" | "already_resolved" | "name_taken" | "no_client" | "not_a_member" | "files_changed" | "files_stuck" | "module_down" | "idempotency_mismatch" | "body_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "not_json" | "schema_mismatch" | "internal" | "sign_in_failed" | "upstream_error" | "shutting_down" | "too_busy" | "kernel_away" | "storage_unavailable";
        /** @enum {string} */
        TurnErrorCode: "upstream_error" | "upstream_rate_limited" | "upstream_auth" | "context_overflow" | "no_model" | "blocked_by_module" | "spend_cap" | "step_limit" | "repeated_call" | "kernel_restarted" | "storage_unavailable" | "internal";
        Problem: {
            /** @description Address of the description of the code. */
            type: string;
            title: string;
            status: number;
            /** @description What was wrong this time. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            errors?: {
                /** @description JSON pointer into the body. */
                pointer: string;
                detail: string;
            }[];
            /** @description With already_resolved: how the request ended. */
            resolution?: components["schemas"]["Resolution"];
            /** @description With files_changed and files_stuck: all files that were to be put back. */
            files?: components["schemas"]["UndoneFile"][];
            request_id: string;
        };
        Usage: {
            prompt_tokens: number;
            completion_tokens: number;
            /** @description Part of completion_tokens, not an addition to it. */
            reasoning_tokens: number;
            /** @description Part of prompt_tokens: read from the provider’s cache. */
            cached_tokens: number;
            cost_usd: number | null;
        };
        ModelSpend: {
            prompt_tokens: number;
            completion_tokens: number;
            /** @description Part of completion_tokens, not an addition to it. */
            reasoning_tokens: number;
            /** @description Part of prompt_tokens: read from the provider’s cache. */
            cached_tokens: number;
            cost_usd: number | null;
            model: string;
            turns: number;
        };
        SpendCap: {
            /** @enum {string} */
            scope: "turn" | "chat" | "day" | "month";
            /** @enum {string} */
            unit: "usd" | "tokens";
            spent: number;
            /** @description What may be spent: as the settings say, with what the master has added. */
            cap: number;
            /** @description So much of the cap the master has added. */
            raised_by: number;
        };
        Spend: {
            prompt_tokens: number;
            completion_tokens: number;
            /** @description Part of completion_tokens, not an addition to it. */
            reasoning_tokens: number;
            /** @description Part of prompt_tokens: read from the provider’s cache. */
            cached_tokens: number;
            cost_usd: number | null;
            /** @description Tokens of the part of the prompt that is there before any message. */
            prefix_tokens: number;
            turns: number;
            by_model: components["schemas"]["ModelSpend"][];
            /** @description What limits a turn of this chat; absent where the settings cap nothing. */
            caps?: components["schemas"]["SpendCap"][];
        };
        /** @enum {string} */
        TurnStatus: "queued" | "sleeping" | "running" | "completed" | "failed" | "cancelled";
        TurnError: {
            code: components["schemas"]["TurnErrorCode"];
            message: string;
            retryable: boolean;
        };
        Turn: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            status: components["schemas"]["TurnStatus"];
            /** @description Null until the turn runs, and where no model could be found. */
            model: string | null;
            effort: components["schemas"]["TurnEffort"];
            started_at: string | null;
            ended_at: string | null;
            usage: components["schemas"]["Usage"];
            /** @description The message of a surface that it is bound to. */
            anchor?: components["schemas"]["Anchor"];
            error?: components["schemas"]["TurnError"];
        };
        CancelResult: {
            cancelled: boolean;
            /** @description The turn that ran, else the first that was dropped. */
            turn_id: string | null;
            /** @description With queued=true: the turns that will never begin, in their order. */
            dropped?: {
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                turn_id: string;
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                message_id: string;
                /** @description The text of the message, which is gone from the chat. */
                text: string;
            }[];
        };
        Toolset: {
            /**
             * @description Folded groups that were loaded for the chat.
             * @default []
             */
            loaded: string[];
            /**
             * @description Groups that the chat does not offer.
             * @default []
             */
            disabled: string[];
        };
        Summary: {
            text: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            upto_message: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        Chat: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            title: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            updated_at: string;
            last_message_at: string | null;
            workdir: string | null;
            /**
             * @description On which machine workdir applies.
             * @enum {string}
             */
            workdir_on: "client" | "server";
            /** @description The machine that stands by on which turns act whose own client has no hands. */
            hands: string | null;
            /** @description The machine of workdir by the name of its kernel, where workdir_on is server and several kernels share the database. */
            home: string | null;
            /**
             * @description Whether the owner is asked before tools change the kernel's own machine.
             * @enum {string}
             */
            consent: "auto" | "ask";
            forked_from: string | null;
            forked_at_message: string | null;
            /** @description Null: not set for this chat. */
            effort: components["schemas"]["Effort"] | null;
            /** @description Null: the default model. */
            model: string | null;
            shelf: string;
            project: string | null;
            toolset: components["schemas"]["Toolset"];
            /** @enum {string} */
            compaction: "auto" | "tight" | "roomy" | "off";
            summary: components["schemas"]["Summary"] | null;
            /** @description The turn that is now running, sleeping or first in the queue. */
            turn: {
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                id: string;
                status: components["schemas"]["TurnStatus"];
            } | null;
        };
        CreateChat: {
            title?: string | null;
            shelf?: string;
            project?: string | null;
            model?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            toolset?: components["schemas"]["ToolsetInput"];
            /** @enum {string} */
            compaction?: "auto" | "tight" | "roomy" | "off";
            /**
             * @description Whether the owner is asked before tools change the kernel's own machine.
             * @enum {string}
             */
            consent?: "auto" | "ask";
            workdir?: string | null;
            /**
             * @description On which machine workdir applies.
             * @enum {string}
             */
            workdir_on?: "client" | "server";
            hands?: string | null;
        };
        PatchChat: {
            title?: string | null;
            shelf?: string;
            project?: string | null;
            model?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            toolset?: components["schemas"]["ToolsetInput"];
            /** @enum {string} */
            compaction?: "auto" | "tight" | "roomy" | "off";
            /**
             * @description Whether the owner is asked before tools change the kernel's own machine.
             * @enum {string}
             */
            consent?: "auto" | "ask";
            /** @description Another text for the summary that is there. Null: the model is told the whole history again. Not while a turn runs. */
            summary?: {
                text: string;
            } | null;
        };
        SetWorkdir: {
            workdir: string | null;
            /**
             * @description On which machine workdir applies.
             * @default client
             * @enum {string}
             */
            workdir_on?: "client" | "server";
            /**
             * @description Only with `workdir_on` client.
             * @default null
             */
            hands?: string | null;
        };
        SetEffort: {
            level: components["schemas"]["Effort"] | null;
        };
        EffortSetting: {
            effort: components["schemas"]["Effort"] | null;
        };
        SetModel: {
            model: string | null;
        };
        ChatPage: {
            /** @description Newest first. */
            chats: components["schemas"]["Chat"][];
            next_before: string | null;
        };
        DeletedChat: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
        };
        CompactResult: {
            folded: boolean;
            /** @description What history was folded into. */
            summary?: components["schemas"]["Summary"];
        };
        ForkChat: {
            /**
             * Format: uuid
             * @description The first message that the branch does not have.
             */
            before_message: string;
            /** @description Absent: that of the parent. */
            title?: string;
        };
        Block: {
            /** @constant */
            type: "text";
            text: string;
        } | {
            /** @constant */
            type: "thinking";
            text: string;
        } | {
            /** @constant */
            type: "tool_use";
            /** @description The call id; unique inside the chat. */
            id: string;
            name: string;
            input: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            type: "tool_result";
            tool_use_id: string;
            output: string;
            is_error: boolean;
        } | {
            /** @constant */
            type: "image";
            /** @enum {string} */
            media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
            /** @description base64 */
            data: string;
        } | {
            /** @constant */
            type: "context";
            text: string;
        } | {
            /** @constant */
            type: "quote";
            ext_id?: string;
            text: string;
        };
        Message: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            turn_id: string | null;
            content: components["schemas"]["Block"][];
            /** @description Absent: the master speaks. `kernel`: context that the kernel itself wrote for the model. */
            sender?: string;
            /** @description True for every message without a sender, the compaction marker included. */
            master: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @enum {string} */
            status: "completed" | "failed" | "aborted";
            /**
             * @description The turn of the message has not begun; absent once it has.
             * @constant
             */
            waiting?: true;
        };
        MessagePage: {
            /** @description Oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description Cursor of the next, older page; null on an empty page. */
            next_before: string | null;
        };
        RewoundMessages: {
            /** @description How many messages went. */
            deleted: number;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            first_deleted: string;
            /** @description Calls with an effect outside the chat that a rewind does not undo. */
            not_undone: {
                tool: string;
                summary: string;
            }[];
        };
        RewindFiles: {
            /**
             * @description preview: says what a rewind would do to files, and does nothing. restore: puts the files back, then rewinds; where one of them was changed since, neither.
             * @enum {string}
             */
            files: "preview" | "restore";
            /** @description The client that calls, where it has hands: it is asked about edits of clients. Absent: the client whose turn it was. */
            client_id?: string;
        };
        RewoundFiles: {
            /** @description The files that tools of the deleted part have written. */
            files: components["schemas"]["UndoneFile"][];
            /** @description Calls with an effect outside the chat that a rewind does not undo. */
            not_undone: {
                tool: string;
                summary: string;
            }[];
            /** @description How many messages went; absent with preview. */
            deleted?: number;
            /**
             * Format: uuid
             * @description Absent with preview.
             */
            first_deleted?: string;
        };
        ImportBlock: {
            /** @constant */
            type: "text";
            text: string;
            /**
             * @description Absent: it is whole.
             * @enum {string}
             */
            status?: "failed" | "aborted";
        } | {
            /** @constant */
            type: "thinking";
            text: string;
            /**
             * @description Absent: it is whole.
             * @enum {string}
             */
            status?: "failed" | "aborted";
        } | {
            /** @constant */
            type: "tool_use";
            /** @description The call id; unique inside the chat. */
            id: string;
            name: string;
            input: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            type: "tool_result";
            tool_use_id: string;
            output: string;
            is_error: boolean;
            /**
             * @description The call never returned.
             * @constant
             */
            aborted?: true;
        } | {
            /** @constant */
            type: "image";
            /** @enum {string} */
            media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
            /** @description base64 */
            data: string;
        } | {
            /** @constant */
            type: "quote";
            ext_id?: string;
            text: string;
        } | {
            /** @constant */
            type: "note";
            /**
             * @default imported
             * @enum {string}
             */
            note?: "fork_marker" | "turn_cancelled" | "turn_failed" | "kernel_restarted" | "woken" | "spend_cap_near" | "blocked" | "imported";
            text: string;
        } | {
            /** @constant */
            type: "fold";
            text: string;
            /** @description The place of a message in the list, from 0. */
            upto: number;
        };
        ImportMessage: {
            /** @enum {string} */
            role: "user" | "assistant";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            content: components["schemas"]["ImportBlock"][];
            sender?: string;
            /**
             * @default completed
             * @enum {string}
             */
            status?: "completed" | "failed" | "aborted";
        };
        ImportBranch: {
            /** @description 0: of the chat. n: of the n-th branch of this list, which stands before this one. */
            of: number;
            /** @description The first message of that one which the branch does not have. */
            before: number;
            /** @description What stands in the branch instead. */
            messages: components["schemas"]["ImportMessage"][];
        };
        ImportChat: {
            /** @description The program that it comes from, such as chatgpt. */
            source: string;
            /** @description Its id there: what was imported under it is not imported again. */
            key: string;
            title: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            updated_at?: string;
            /** @description Absent: that of the last message. */
            last_message_at?: string | null;
            shelf?: string;
            project?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            /**
             * @description Whether the owner is asked before tools change the kernel's own machine.
             * @enum {string}
             */
            consent?: "auto" | "ask";
            /** @enum {string} */
            compaction?: "auto" | "tight" | "roomy" | "off";
            toolset?: components["schemas"]["ToolsetInput"];
            summary?: {
                text: string;
                /** @description The place of a message in the list, from 0. */
                upto: number;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds.
                 */
                created_at: string;
            };
            /** @description What it has used, by model. */
            usage?: components["schemas"]["ModelSpend"][];
            messages: components["schemas"]["ImportMessage"][];
            /** @description Each becomes a fork. */
            branches?: components["schemas"]["ImportBranch"][];
        };
        ImportedChat: {
            /**
             * @description `known`: imported before. `grown`: the same, and the messages that it has more now were appended. `changed`: the same, but it had other messages then; nothing was written.
             * @enum {string}
             */
            status: "created" | "known" | "grown" | "changed";
            /** @description With `grown`: how many messages came. */
            appended?: number;
            /**
             * @description With `changed`: the chat does not end as it was imported; the conversation has not only grown at its end; or a turn of the chat is open, or another kernel has it.
             * @enum {string}
             */
            reason?: "chat_changed" | "conversation_changed" | "busy";
            /** @description Null: it would be created, where nothing is written. */
            chat_id: string | null;
            /** @description The chats that its branches became. */
            forks: string[];
        };
        PlanTask: {
            title: string;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed";
        };
        Plan: {
            tasks: components["schemas"]["PlanTask"][];
        };
        /** @enum {string} */
        ItemStatus: "running" | "completed" | "failed" | "aborted";
        AgentMessageItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "agent_message";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            text: string;
        };
        ClientOpItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "client_op";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            op_id: string;
            action: string;
            params: {
                [key: string]: unknown;
            };
            decisions?: string[];
            decision?: string;
            resolution?: {
                /** @enum {string} */
                reason: "answered" | "expired" | "turn_ended" | "cancelled";
            };
            agent?: string;
            /** @description On which machine that stands by; null: on the kernel's own. */
            hands?: string | null;
            /**
             * @description What holds an operation of the kernel itself.
             * @enum {string}
             */
            sandbox?: "bwrap" | "none";
        };
        CompactionItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "compaction";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        ImageItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "image";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            image_id: string;
            media_type: string;
            url: string;
        };
        MachineNoteItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "machine_note";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @enum {string} */
            note: "fork_marker" | "turn_cancelled" | "turn_failed" | "kernel_restarted" | "woken" | "spend_cap_near" | "blocked" | "imported";
            text: string;
        };
        PlanItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "plan";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            tasks: components["schemas"]["PlanTask"][];
        };
        ThinkingItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "thinking";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            text: string;
        };
        ToolCallItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "tool_call";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            call_id: string;
            name: string;
            input: {
                [key: string]: unknown;
            };
            /** @description Absent while the call runs. */
            output?: string;
            is_error: boolean;
            /** @description The last snapshot; live only. */
            progress?: string;
            /** @description The sub-agent that calls. */
            agent?: string;
        };
        Attachment: {
            /** @constant */
            kind: "image";
            /** @enum {string} */
            media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
            /** @description base64 */
            data: string;
        } | {
            /** @constant */
            kind: "file";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            name: string;
            /** @description Bytes. */
            size: number;
            media_type: string;
            url: string;
        };
        UserMessageItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "user_message";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn; null for what no turn made. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            text: string;
            attachments: components["schemas"]["Attachment"][];
            sender?: string;
            master: boolean;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            message_id: string;
            quote?: {
                ext_id?: string;
                text: string;
            };
            /**
             * @description The turn of the message has not begun; absent once it has.
             * @constant
             */
            waiting?: true;
        };
        Item: components["schemas"]["UserMessageItem"] | components["schemas"]["AgentMessageItem"] | components["schemas"]["ThinkingItem"] | components["schemas"]["ToolCallItem"] | components["schemas"]["ClientOpItem"] | components["schemas"]["ImageItem"] | components["schemas"]["CompactionItem"] | components["schemas"]["MachineNoteItem"] | components["schemas"]["PlanItem"];
        ItemPage: {
            /** @description Oldest first. `limit` counts source messages, not items. */
            items: components["schemas"]["Item"][];
            /** @description Cursor of the next, older page; null on an empty page. */
            next_before: string | null;
        };
        Delta: {
            /** @constant */
            type: "text";
            text: string;
        } | {
            /** @constant */
            type: "progress";
            output: string;
        } | {
            /** @constant */
            type: "plan";
            tasks: components["schemas"]["PlanTask"][];
        };
        /** @description The parameters of the action stand beside these fields. */
        ClientOpEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "client_op";
            id: string;
            op_id: string;
            action: string;
            decisions?: string[];
            agent?: string;
            /** @description The client that executes it. */
            client_id?: string;
            /** @description A machine that stands by, or null: the one of the kernel. It is executed there; any client of the owner answers with a decision alone. */
            hands?: string | null;
            /**
             * @description Beside `hands: null`: what holds it to the chat's working directory; none: nothing does.
             * @enum {string}
             */
            sandbox?: "bwrap" | "none";
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        } & {
            [key: string]: unknown;
        };
        TextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text_delta";
            text: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ThinkingDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thinking_delta";
            text: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ToolCallEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call";
            id: string;
            name: string;
            input: {
                [key: string]: unknown;
            };
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ToolResultEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_result";
            id: string;
            name: string;
            output: string;
            is_error: boolean;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ToolProgressEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_progress";
            id: string;
            output: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ExtraToolCallEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "extra_tool_call";
            id: string;
            name: string;
            input: {
                [key: string]: unknown;
            };
            client_id?: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        RequestResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_resolved";
            /** @description Of the operation, or of the tool call. */
            id: string;
            /**
             * @description An extra tool call is an op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        UsageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage";
            model: string;
            prompt_tokens: number;
            completion_tokens: number;
            /** @description Part of completion_tokens, not an addition to it. */
            reasoning_tokens: number;
            /** @description Part of prompt_tokens: read from the provider’s cache. */
            cached_tokens: number;
            cost_usd: number | null;
            /** @description The sub-agent that made the trip. */
            agent?: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        CompactingEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "compacting";
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        TurnSqueezedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_squeezed";
            freed_chars: number;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        QueuedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "queued";
            /** @description Turns before this one. */
            position: number;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        SleepingEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sleeping";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            since: string;
            until: string | null;
            reason: string | null;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ImageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            media_type: string;
            url: string;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        PlanEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan";
            tasks: components["schemas"]["PlanTask"][];
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        DoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "done";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled";
            stop_reason: string;
            message_ids: string[];
            usage: components["schemas"]["Usage"];
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            code: components["schemas"]["TurnErrorCode"];
            message: string;
            retryable: boolean;
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @description Of `follow=true`: turns were missed that are not known any more; read the items again. */
        FollowResetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ItemStartedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_started";
            item: components["schemas"]["Item"];
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ItemDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_delta";
            item_id: string;
            delta: components["schemas"]["Delta"];
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ItemCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_completed";
            item: components["schemas"]["Item"];
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @description One event of a stream. */
        Event: components["schemas"]["TextDeltaEvent"] | components["schemas"]["ThinkingDeltaEvent"] | components["schemas"]["ToolCallEvent"] | components["schemas"]["ToolResultEvent"] | components["schemas"]["ToolProgressEvent"] | components["schemas"]["ClientOpEvent"] | components["schemas"]["ExtraToolCallEvent"] | components["schemas"]["RequestResolvedEvent"] | components["schemas"]["UsageEvent"] | components["schemas"]["CompactingEvent"] | components["schemas"]["TurnSqueezedEvent"] | components["schemas"]["QueuedEvent"] | components["schemas"]["SleepingEvent"] | components["schemas"]["ImageEvent"] | components["schemas"]["PlanEvent"] | components["schemas"]["DoneEvent"] | components["schemas"]["ErrorEvent"] | components["schemas"]["FollowResetEvent"] | components["schemas"]["ItemStartedEvent"] | components["schemas"]["ItemDeltaEvent"] | components["schemas"]["ItemCompletedEvent"];
        /** @enum {string} */
        EventType: "text_delta" | "thinking_delta" | "tool_call" | "tool_result" | "tool_progress" | "client_op" | "extra_tool_call" | "request_resolved" | "usage" | "compacting" | "turn_squeezed" | "queued" | "sleeping" | "image" | "plan" | "done" | "error" | "reset" | "item_started" | "item_delta" | "item_completed";
        /** @description With `id` or `op_id`, and one at least of result, blocks, error, decision and answer. */
        OpsResult: {
            id?: string;
            op_id?: string;
            result?: string | {
                [key: string]: unknown;
            };
            /** @description It did not work: the model reads why. */
            error?: string;
            /** @description One of those that the request offered. */
            decision?: string;
            /** @description With allow_prefix: whole words from the beginning of the command, which the owner picked. */
            prefix?: string;
            /** @description Several results, each under its heading; preferred to result. */
            blocks?: {
                title: string;
                content: string;
            }[];
            /** @description The index of the question that this answers. */
            question?: number;
            /** @description To a question. */
            answer?: string;
        };
        ResolvedRequest: {
            /** @constant */
            ok: true;
            resolution: components["schemas"]["Resolution"];
        };
        /** @description With `id` or `op_id`. */
        OpsProgress: {
            id?: string;
            op_id?: string;
            /** @description A snapshot; its last 8 KiB are shown. */
            output: string;
        };
        ProgressTaken: {
            /** @constant */
            ok: true;
        };
        PendingRequest: {
            id: string;
            /** @enum {string} */
            kind: "op" | "question";
            /**
             * Format: uuid
             * @description The nil UUID where the kernel itself asks, in no chat; the answer goes there, too.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description The nil UUID where the kernel itself asks.
             */
            turn_id: string;
            /** @description Which question of the call; of a question alone. */
            question?: number;
            /** @description The sub-agent that asks. */
            agent?: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            expires_at: string;
            /** @description As the stream of the turn told it: of a question, its tool_call. */
            event: components["schemas"]["Event"];
        };
        RequestList: {
            /** @description The oldest first. */
            requests: components["schemas"]["PendingRequest"][];
        };
        /** @description Exactly one of cron and at. */
        CreateSchedule: {
            /** @description The message, as its owner would send it. */
            text: string;
            /** @description Five fields: minute, hour, day of the month, month, weekday. Names such as MON or JAN count. */
            cron?: string;
            /**
             * Format: date-time
             * @description One time, to the second, in place of cron.
             */
            at?: string;
            /** @description IANA name of the zone in which cron counts. */
            timezone?: string;
            /** @description Null: a new chat each time. */
            chat_id?: string | null;
            /** @description Of the new chat. */
            title?: string | null;
            model?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            /**
             * @description What becomes of times more than 60 s late. none: they are missed. last: the latest one runs.
             * @default none
             * @enum {string}
             */
            catch_up?: "none" | "last";
            /** @description What one run may spend: once it is spent the turn ends as failed with spend_cap. */
            max_cost_usd?: number | null;
            /** @default true */
            enabled?: boolean;
        };
        /** @description cron takes the place of at, and the other way round. */
        PatchSchedule: {
            /** @description The message, as its owner would send it. */
            text?: string;
            /** @description Five fields: minute, hour, day of the month, month, weekday. Names such as MON or JAN count. */
            cron?: string;
            /**
             * Format: date-time
             * @description One time, to the second, in place of cron.
             */
            at?: string;
            /** @description IANA name of the zone in which cron counts. */
            timezone?: string;
            /** @description Null: a new chat each time. */
            chat_id?: string | null;
            /** @description Of the new chat. */
            title?: string | null;
            model?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            /**
             * @description What becomes of times more than 60 s late. none: they are missed. last: the latest one runs.
             * @enum {string}
             */
            catch_up?: "none" | "last";
            /** @description What one run may spend: once it is spent the turn ends as failed with spend_cap. */
            max_cost_usd?: number | null;
            enabled?: boolean;
        };
        /**
         * @description running: its turn has not ended; it may still wait.
         * @enum {string}
         */
        RunStatus: "running" | "completed" | "failed" | "cancelled" | "missed";
        Schedule: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            text: string;
            cron: string | null;
            at: string | null;
            timezone: string;
            /** @description Null: a new chat each time. */
            chat_id: string | null;
            title: string | null;
            model: string | null;
            effort: components["schemas"]["Effort"] | null;
            /**
             * @description What becomes of times more than 60 s late. none: they are missed. last: the latest one runs.
             * @enum {string}
             */
            catch_up: "none" | "last";
            max_cost_usd: number | null;
            enabled: boolean;
            /** @description Why the kernel has disabled it. */
            problem: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @description Null: it is disabled, or its one time is over. */
            next_at: string | null;
            /** @description The newest run. */
            last: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds.
                 */
                due_at: string;
                status: components["schemas"]["RunStatus"];
                turn_id: string | null;
            } | null;
        };
        ScheduleList: {
            /** @description The oldest first. */
            schedules: components["schemas"]["Schedule"][];
        };
        ScheduleRun: {
            /**
             * Format: date-time
             * @description Of a run by hand: when it was asked for.
             */
            due_at: string;
            started_at: string | null;
            ended_at: string | null;
            chat_id: string | null;
            /** @description Null: no turn came of it. */
            turn_id: string | null;
            status: components["schemas"]["RunStatus"];
            error?: components["schemas"]["TurnError"];
        };
        ScheduleRunPage: {
            /** @description The newest first. */
            runs: components["schemas"]["ScheduleRun"][];
            /** @description For the next page; null where this page is empty. */
            next_before: string | null;
        };
        StartedRun: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
        };
        DeletedSchedule: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
        };
        /** @description The first event of a stream that did not name a Last-Event-ID: what happens from now on is told. */
        OpenedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
        };
        /** @description Events were missed: read again what is shown. What follows is whole. */
        ResetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
        };
        ChatCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat_created";
            chat: components["schemas"]["Chat"];
        };
        /** @description A turn that begins or ends is told by its own events, though it moves the times of its chat. */
        ChatUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat_updated";
            chat: components["schemas"]["Chat"];
        };
        ChatDeletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat_deleted";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
        };
        /** @description It runs now. */
        TurnStartedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_started";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
        };
        TurnEndedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_ended";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled";
        };
        SleepChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sleep_changed";
            asleep: boolean;
            /** @description Null while awake. */
            since: string | null;
            /** @description Null: until it is woken. */
            until: string | null;
            reason: string | null;
        };
        /** @description Of the video shelf: read it again. */
        VideoChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video_changed";
            /** @enum {string} */
            what: "history" | "subscriptions";
        };
        /** @description Of the books of this shelf: read them again. */
        BooksChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "books_changed";
            shelf: string;
        };
        /** @description What is remembered across chats: read it again. */
        MemoryChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memory_changed";
        };
        /** @description It was made, changed or deleted, or a run of it began: read it again. */
        ScheduleChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "schedule_changed";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            schedule_id: string;
        };
        /** @description A run is over. Of times that were missed in a row only the last one is told here. */
        ScheduleEndedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "schedule_ended";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            schedule_id: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            due_at: string;
            /** @enum {string} */
            status: "completed" | "failed" | "cancelled" | "missed";
            chat_id: string | null;
            turn_id: string | null;
        };
        /** @description Of write_bytes without its data: that goes to the stream of the turn alone. */
        RequestOpenedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_opened";
            request: components["schemas"]["PendingRequest"];
        };
        OpenRequestResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_resolved";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            /** @description Of the operation, or of the tool call. */
            id: string;
            /**
             * @description An extra tool call is an op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
        };
        /** @description One event of the stream of the kernel. */
        KernelEvent: components["schemas"]["OpenedEvent"] | components["schemas"]["ResetEvent"] | components["schemas"]["ChatCreatedEvent"] | components["schemas"]["ChatUpdatedEvent"] | components["schemas"]["ChatDeletedEvent"] | components["schemas"]["TurnStartedEvent"] | components["schemas"]["TurnEndedEvent"] | components["schemas"]["SleepChangedEvent"] | components["schemas"]["VideoChangedEvent"] | components["schemas"]["BooksChangedEvent"] | components["schemas"]["MemoryChangedEvent"] | components["schemas"]["ScheduleChangedEvent"] | components["schemas"]["ScheduleEndedEvent"] | components["schemas"]["RequestOpenedEvent"] | components["schemas"]["OpenRequestResolvedEvent"];
        Notebook: {
            text: string;
            /** @description Null: never written. */
            updated_at: string | null;
        };
        SetNotebook: {
            /** @description The whole notebook; an empty one is cleared. */
            text: string;
        };
        FoundMessage: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            message_id: string;
            /** @description What stands around the words that were found, which stand between ** and **. */
            snippet: string;
            /**
             * @description The turn of the message has not begun.
             * @constant
             */
            waiting?: true;
        };
        SearchResults: {
            /** @description The newest first. */
            results: components["schemas"]["FoundMessage"][];
        };
        Guest: {
            /** @description As in mcp.servers. */
            name: string;
            /** @enum {string} */
            status: "up" | "down";
            /** @description Why it is down, or what it wants. */
            problem: string | null;
            /**
             * @description none: it wants none, or has its token by the settings; needed: it wants one, or another one; waiting: one was begun.
             * @enum {string}
             */
            sign_in: "none" | "needed" | "waiting" | "done";
            /** @description Of the protocol, in the last connection. */
            revision: string | null;
        };
        GuestList: {
            /** @description By name. */
            guests: components["schemas"]["Guest"][];
        };
        SignIn: {
            /** @description The page of the authorization server, for a browser of the owner. Good once. */
            url: string;
            /**
             * Format: date-time
             * @description The answer of that page is taken until then.
             */
            expires_at: string;
        };
        KernelName: {
            /**
             * Format: uuid
             * @description As GET /v1/kernels has it: new with each start.
             */
            id: string;
            /** @description Of its machine. */
            name: string;
        };
        KernelList: {
            /** @description The oldest first. */
            kernels: {
                /**
                 * Format: uuid
                 * @description New with each start. The header X-Kernel of an answer names the one that did the work.
                 */
                id: string;
                /** @description Where the others reach it; null: it shares its database with none. */
                url: string | null;
                /** @description Of its machine. */
                name: string;
                version: string;
                /**
                 * Format: date-time
                 * @description When it started.
                 */
                since: string;
                /** @description Its turns that run. */
                turns: number;
                /** @description It lives. */
                here: boolean;
            }[];
        };
        Module: {
            name: string;
            /** @description Null: it has never answered. */
            version: string | null;
            about: string | null;
            /**
             * @description pending: found, and waits to be approved; failed: started too often in vain, or speaks another protocol.
             * @enum {string}
             */
            status: "up" | "down" | "pending" | "revoked" | "failed";
            /** @enum {string} */
            source: "settings" | "socket_dir";
            /** @description Full names. */
            tools: string[];
            stages: string[];
            /** @description Null: not approved by a decision; named in the settings it needs none. */
            approved_at: string | null;
            /** @description Why it is not up. */
            problem: string | null;
            /** @description The kernel that runs it, where several share the database; absent: none of them has it now. */
            kernel?: components["schemas"]["KernelName"];
        };
        ModuleList: {
            modules: components["schemas"]["Module"][];
        };
        CompletionRequest: {
            /** @description One message of a user; this or messages. */
            prompt?: string;
            /** @description The last one is a user’s. */
            messages?: {
                /** @enum {string} */
                role: "user" | "assistant";
                content: string;
            }[];
            system?: string;
            /** @description Absent: the default one. */
            model?: string;
            /** @description Absent: the least that the model takes. */
            effort?: components["schemas"]["Effort"];
            max_tokens?: number;
            /** @description The system text repeats from call to call: providers that want to be told are told so. */
            cache?: boolean;
            /** @description JSON Schema of an object: the answer is to be the JSON of one. */
            schema?: {
                [key: string]: unknown;
            };
        };
        Completion: {
            text: string;
            /** @description The id of the one that answered. */
            model: string;
            /** @description Null: the provider has not told. */
            usage: components["schemas"]["Usage"] | null;
            /** @description With a schema: whether the provider was asked to hold the answer to it. Either way, parse defensively. */
            schema_enforced?: boolean;
        };
        File: {
            /**
             * Format: uuid
             * @description UUIDv4: who knows it may read the file at /files/{id}.
             */
            id: string;
            /** @description As it was given, made safe as the name of a file. */
            name: string;
            /** @description Without parameters. */
            media_type: string;
            /** @description Bytes. */
            size: number;
        };
        MemoryEntry: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            text: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            updated_at: string;
            /** @description The chat in which a model wrote it; null: its owner did, or the chat is gone. */
            chat_id: string | null;
        };
        Memory: {
            /** @description The oldest first. */
            entries: components["schemas"]["MemoryEntry"][];
            /** @description Of all texts together. */
            chars: number;
            /** @description The setting `memory.max_chars`. */
            max_chars: number;
            /** @description What telling a model all of it costs, about. */
            tokens: number;
        };
        AddMemory: {
            /** @description What is remembered. Space around it is left out. */
            text: string;
        };
        PatchMemory: {
            /** @description What is remembered. Space around it is left out. */
            text: string;
        };
        MemoryForgotten: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /** @description Messages that still say it, as far as a search finds them: the newest, and not all where there are many. */
            found_in: {
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                chat_id: string;
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                message_id: string;
            }[];
        };
        MemoryEmptied: {
            /** @description How many entries there were. */
            deleted: number;
            /** @description Messages that still say it, as far as a search finds them: the newest, and not all where there are many. */
            found_in: {
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                chat_id: string;
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                message_id: string;
            }[];
        };
        /** @description USD per million tokens. */
        Price: {
            input: number;
            output: number;
            /** @description Absent: cached tokens cost what input costs. */
            cached_input?: number;
        };
        Model: {
            /** @description provider/name */
            id: string;
            name: string;
            provider: string;
            /** @description The level of the model itself; null: the global one counts. */
            effort: components["schemas"]["Effort"] | null;
            /** @description The levels it takes. */
            efforts: components["schemas"]["Effort"][];
            /** @description Tokens. */
            context_window: number;
            max_output_tokens: number;
            inputs: ("text" | "image")[];
            /** @description Null: unknown. */
            price: components["schemas"]["Price"] | null;
        };
        ModelList: {
            models: components["schemas"]["Model"][];
            default_model: string | null;
            /** @description The global setting llm.reasoning. */
            effort_default: components["schemas"]["Effort"];
            /** @description Model id → tokens. */
            context_windows: {
                [key: string]: number;
            };
        };
        Person: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            name: string | null;
            /** @description The master, speaking through a surface. */
            master: boolean;
            /** @description May use the tools that are for trusted people only. */
            trusted: boolean;
            /** @description By surface and id. */
            external_ids: {
                surface: string;
                external_id: string;
            }[];
        };
        PersonList: {
            /** @description The oldest first. */
            persons: components["schemas"]["Person"][];
        };
        ResolvePerson: {
            /** @description Where the id is from, such as mail or telegram. */
            surface: string;
            /** @description What the surface calls the person. */
            external_id: string;
            /** @description Kept where the person has no name yet. */
            name?: string;
        };
        PatchPerson: {
            name?: string | null;
            trusted?: boolean;
            master?: boolean;
        };
        MergePerson: {
            /**
             * Format: uuid
             * @description The person that stays.
             */
            into: string;
        };
        /** @enum {string} */
        PushEvent: "request_opened" | "turn_ended" | "schedule_ended" | "spend_cap";
        PushKey: {
            /** @description The key for applicationServerKey, in base64url. */
            public_key: string;
        };
        SubscribeToPush: {
            /** @description The address that the browser was given. */
            endpoint: string;
            /** @description As PushSubscription.toJSON() of the browser has them. */
            keys: {
                p256dh: string;
                auth: string;
            };
            /** @description What its owner calls the device. */
            name?: string;
            /** @description What it is told; absent: everything. */
            on?: components["schemas"]["PushEvent"][];
        };
        /** @description Without its keys, which nobody reads back. */
        PushSubscription: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            endpoint: string;
            name: string | null;
            /** @description Null: everything. */
            on: components["schemas"]["PushEvent"][] | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        PushSubscriptionList: {
            /** @description The oldest first. */
            subscriptions: components["schemas"]["PushSubscription"][];
        };
        PushUnsubscribed: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
        };
        /** @enum {string} */
        PushOutcome: "sent" | "failed" | "gone";
        PushTested: {
            /** @description gone: there is no such subscription any more, and it was removed. */
            outcome: components["schemas"]["PushOutcome"];
            /** @description Why it was not sent. */
            detail: string | null;
        };
        PushSent: {
            /**
             * Format: date-time
             * @description Of the last attempt.
             */
            at: string;
            /** @enum {string} */
            type: "request_opened" | "turn_ended" | "schedule_ended" | "spend_cap" | "test";
            chat_id: string | null;
            /** @enum {string} */
            to: "subscription" | "command" | "url";
            /** @description Of the subscription, or of the entry of the settings. */
            name: string;
            /** @description gone: there is no such subscription any more, and it was removed. */
            outcome: components["schemas"]["PushOutcome"];
            /** @description Why it was not sent. */
            detail: string | null;
            attempts: number;
            /** @description It is tried once more. */
            again: boolean;
        };
        PushLog: {
            /** @description The last 50 since the start, the newest first. */
            sent: components["schemas"]["PushSent"][];
        };
        Skill: {
            /** @description Letters, digits, - and _. */
            name: string;
            /** @description When it is to be used: what models are told of it in every prompt. */
            description: string;
            /** @description Its folder. */
            path: string;
            /**
             * @description Whether that lies on the kernel's machine or on a client's.
             * @enum {string}
             */
            on: "server" | "client";
        };
        SkillList: {
            /** @description By name. */
            skills: components["schemas"]["Skill"][];
            /** @description What looks like a skill and is none. */
            broken: {
                path: string;
                reason: string;
            }[];
        };
        PutToSleep: {
            /**
             * Format: date-time
             * @description When it wakes by itself; absent: not before it is woken.
             */
            until?: string;
            reason?: string;
        };
        SleepState: {
            asleep: boolean;
            since: string | null;
            /** @description Null: not before it is woken; or it is awake. */
            until: string | null;
            reason: string | null;
            /** @description Turns that sleep: those that arrived meanwhile, and those that went to sleep themselves. */
            waiting: {
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                chat_id: string;
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                turn_id: string;
            }[];
        };
        Woken: {
            /** @description Turns. */
            woken: string[];
        };
        Stats: {
            version: string;
            uptime_s: number;
            /** @description With those that were deleted, here as in all counts. */
            chats: number;
            messages: number;
            turns: {
                queued: number;
                sleeping: number;
                running: number;
                completed: number;
                failed: number;
                cancelled: number;
            };
            /** @description Of all chats, also deleted ones, and of all that belonged to none. */
            tokens: {
                prompt_tokens: number;
                completion_tokens: number;
                /** @description Part of completion_tokens, not an addition to it. */
                reasoning_tokens: number;
                /** @description Part of prompt_tokens. */
                cached_tokens: number;
            };
            cost_usd: number | null;
            /** @description Provider → what it last said. */
            rate_limits: {
                [key: string]: {
                    /**
                     * Format: date-time
                     * @description RFC 3339, UTC, milliseconds.
                     */
                    at: string;
                    requests?: {
                        limit: number | null;
                        remaining: number | null;
                        reset_at: string | null;
                    };
                    tokens?: {
                        limit: number | null;
                        remaining: number | null;
                        reset_at: string | null;
                    };
                };
            };
            triage: {
                engaged: number;
                responded: number;
                /** @description Growth means that a judge wakes its module in vain. */
                misses: number;
            };
            modules: {
                [key: string]: "up" | "down";
            };
            /** @description Of the day and the month; absent where the settings cap neither. */
            caps?: components["schemas"]["SpendCap"][];
        };
        TriageReport: {
            /** @description Messages that the judge engaged. */
            engaged: number;
            /** @description Those of them that a reply went to. */
            responded: number;
        };
        Triage: {
            engaged: number;
            responded: number;
            /** @description Growth means that a judge wakes its module in vain. */
            misses: number;
        };
        ToolEntry: {
            name: string;
            description: string;
            /** @description JSON Schema of the input. */
            input_schema: {
                [key: string]: unknown;
            };
            group: string;
            /** @description An emoji, or the name of an icon. */
            icon: string;
            /** @description Only where the master or a trusted person speaks. */
            trusted_only: boolean;
            /** @description Only where the master speaks; trusted_only then, too. */
            master_only: boolean;
            /** @description Only where the client of the turn has hands. */
            client_only: boolean;
            /** @description Its group is one line in the prompt until the model loads it. */
            on_demand: boolean;
            /** @enum {string} */
            source: "builtin" | "module" | "mcp";
            /** @description False: its module or server is down, and a call says so. */
            available: boolean;
            /** @description The kernel that runs its module or server, where several share the database; calls go there. */
            kernel?: components["schemas"]["KernelName"];
        };
        ToolGroupEntry: {
            name: string;
            /** @description By this a model decides whether to load the group. */
            about: string;
            /** @description All that it holds is on demand. */
            on_demand: boolean;
        };
        ToolList: {
            /** @description In the order in which models get them. */
            tools: components["schemas"]["ToolEntry"][];
            /** @description By name. */
            groups: components["schemas"]["ToolGroupEntry"][];
        };
        VoicePrice: {
            /** @description USD per minute of audio that is written down. */
            per_minute?: number;
            /** @description USD per million characters that are read aloud. */
            per_million_chars?: number;
        };
        /** @enum {string} */
        SpeechFormat: "mp3" | "wav" | "opus";
        TranscriptionModel: {
            /** @description provider/name */
            id: string;
            name: string;
            provider: string;
            /** @description Null: unknown. */
            price: components["schemas"]["VoicePrice"] | null;
        };
        SpeechModel: {
            /** @description provider/name */
            id: string;
            name: string;
            provider: string;
            /** @description Null: unknown. */
            price: components["schemas"]["VoicePrice"] | null;
            /** @description Those that are known, the default first. */
            voices: string[];
            /** @description The default first. */
            formats: components["schemas"]["SpeechFormat"][];
        };
        VoiceList: {
            transcription: {
                models: components["schemas"]["TranscriptionModel"][];
                /** @description Null: no model of this use can be used. */
                default_model: string | null;
            };
            speech: {
                models: components["schemas"]["SpeechModel"][];
                /** @description Null: no model of this use can be used. */
                default_model: string | null;
                /** @description The setting voice.voice; null: the first of the model. */
                voice: string | null;
            };
        };
        Transcription: {
            /** @description "" where nothing was said. */
            text: string;
            /** @description The id of the one that answered. */
            model: string;
            /** @description Null: the provider has not told. */
            language: string | null;
            /** @description Null: nobody has told. */
            duration_secs: number | null;
            /** @description Null: the price is unknown. */
            cost_usd: number | null;
        };
        SpeechRequest: {
            /** @description Markdown; this, or chat_id and message_id. */
            text?: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id?: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            message_id?: string;
            /** @description Absent: the default one. */
            model?: string;
            /** @description Absent: the default one. */
            voice?: string;
            /** @description Absent: the first that the model makes. */
            format?: components["schemas"]["SpeechFormat"];
        };
        Book: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /** @description Chats of this shelf have the book. */
            shelf: string;
            title: string;
            author: string | null;
            /** @enum {string} */
            format: "pdf" | "epub" | "html" | "markdown" | "text";
            /** @description Of the file that it was read from. */
            file_name: string;
            /** @description Bytes of that file. */
            size: number;
            /**
             * @description What it is counted in.
             * @enum {string}
             */
            unit: "page" | "chapter" | "section" | "line";
            /** @description How many of these it has. */
            count: number;
            /** @description Characters of its text. */
            chars: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        BookList: {
            /** @description The newest first. */
            books: components["schemas"]["Book"][];
            /** @description Null where the page is empty: that is the end. */
            next_before: string | null;
        };
        PatchBook: {
            title?: string;
            /** @description The shelf that it moves to. */
            shelf?: string;
        };
        BookDeleted: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
        };
        MarkVideo: {
            /** @default null */
            title?: string | null;
            /** @default null */
            channel_id?: string | null;
            /** @default null */
            channel_title?: string | null;
            /** @default null */
            thumbnail_url?: string | null;
            /**
             * @description As the client knows it.
             * @default null
             */
            published_at?: string | null;
            /** @description 0 or less: nobody knows, as of a live stream. */
            duration_s: number;
            /**
             * @description Where one stopped. Kept from 2 % to 97 % of the duration, else it becomes null.
             * @default null
             */
            position_s?: number | null;
            /**
             * @description Whatever else clients want to keep: at most 16 KiB of JSON.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        Video: {
            /** @default null */
            title: string | null;
            /** @default null */
            channel_id: string | null;
            /** @default null */
            channel_title: string | null;
            /** @default null */
            thumbnail_url: string | null;
            /**
             * @description As the client knows it.
             * @default null
             */
            published_at: string | null;
            /** @description 0 or less: nobody knows, as of a live stream. */
            duration_s: number;
            /**
             * @description Where one stopped. Kept from 2 % to 97 % of the duration, else it becomes null.
             * @default null
             */
            position_s: number | null;
            /**
             * @description Whatever else clients want to keep: at most 16 KiB of JSON.
             * @default {}
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Whatever names the video: the kernel knows no site. */
            video_id: string;
            /**
             * Format: date-time
             * @description When it was last marked.
             */
            watched_at: string;
        };
        VideoPage: {
            /** @description The last marked first. */
            rows: components["schemas"]["Video"][];
            /** @description Null where the page is empty: that is the end. */
            next_before: string | null;
        };
        SubscribeToChannel: {
            title: string;
            /** @default null */
            url?: string | null;
            /** @default null */
            avatar_url?: string | null;
            /**
             * @description Whatever else clients want to keep: at most 16 KiB of JSON.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        Subscription: {
            title: string;
            /** @default null */
            url: string | null;
            /** @default null */
            avatar_url: string | null;
            /**
             * @description Whatever else clients want to keep: at most 16 KiB of JSON.
             * @default {}
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Whatever names the channel; of one that has no id, its address. */
            channel_id: string;
        };
        SubscriptionList: {
            /** @description By title, whatever its case. */
            subscriptions: components["schemas"]["Subscription"][];
        };
        VideosDeleted: {
            deleted: number;
        };
        SubscriptionsImported: {
            /**
             * @description What the file was found to be.
             * @enum {string}
             */
            format: "opml" | "newpipe" | "invidious" | "freetube";
            /** @description Channels that were not followed yet. */
            new: number;
            /** @description Channels that are followed already: they stay as they are. */
            known: number;
            /** @description Entries that name no channel. */
            invalid: number;
            /** @description True: only counted. */
            dry_run: boolean;
        };
        Approval: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /** @description Operations of this action in this chat ask nobody. */
            action: string;
            /** @description Of the action shell: exactly this one. */
            command?: string;
            /** @description Of allow_prefix: commands that begin with these words, and are one plain command. */
            prefix?: string;
            /** @description Only while this is the working directory of the chat. */
            workdir: string | null;
            /**
             * @description On which machine workdir applies.
             * @enum {string}
             */
            workdir_on: "client" | "server";
            /** @description Only operations that this client is to execute. */
            client_id?: string;
            /** @description Only on the machine that stands by under this name. */
            hands?: string;
            /**
             * @description allow_session ends with the process of the kernel. allow_edits: only files below `workdir`, none of git or of the shell.
             * @enum {string}
             */
            decision: "allow_session" | "allow_always" | "allow_prefix" | "allow_edits";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        ApprovalList: {
            /** @description The oldest first. */
            approvals: components["schemas"]["Approval"][];
        };
        RevokedApprovals: {
            /** @description How many. */
            revoked: number;
        };
        ReadBytes: {
            path: string;
            /** @description First byte. */
            offset: number;
            /** @description Most bytes to read. */
            size: number;
        };
        BytesRead: {
            /** @description Bytes of the whole file. */
            total: number;
            /** @description Fewer bytes than asked for where the file ends. */
            data: string;
        };
        FindBytes: {
            path: string;
            /** @description The bytes to look for: one at least, and at most 48 KiB of base64. */
            data: string;
            /**
             * @description Where to begin.
             * @default 0
             */
            offset?: number;
            /**
             * @description Most places to tell.
             * @default 100
             */
            limit?: number;
        };
        BytesFound: {
            /** @description Bytes of the whole file. */
            total: number;
            /** @description Where the bytes stand, from the first to the last. */
            offsets: number[];
        };
        /** @description To be executed now: whoever had to be asked has said yes. */
        HandsOpEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "client_op";
            id: string;
            op_id: string;
            action: string;
            decisions?: string[];
            agent?: string;
            /** @description The client that executes it. */
            client_id?: string;
            /** @description A machine that stands by, or null: the one of the kernel. It is executed there; any client of the owner answers with a decision alone. */
            hands?: string | null;
            /**
             * @description Beside `hands: null`: what holds it to the chat's working directory; none: nothing does.
             * @enum {string}
             */
            sandbox?: "bwrap" | "none";
            /**
             * @description Present on events of a replay: draw them, never execute them.
             * @constant
             */
            replayed?: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An operation that this machine got is over. Both ids are the nil UUID where the kernel knows nothing of it any more. */
        HandsResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_resolved";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            /** @description Of the operation, or of the tool call. */
            id: string;
            /**
             * @description An extra tool call is an op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
        };
        /** @description One event of the stream of a machine that stands by. */
        HandsEvent: components["schemas"]["HandsOpEvent"] | components["schemas"]["HandsResolvedEvent"];
        StandByHands: {
            client_id: string;
            /** @description The name of a machine that stands by: on one line, with nothing in it that is not seen. */
            name: string;
            /** @description As the machine calls it, such as linux. */
            platform: string;
            /**
             * Format: date-time
             * @description When it came, or went.
             */
            since: string;
            /** @description Whether it is connected. */
            here: boolean;
        };
        HandsList: {
            /** @description By name. */
            hands: components["schemas"]["StandByHands"][];
        };
        ForgottenHands: {
            /** @constant */
            deleted: true;
            client_id: string;
        };
        ExtraTool: {
            name: string;
            description: string;
            /** @description JSON Schema of the input; absent: no arguments. */
            input_schema?: {
                [key: string]: unknown;
            };
            timeout_secs?: number;
            /** @description A successful call closes the turn. */
            ends_turn?: boolean;
        };
        TurnRequest: {
            text?: string;
            /** @description Absent, and no person_id: the master speaks. Alone: a stranger. */
            sender?: string;
            /**
             * Format: uuid
             * @description The message is of this person, with or without a sender.
             */
            person_id?: string;
            images?: {
                /** @enum {string} */
                media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
                /** @description base64 */
                data: string;
            }[];
            /** @description Ids that POST /v1/files returned. */
            files?: {
                id: string;
            }[];
            context?: string;
            effort?: components["schemas"]["Effort"];
            model?: string;
            /** @description These event types are not sent on this stream. */
            mute?: components["schemas"]["EventType"][];
            project_docs?: boolean;
            /** @description The client knows the operation list_dir: with `project_docs`, skills are looked for. */
            list_dir?: boolean;
            /** @description This client has hands. */
            client_ops?: boolean;
            /**
             * @description none: no tool of this turn works on a machine, and its prompt has no [project] block.
             * @enum {string}
             */
            machine?: "auto" | "none";
            /** @description This client can show questions; default: client_ops. */
            questions?: boolean;
            client_id?: string;
            extra_tools?: components["schemas"]["ExtraTool"][];
            anchor?: components["schemas"]["Anchor"];
            /** @description Becomes the title of a chat that has none. */
            chat_title?: string;
            reply_to_ext_id?: string;
            reply_to_text?: string;
            guest?: boolean;
            /** @description Most tokens of one answer of the model. */
            max_tokens?: number;
            /** @description Asks the model for a short answer. */
            brief?: boolean;
            /** @description Counts where the chat has no model. */
            surface_model?: string;
            surface_effort?: components["schemas"]["Effort"];
            /** @description Groups or tool names: only these are offered. */
            tools?: string[];
            /**
             * @default queue
             * @enum {string}
             */
            on_busy?: "queue" | "reject";
        };
        Config: {
            server: {
                [key: string]: unknown;
            };
            data_dir: string;
            database: {
                [key: string]: unknown;
            };
            log: {
                [key: string]: unknown;
            };
            telemetry: {
                [key: string]: unknown;
            };
            llm: {
                [key: string]: unknown;
            };
            voice: {
                [key: string]: unknown;
            };
            files: {
                [key: string]: unknown;
            };
            modules: {
                [key: string]: unknown;
            };
            mcp: {
                [key: string]: unknown;
            };
            sleep: {
                [key: string]: unknown;
            };
            tools: {
                [key: string]: unknown;
            };
            titles: {
                [key: string]: unknown;
            };
            requests: {
                [key: string]: unknown;
            };
            push: {
                [key: string]: unknown;
            };
            notify: {
                [key: string]: unknown;
            }[];
            memory: {
                [key: string]: unknown;
            };
            skills: {
                [key: string]: unknown;
            };
            spend: {
                [key: string]: unknown;
            };
            compaction: {
                [key: string]: unknown;
            };
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "ready" | "not_ready";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listChats: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: number;
                /** @description The chat after which the page begins: only older ones. */
                before?: string;
                /** @description Only chats of this shelf. */
                shelf?: string;
                /** @description Only chats of this project. */
                project?: string;
                /** @description Part of the title, in any case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            /** @description `malformed_cursor`: The cursor is not one that this API hands out. `unknown_cursor`: The cursor points at nothing in this list. `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChat"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteChat: {
        parameters: {
            query?: {
                /** @description Cancel a running turn first. */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedChat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn of this chat is running. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchChat"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn of this chat is running. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setWorkdir: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWorkdir"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setEffort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetEffort"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffortSetting"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetModel"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compactChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactResult"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn of this chat is running. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: The model provider failed. */
            502: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSpend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spend"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    erasePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: number;
                /** @description The message before which the page ends. */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            /** @description `malformed_cursor`: The cursor is not one that this API hands out. `unknown_cursor`: The cursor points at nothing in this list. `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startTurn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 h attaches to the turn that the first call started. */
                "idempotency-key"?: string;
                /** @description Of a repeat: only what came after this event of the turn is sent. Without Idempotency-Key, the same message with an event of its turn is a repeat too: it attaches to that turn. */
                "last-event-id"?: string;
            };
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnRequest"];
            };
        };
        responses: {
            /** @description Server-sent events: each is a line `data: ` with one Event as JSON, and a line `id: ` with where to go on, then an empty line. Before the first there is a line `retry: `, and before any one there may be comments. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The turn. */
                    "X-Turn-Id"?: string;
                    /** @description The stored user message. */
                    "X-Message-Id"?: string;
                    /** @description `true`: the stream goes on right behind the event that Last-Event-ID names; `false`: it tells from the beginning. Absent where none was named. */
                    "X-Resumed"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "text_delta",
                     *       "text": "Hel"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `tool_name_taken`: An extra tool has the name of a tool that exists. `unknown_file`: No file has this id. `unknown_model`: No model has this id. `empty_message`: The message has no text, no image and no file. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn of this chat is running. `idempotency_mismatch`: The idempotency key was used for another request. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewoundMessages"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn of this chat is running. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rewindFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RewindFiles"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewoundFiles"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn of this chat is running. `files_changed`: Files were changed since. `files_stuck`: Files cannot be put back now. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forkChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForkChat"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                turn_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelTurn: {
        parameters: {
            query?: {
                /** @description Also cancel the turns that wait. */
                queued?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelResult"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    watchChat: {
        parameters: {
            query?: {
                /** @description Event types that are not sent, comma-separated. */
                mute?: string;
                /** @description Stay for the turns to come. */
                follow?: "true" | "false";
            };
            header?: {
                /** @description Only what came after this event is sent. */
                "last-event-id"?: string;
            };
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: each is a line `data: ` with one Event as JSON, and a line `id: ` with where to go on, then an empty line. Before the first there is a line `retry: `, and before any one there may be comments. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description `true`: the stream goes on right behind the event that Last-Event-ID names; `false`: it tells from the beginning. Absent where none was named. */
                    "X-Resumed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "text_delta",
                     *       "text": "Hel"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description Nothing to say. */
            204: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    watchKernel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only what came after this event is sent. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: each is a line `data: ` with one KernelEvent as JSON, and a line `id: ` with where to go on, then an empty line. Before the first there is a line `retry: `, and before any one there may be comments. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "chat_deleted",
                     *       "chat_id": "0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["KernelEvent"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsResult"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedRequest"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. `unknown_request`: No request has this id. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_resolved`: The request is resolved already. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsProgress"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressTaken"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. `unknown_request`: No request has this id. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_resolved`: The request is resolved already. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Only what this chat waits for. */
                chat_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApprovals"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApprovals"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readBytes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadBytes"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesRead"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. `forbidden_path`: This path is out of reach. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readClientBytes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadBytes"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesRead"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. `forbidden_path`: This path is out of reach. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_client`: No client with hands has a turn open in this chat. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    findClientBytes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindBytes"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesFound"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. `forbidden_path`: This path is out of reach. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_client`: No client with hands has a turn open in this chat. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    standBy: {
        parameters: {
            query: {
                /** @description Stays the same from one start to the next. */
                client_id: string;
                /** @description The name of a machine that stands by: on one line, with nothing in it that is not seen. */
                name: string;
                /** @description Such as linux. */
                platform?: string;
                /** @description The ids of the operations that the machine is at, or has not answered yet, comma-separated. */
                running?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: each is a line `data: ` with one HandsEvent as JSON, and a line `id: ` with where to go on, then an empty line. Before the first there is a line `retry: `, and before any one there may be comments. Here the id says nothing: nobody goes on in this stream. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "client_op",
                     *       "id": "0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa",
                     *       "op_id": "0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa",
                     *       "action": "shell",
                     *       "command": "git status",
                     *       "hands": "laptop",
                     *       "client_id": "c1",
                     *       "chat_id": "0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1ab",
                     *       "turn_id": "0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1ac"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["HandsEvent"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `name_taken`: Another machine has this name. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHands: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandsList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetHands: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client that is the machine. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgottenHands"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSleep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SleepState"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sleep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutToSleep"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SleepState"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    wake: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Woken"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSchedule"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedSchedule"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSchedule"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedRun"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: number;
                /** @description A due time: only runs that were due earlier. */
                before?: string;
            };
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRunPage"];
                };
            };
            /** @description `malformed_cursor`: The cursor is not one that this API hands out. `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listItems: {
        parameters: {
            query?: {
                /** @description Counts messages; a message has several items. */
                limit?: number;
                /** @description The item before which the page ends. */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            /** @description `malformed_cursor`: The cursor is not one that this API hands out. `unknown_cursor`: The cursor points at nothing in this list. `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getNotebook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notebook"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setNotebook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetNotebook"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notebook"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that has this chat cannot be reached. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddMemory"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEntry"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetAllMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEmptied"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryForgotten"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMemory"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEntry"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPushKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushKey"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPushSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscriptionList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subscribeToPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeToPush"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscription"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unsubscribeFromPush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushUnsubscribed"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testPush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushTested"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readPushLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushLog"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description Every word must be there; the last may be the beginning of one. */
                q: string;
                /** @description At most so many. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportChat: {
        parameters: {
            query?: {
                /** @description The chat and its items, one a line; or a text for people. */
                format?: "jsonl" | "md";
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description A file with the name of the chat. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importChat: {
        parameters: {
            query?: {
                /** @description Write nothing, and say what would come of it. */
                dry_run?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportChat"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedChat"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    complete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completion"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `spend_cap`: A cap on spending is reached. */
            402: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: The model provider failed. */
            502: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    speak: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpeechRequest"];
            };
        };
        responses: {
            /** @description The audio. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "audio/*": unknown;
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `spend_cap`: A cap on spending is reached. */
            402: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: The model provider failed. */
            502: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `too_busy`: Too much of this runs already. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listModules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModuleList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approveModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the settings name it. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Module"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `module_down`: The module is not running. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the settings name it. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Module"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `module_down`: The module is not running. */
            409: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGuests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signInToGuest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in mcp.servers. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `sign_in_failed`: The tool server lets nobody sign in. */
            502: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOutOfGuest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in mcp.servers. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guest"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolvePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolvePerson"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPersons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchPerson"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mergePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergePerson"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportTriage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriageReport"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Triage"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBooks: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: number;
                /** @description The id of the last book that is known. */
                before?: string;
                /** @description Only books of this shelf. */
                shelf?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookList"];
                };
            };
            /** @description `malformed_cursor`: The cursor is not one that this API hands out. `unknown_cursor`: The cursor points at nothing in this list. `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The book. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The book. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookDeleted"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The book. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchBook"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whatever names the video: the kernel knows no site. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkVideo"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whatever names the video: the kernel knows no site. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideosDeleted"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: number;
                /** @description The id of the last video that is known. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoPage"];
                };
            };
            /** @description `malformed_cursor`: The cursor is not one that this API hands out. `unknown_cursor`: The cursor points at nothing in this list. `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVideos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideosDeleted"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whatever names the channel; of one that has no id, its address. */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeToChannel"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of fields that were not understood. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. `schema_mismatch`: The body does not fit the schema. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whatever names the channel; of one that has no id, its address. */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideosDeleted"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: The body is not JSON. */
            422: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportSubscriptions: {
        parameters: {
            query?: {
                /** @description Which programs are to read it. */
                format?: "opml" | "newpipe";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Its name. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                /** @description Those of its working directory are among them. */
                chat_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillList"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The bytes of an id never change. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    /** @description The bytes of an id never change. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `range_not_satisfiable`: The file has no bytes in this range. */
            416: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Config"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Success. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    listKernels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KernelList"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Samples, one a line. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transcribe: {
        parameters: {
            query?: {
                /** @description Absent: the default one. */
                model?: string;
                /** @description The language that is spoken, as ISO 639 names it; absent: the model finds out. */
                language?: string;
                /** @description An uploaded file in place of a body. */
                file_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bytes of the audio. */
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcription"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. `unknown_model`: No model has this id. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `spend_cap`: A cap on spending is reached. */
            402: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Nothing is here. */
            404: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: The model provider failed. */
            502: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `too_busy`: Too much of this runs already. `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importSubscriptions: {
        parameters: {
            query?: {
                /** @description Only count. */
                dry_run?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The bytes of the file. */
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionsImported"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The name: percent-encoded UTF-8. */
                "x-file-name"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The bytes. */
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description `invalid_value`: A value is not allowed here. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Pages of this origin may not use the kernel. `forbidden_host`: The kernel does not answer under this host name. */
            403: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: A body of this type is not taken here. */
            415: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The kernel made a mistake. */
            500: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: The kernel cannot store anything now. */
            503: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
