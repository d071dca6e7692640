/**
 * Generated from docs/openapi.json: `npm run docs` regenerates it, `npm run check` compares it. Not to be edited.
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
         * @description Sorted by creation time. An empty page is the end.
         */
        get: operations["listChats"];
        put?: never;
        /**
         * Create a chat
         * @description All fields are optional. `{}` creates a chat with the defaults of the settings.
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
         * Get a chat
         * @description Returns settings, title, summary and times, but not the messages.
         */
        get: operations["getChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat
         * @description Also deletes its messages, spend, approvals, and files that no other chat uses. While a turn runs, this requires force=true.
         */
        delete: operations["deleteChat"];
        options?: never;
        head?: never;
        /**
         * Change a chat
         * @description Absent fields stay unchanged; null clears a field.
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
         * @description The directory is on the machine named by `workdir_on`. Null clears it.
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
         * @description Applies from the next turn on, unless the turn request overrides it.
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
         * @description Applies from the next turn on, unless the turn request overrides it.
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
         * Compact the history now
         * @description Older messages are replaced by a summary in the model context. The stored history stays complete for reading, search and export.
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
         * Get usage and cost of a chat
         * @description Tokens and cost, by model. A cost is null if the price of a model is unknown. If the settings limit spending, `caps` shows the state of each limit.
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
         * Get the current plan
         * @description The tasks as the model wrote them last. Empty if there is no plan.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        /**
         * Clear the plan
         * @description Returns the empty plan. A running turn reports the change in its stream.
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
         * List messages, newest page first
         * @description Messages consist of blocks. `items` returns the same history for display.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Send a message and stream its turn
         * @description A 200 means that the message is stored. The turn then continues independently of this stream. While another turn of the chat runs, this one is queued, or rejected with on_busy: reject.
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
         * Rewind: delete a message and all later ones
         * @description This cannot be undone. Side effects of tools outside the chat are not reverted.
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
         * Rewind, and keep the message and all later ones as a version
         * @description With `files`, restores files changed by write_file and edit_file first, or previews that: each file gets its state before the first removed edit. If a file was changed later, nothing is restored or rewound. Effects of commands are not reverted.
         */
        post: operations["rewindFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a chat
         * @description A retry, an edit and a rewind keep what they replace or remove. Only the active versions are part of the chat.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/versions/{version_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show another version
         * @description Makes it part of the chat, with the versions that contain it, and what was at its place inactive.
         */
        post: operations["activateVersion"];
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
         * Fork a chat before a message
         * @description Creates a chat with the history before the message and the settings of the parent. It starts with a marker. The parent does not change and may have a running turn.
         */
        post: operations["forkChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/messages/{message_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry, edit or regenerate: start a turn in place of the one that a message began
         * @description Without text, images and files, the same message is sent again; with any of them, they replace all three. Who speaks, and `machine`, stay as in the original. The message and everything after it become a version, and nothing is deleted.
         */
        post: operations["retryTurn"];
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
         * Get a turn
         * @description Returns status, effort and its source, usage, and the error of a failed turn.
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
         * @description Responds when the turn has ended. Queued turns continue, unless queued=true.
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
         * Stream the running turn: past events, then live events
         * @description Replayed events have `replayed: true`: display them, but never execute them. Returns 204 if no turn is queued, sleeping or running. With `follow` and Last-Event-ID, the rest of that turn and all later turns are replayed as long as they are kept, 60 s after their end. If one is no longer available, an event `reset` comes first: read the items again.
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
         * Stream events of all chats: changes, running turns, pending requests
         * @description Starts with an event `opened`, followed by new events. With Last-Event-ID, missed events come first. If they are no longer available, such as after a restart, an event `reset` is sent instead: read the lists again. The stream ends with the kernel.
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
         * Answer a request
         * @description Answers an operation, an extra tool call or a question. The request is found by its id; the chat in the path matters only if several chats have a request with this id.
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
         * Report progress of an operation
         * @description A snapshot replaces the previous one and is not stored. Send at most a few per second. The request is found as for answers.
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
         * List pending requests of all chats
         * @description Operations, extra tool calls and questions. Requests end with their turn.
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
         * List approvals
         * @description Operations that run without asking, because one was answered with a decision that also covers later ones.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        /**
         * Revoke all approvals
         * @description From now on, the owner is asked before every operation.
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
         * Revoke an approval
         * @description From now on, the owner is asked before the operations that it covered.
         */
        delete: operations["revokeApproval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List past decisions about operations
         * @description Who decided what, when and in which client, newest first. The last 1000 are kept; those of a deleted chat are deleted with it.
         */
        get: operations["listDecisions"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Read part of a file on the kernel's machine
         * @description The data, settings and keys of the kernel are not accessible.
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
         * Read part of a file on the client's machine
         * @description Works while a client that can run operations has a turn open in the chat, or while the machine of the chat is connected. The owner may be asked. Relative paths start at the working directory of the chat, if it has one on that machine. With `request`, the owner is not asked, and secret places are refused.
         */
        post: operations["readClientBytes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chats/{id}/ops/copy_file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a file of the chat to the uploads
         * @description For modules that send files. Works only during a turn of the master that may use read_file, and only for uploads and files in the working directory of the chat. An upload is returned unchanged.
         */
        post: operations["copyFile"];
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
         * @description Works while a client that can run operations has a turn open in the chat, or while the machine of the chat is connected. The owner may be asked. Relative paths start at the working directory of the chat, if it has one on that machine.
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
         * Connect a machine that executes operations for chats
         * @description Connecting the same client_id again ends the older stream. `name_taken` is also the answer to a stream without the machine's secret. Earlier operations that are not in `running` are not sent again; they end with an error. Send results to `POST /v1/chats/{chat_id}/ops/result`.
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
         * List machines
         * @description Includes disconnected machines until they are removed.
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
         * Remove a machine
         * @description Frees its name and ends its operations with an error. A machine that is still running reconnects automatically.
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
         * Get the sleep state
         * @description Whether the kernel is asleep, since when and until when, and which turns sleep.
         */
        get: operations["getSleep"];
        put?: never;
        /**
         * Put the kernel to sleep
         * @description Running turns continue. New turns wait, and their streams open with `sleeping`.
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
         * Wake the kernel and all sleeping turns
         * @description Returns the turns that were asleep. Does nothing if there were none.
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
         * @description Each schedule has its next time and its latest run.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a schedule
         * @description Takes a cron expression, or one time in `at`. The `errors` of a 400 locate the mistake. Without `timezone`, the time zone of the kernel applies.
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
         * Get a schedule
         * @description Returns the schedule with its next time and its latest run.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule and its list of runs
         * @description Runs in progress continue, and the chats of all runs stay.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change, enable or disable a schedule
         * @description New times apply from now on. A run in progress does not change.
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
         * @description Works for disabled schedules, too. The next time does not change.
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
         * @description One entry for each due time, including missed ones, and for each manual run. The last 10,000 are kept.
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
         * List items, newest page first
         * @description Only the page at the start of the history is empty.
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
         * Get the notebook
         * @description In a turn, the notebook is already part of the model context.
         */
        get: operations["getNotebook"];
        /**
         * Write the notebook
         * @description Replaces the whole notebook. The model sees the change in the next turn.
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
         * List memories
         * @description Returns all memories with their size and their token cost in a prompt, and the proposals that wait for the owner.
         */
        get: operations["getMemory"];
        put?: never;
        /**
         * Add a memory
         * @description Every chat receives it from its next turn on. If the memory is full, the error says what to remove.
         */
        post: operations["addMemory"];
        /**
         * Delete all memories
         * @description Works like deleting each memory. Also discards all proposals.
         */
        delete: operations["forgetAllMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept and discard proposals
         * @description Accepts and discards several proposals together, completely or not at all. Every chat receives the accepted ones from its next turn on. Accepting a memory that was already accepted returns it. Discarding an unknown id is ignored.
         */
        post: operations["reviewMemory"];
        delete?: never;
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
         * Delete a memory
         * @description Later model requests do not contain it. Existing messages stay unchanged; the response lists messages that still contain it.
         */
        delete: operations["forgetMemory"];
        options?: never;
        head?: never;
        /**
         * Replace a memory
         * @description Later model requests do not contain the old text.
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
         * Get the public key for browser subscriptions
         * @description The key never changes and is part of backups. Browsers that used another key must subscribe again.
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
         * List push subscriptions
         * @description The list does not contain keys.
         */
        get: operations["listPushSubscriptions"];
        /**
         * Subscribe a browser to notifications
         * @description Subscribing the same endpoint again replaces the subscription and keeps its id. The endpoint must use https and be on the public network, unless `push.allow_private` is set.
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
         * Unsubscribe a browser
         * @description The browser is not informed. A notification that is already being sent may still arrive.
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
         * Send a test notification to a browser
         * @description Sends it once and returns the outcome. An expired subscription is removed.
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
         * List recent notifications
         * @description Covers browsers and the targets in the setting `notify`. Contains no message text.
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
         * @description Searches messages of people and models, newest first.
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
         * Export the history of a chat
         * @description `jsonl` (application/x-ndjson): the chat (with `kind` `chat`), then one item per line, as in GET items. `md` (text/markdown): a readable text.
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
         * Import a conversation
         * @description Creates a chat with the original dates, and a fork for each branch, atomically. A conversation with the same source and key is not imported again while its chat exists.
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
         * @description Each model has its context window, effort levels and price.
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
         * Call a model once, outside of chats
         * @description Disconnecting aborts the provider request. The cost is in the response and in the totals of GET /v1/stats.
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
         * List speech models
         * @description Returns the available models with voices and prices. The lists are empty if none is available.
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
         * @description Reads a text or a message of a chat, at most 50,000 characters, without Markdown syntax and code. MP3 of a long text is streamed in pieces; if a later piece fails, the connection ends before the response is complete. Disconnecting aborts the provider request.
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
         * @description Configured and discovered modules, each with its status and declaration. If several kernels share the database, the modules of all of them.
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
         * Approve a module
         * @description The approval covers its current version, tools and stages. If they change, the module is pending again.
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
         * Revoke the approval of a module
         * @description Its tools and stages are disabled until it is approved again.
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
         * List MCP servers
         * @description The servers in `mcp.servers`, with their status and whether they require a sign-in.
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
         * Start a sign-in to an MCP server
         * @description Returns the page of the authorization server to open in a browser. That page redirects the browser back to the kernel.
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
         * Sign out of an MCP server
         * @description Deletes the stored tokens. They may remain valid on the server.
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
         * Find or create the person with an external id
         * @description A new person is neither trusted nor the master. Use the id as `person_id` of turns.
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
         * List people
         * @description Includes their flags and external ids.
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
         * Rename a person, or mark it as trusted or as the master
         * @description Applies to every turn that starts from now on, including queued turns.
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
         * Merge two persons
         * @description The other person gets all external ids, and the name if it has none. Its flags do not change. This person is deleted.
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
         * Get statistics
         * @description Covers all existing chats and all one-off calls. A cost is null if part of it is unknown.
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
    "/v1/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get spending by day, model or surface
         * @description Covers the last days, including calls outside of chats and deleted chats. A cost is null if part of it is unknown.
         */
        get: operations["getSpendReport"];
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
         * Report triage outcomes
         * @description Returns the totals.
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
         * @description The books of one shelf, or of all shelves, newest first.
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
         * Get a book
         * @description Returns title, shelf and size, but not the text, which models search and read.
         */
        get: operations["getBook"];
        put?: never;
        post?: never;
        /**
         * Delete a book
         * @description Deletes the book with its text. The uploaded file stays.
         */
        delete: operations["deleteBook"];
        options?: never;
        head?: never;
        /**
         * Rename a book or move it to another shelf
         * @description Absent fields stay unchanged. After a move, chats with the other shelf find the book.
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
         * Move a video to the top of the history
         * @description Replaces its metadata. The history keeps the 200 most recent videos.
         */
        put: operations["markVideo"];
        post?: never;
        /**
         * Delete a video from the history
         * @description The subscription to its channel stays.
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
         * List the video history
         * @description Most recent first.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        /**
         * Clear the video history
         * @description Subscriptions are kept.
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
         * List the subscriptions
         * @description Sorted by title.
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
         * Subscribe to a channel
         * @description If the channel is already followed, its data is replaced.
         */
        put: operations["subscribe"];
        post?: never;
        /**
         * Unsubscribe from a channel
         * @description Its videos stay in the history.
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
         * Export the subscriptions
         * @description Channels that the format cannot represent are left out.
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
         * @description Names, descriptions and schemas exactly as models get them. Tools that the settings disable are not listed.
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
         * @description Returns the current skills. Skills on a client's machine are as of the last turn of the chat.
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
         * Download an image
         * @description Accessible to anyone who knows the id. The content of an id never changes.
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
         * Download a file
         * @description Supports a Range header with one range. Browsers display images, audio, video, PDF and plain text inline.
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
         * @description OpenAPI 3.1, generated from the routes of this kernel.
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
         * Get the effective settings
         * @description Merged from file, environment, flags and defaults, as of the start: settings do not change in a running kernel. Every secret is `***`.
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
         * Check that the process responds
         * @description Does not check the database or providers; see /readyz.
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
         * Check that the kernel is ready
         * @description Checks the database. Returns 503 while it does not respond, and during shutdown.
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
         * @description Only this kernel if server.advertise_url is not set.
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
         * Get metrics
         * @description Prometheus text format.
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
         * Transcribe audio
         * @description The body is the audio, at most 25 MB, with its Content-Type. Alternatively, leave out the body and name an uploaded file in file_id. At most eight transcriptions run at once; further ones are rejected. Disconnecting aborts the provider request. The cost is in the response and in the totals of GET /v1/stats.
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
         * Import subscriptions from a file
         * @description The body is the file content, at most 10 MiB, with any Content-Type: OPML, or the subscription export of NewPipe, Invidious or FreeTube. The format is detected from the content.
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
         * @description The body is the file content. The Content-Type is stored as the media type. A file that no message uses is deleted after seven days.
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
        AddMemory: {
            /** @description The text of the memory. Surrounding white space is removed. */
            text: string;
        };
        AgentMessageItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "agent_message";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn. Null for items without a turn. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            text: string;
            /** @description The id of the model that wrote the text. Absent if the kernel does not know it. */
            model?: string;
            /** @description The tokens and cost of the provider request that ended with this text. Absent while it runs, if calls or other items follow in the same message, which then has the usage, and if it is not known. */
            usage?: components["schemas"]["Usage"];
        };
        /** @description One provider request of a sub-agent, whose context window is not the turn's. */
        AgentUsageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent_usage";
            model: string;
            prompt_tokens: number;
            completion_tokens: number;
            /** @description Part of completion_tokens, not an addition to it. */
            reasoning_tokens: number;
            /** @description Part of prompt_tokens: read from the provider’s cache. */
            cached_tokens: number;
            cost_usd: number | null;
            /** @description The sub-agent that made the request. */
            agent: string;
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        Anchor: {
            chat_id: number;
            message_id: number;
            /** @description The name of the module that sets it; only that module receives it. Absent: all modules that never set a named anchor receive it. */
            module?: string;
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
            /** @description Operations with this action in this chat run without asking. */
            action: string;
            /** @description For the action shell: exactly this command. */
            command?: string;
            /** @description For allow_prefix: single plain commands that start with these words. */
            prefix?: string;
            /** @description Applies only to this host, directory, file or server. */
            target?: string;
            /** @description The outside sources that the dialog showed; applies only while a turn has read no others. */
            outside?: string[];
            /** @description Applies only while this is the working directory of the chat. */
            workdir: string | null;
            /**
             * @description The machine on which workdir applies.
             * @enum {string}
             */
            workdir_on: "client" | "server";
            /** @description Applies only to operations that this client executes. */
            client_id?: string;
            /** @description Applies only on the connected machine with this name. */
            hands?: string;
            /**
             * @description allow_session ends with the process of the kernel. allow_edits: only files below `workdir`, except files of git and the shell.
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
            /** @description Oldest first. */
            approvals: components["schemas"]["Approval"][];
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
            /** @description The call id, unique within the chat. */
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
        Book: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /** @description The shelf. Chats with this shelf can use the book. */
            shelf: string;
            title: string;
            author: string | null;
            /** @enum {string} */
            format: "pdf" | "epub" | "html" | "markdown" | "text";
            /** @description The media type of the source file. */
            file_name: string;
            /** @description The size of the source file in bytes. */
            size: number;
            /**
             * @description The unit of sections.
             * @enum {string}
             */
            unit: "page" | "chapter" | "section" | "line";
            /** @description The number of units. */
            count: number;
            /** @description The length of the text in characters. */
            chars: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
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
        BookList: {
            /** @description Newest first. */
            books: components["schemas"]["Book"][];
            /** @description The cursor of the next page. Null if the page is empty, which is the end. */
            next_before: string | null;
        };
        /** @description The books of this shelf have changed. Read them again. */
        BooksChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "books_changed";
            shelf: string;
        };
        BytesFound: {
            /** @description The size of the file in bytes. */
            total: number;
            /** @description The offsets of the matches, in ascending order. */
            offsets: number[];
        };
        BytesRead: {
            /** @description The size of the file in bytes. */
            total: number;
            /** @description Fewer bytes than requested at the end of the file. */
            data: string;
        };
        CancelResult: {
            cancelled: boolean;
            /** @description The turn that was running, else the first dropped turn. */
            turn_id: string | null;
            /** @description With queued=true: the canceled queued turns, in order. */
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
                /** @description The text of the message, which was removed from the chat. */
                text: string;
            }[];
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
             * @description The machine on which workdir applies.
             * @enum {string}
             */
            workdir_on: "client" | "server";
            /** @description The connected machine for turns whose client cannot run operations. */
            hands: string | null;
            /** @description The name of the kernel whose machine has workdir, if workdir_on is server and several kernels share the database. */
            home: string | null;
            /**
             * @description When the owner is asked before a call. ask: before tools change the machine of the kernel, read outside the working directory, or send something. auto: only before risky calls, such as sending something after the chat has read words of others. never: only where the settings or a secret place require it.
             * @enum {string}
             */
            consent: "auto" | "ask" | "never";
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
            /** @description The turn that is running, sleeping or first in the queue. */
            turn: {
                /**
                 * Format: uuid
                 * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
                 */
                id: string;
                status: components["schemas"]["TurnStatus"];
                waiting_for: components["schemas"]["WaitingFor"];
            } | null;
        };
        ChatCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat_created";
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
        ChatPage: {
            /** @description Newest first. */
            chats: components["schemas"]["Chat"][];
            next_before: string | null;
        };
        /** @description The start and end of a turn have their own events, although they change the times of the chat. */
        ChatUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat_updated";
            chat: components["schemas"]["Chat"];
        };
        ChatVersion: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            first_message_id: string;
            /**
             * Format: date-time
             * @description When its first message was stored.
             */
            created_at: string;
            /** @description The number of its messages. */
            messages: number;
            /** @description The text of its first message, at most 200 characters. */
            preview: string;
            /** @description The model of its first turn; null if it has none. */
            model: string | null;
            /** @description The chat shows this version. */
            active: boolean;
        };
        ChatVersions: {
            /** @description One entry for each place with versions, oldest first. */
            forks: components["schemas"]["VersionFork"][];
        };
        /** @description The parameters of the action are next to these fields. */
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
            /** @description All commands or paths of the call, which the decision covers; only with `whole_calls`. */
            call?: string[];
            agent?: string;
            /** @description The client that executes it. */
            client_id?: string;
            /** @description The connected machine that executes it; absent: the client of the turn. */
            hands?: string;
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        } & {
            [key: string]: unknown;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
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
            /** @description The connected machine that runs it; absent: the client of the turn. */
            hands?: string;
        };
        CompactResult: {
            folded: boolean;
            /** @description The summary of the compacted history. */
            summary?: components["schemas"]["Summary"];
        };
        CompactingEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "compacting";
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        Completion: {
            text: string;
            /** @description The id of the model that answered. */
            model: string;
            /** @description Null: not reported by the provider. */
            usage: components["schemas"]["Usage"] | null;
            /** @description With schema: whether the provider supports schemas. Parse defensively in both cases. */
            schema_enforced?: boolean;
        };
        CompletionRequest: {
            /** @description One user message. Give either prompt or messages. */
            prompt?: string;
            /** @description The last message must have the role user. */
            messages?: {
                /** @enum {string} */
                role: "user" | "assistant";
                content: string;
            }[];
            system?: string;
            /** @description Absent: the default model. */
            model?: string;
            /** @description Absent: the lowest level of the model. */
            effort?: components["schemas"]["Effort"];
            max_tokens?: number;
            /** @description Marks the system text as repeated in later calls, for providers with explicit prompt caching. */
            cache?: boolean;
            /** @description JSON Schema of an object. The answer is JSON of this shape. */
            schema?: {
                [key: string]: unknown;
            };
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
            interfaces: {
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
        /** @description Decide only, and execute nothing: any client of the owner answers with a decision. The parameters of the action are next to these fields. */
        ConsentRequestEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "consent_request";
            id: string;
            op_id: string;
            action: string;
            decisions: string[];
            /** @description All commands or paths of the call, which the decision covers; only with `whole_calls`. */
            call?: string[];
            /** @description Why the kernel asks, in one sentence. */
            reason: string;
            /** @description The sources from outside that the turn has read, such as web:example.org. */
            outside: string[];
            agent?: string;
            /** @description The connected machine that executes it. Null: the kernel or one of its modules. */
            hands?: string | null;
            /**
             * @description The sandbox that limits it to the working directory. none: no sandbox. Absent: not known, or the operation needs none.
             * @enum {string}
             */
            sandbox?: "bwrap" | "sandbox-exec" | "none";
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        } & {
            [key: string]: unknown;
        };
        ConsentRequestItem: {
            /** @description {message_id}:{n} in history, {turn_id}:{n} in a live turn. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "consent_request";
            status: components["schemas"]["ItemStatus"];
            /** @description Groups the items of one turn. Null for items without a turn. */
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
            decisions: string[];
            /** @description Why the kernel asks, in one sentence. */
            reason: string;
            /** @description The sources from outside that the turn has read. */
            outside: string[];
            decision?: string;
            resolution?: {
                /** @enum {string} */
                reason: "answered" | "expired" | "turn_ended" | "cancelled";
            };
            agent?: string;
            /** @description The connected machine that runs it. Null: the kernel or one of its modules. */
            hands?: string | null;
            /**
             * @description The sandbox that limits the operation. none: no sandbox. Absent: not known, or it needs none.
             * @enum {string}
             */
            sandbox?: "bwrap" | "sandbox-exec" | "none";
        };
        CopyFile: {
            /** @description Absolute, or relative to the working directory of the chat; or `file:ID` of an upload. */
            path: string;
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
             * @description When the owner is asked before a call. ask: before tools change the machine of the kernel, read outside the working directory, or send something. auto: only before risky calls, such as sending something after the chat has read words of others. never: only where the settings or a secret place require it.
             * @enum {string}
             */
            consent?: "auto" | "ask" | "never";
            workdir?: string | null;
            /**
             * @description The machine on which workdir applies.
             * @enum {string}
             */
            workdir_on?: "client" | "server";
            hands?: string | null;
        };
        /** @description Exactly one of cron and at. */
        CreateSchedule: {
            /** @description The message, sent as if the owner had typed it. */
            text: string;
            /** @description Five fields: minute, hour, day of the month, month, weekday. Names such as MON or JAN are allowed. */
            cron?: string;
            /**
             * Format: date-time
             * @description One time, instead of cron.
             */
            at?: string;
            /** @description IANA name of the time zone for cron. */
            timezone?: string;
            /** @description Null: a new chat for each run. */
            chat_id?: string | null;
            /** @description The model of new chats. */
            title?: string | null;
            model?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            /**
             * @description Handles due times that are more than 60 s late. none: they are recorded as missed. last: the latest one runs.
             * @default none
             * @enum {string}
             */
            catch_up?: "none" | "last";
            /** @description The cost limit of one run. When it is reached, the turn fails with spend_cap. */
            max_cost_usd?: number | null;
            /**
             * @description Calls that do not ask in the turns of the schedule, also after they have read text that the owner did not write. They cover no secret places and no protected paths. Later turns use a changed list.
             * @default []
             */
            grants?: components["schemas"]["ScheduleGrant"][];
            /** @default true */
            enabled?: boolean;
        };
        DecisionPage: {
            /** @description Newest first. */
            decisions: components["schemas"]["PastDecision"][];
            /** @description The cursor of the next page. Null if this page is empty. */
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
        DeletedSchedule: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
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
            stop_reason: components["schemas"]["StopReason"];
            message_ids: string[];
            usage: components["schemas"]["Usage"];
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /**
         * @description read: reads files or data. write: changes files or data. execute: runs a program. send: something leaves the machines of the owner. remember: something outlives the chat.
         * @enum {string}
         */
        Effect: "read" | "write" | "execute" | "send" | "remember";
        /**
         * @description Reasoning level.
         * @enum {string}
         */
        Effort: "off" | "low" | "mid" | "high";
        EffortSetting: {
            effort: components["schemas"]["Effort"] | null;
        };
        /**
         * @description Stable. New codes may be added.
         * @enum {string}
         */
        ErrorCode: "malformed_cursor" | "unknown_cursor" | "invalid_value" | "tool_name_taken" | "unknown_file" | "unknown_model" | "empty_message" | "spend_cap" | "forbidden_origin" | "forbidden_host" | "forbidden_user" | "forbidden_path" | "not_found" | "unknown_request" | "turn_running" | "already_resolved" | "name_taken" | "too_many_machines" | "no_client" | "not_a_member" | "files_changed" | "files_stuck" | "module_down" | "idempotency_mismatch" | "body_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "not_json" | "schema_mismatch" | "internal" | "sign_in_failed" | "upstream_error" | "shutting_down" | "too_busy" | "kernel_away" | "storage_unavailable";
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @description One event of a stream. */
        Event: components["schemas"]["TextDeltaEvent"] | components["schemas"]["ThinkingDeltaEvent"] | components["schemas"]["ToolCallEvent"] | components["schemas"]["ToolResultEvent"] | components["schemas"]["ToolProgressEvent"] | components["schemas"]["ClientOpEvent"] | components["schemas"]["ConsentRequestEvent"] | components["schemas"]["ExtraToolCallEvent"] | components["schemas"]["RequestResolvedEvent"] | components["schemas"]["UsageEvent"] | components["schemas"]["AgentUsageEvent"] | components["schemas"]["TurnEvent"] | components["schemas"]["ProviderWaitEvent"] | components["schemas"]["CompactingEvent"] | components["schemas"]["TurnSqueezedEvent"] | components["schemas"]["QueuedEvent"] | components["schemas"]["SleepingEvent"] | components["schemas"]["ImageEvent"] | components["schemas"]["PlanEvent"] | components["schemas"]["DoneEvent"] | components["schemas"]["ErrorEvent"] | components["schemas"]["FollowResetEvent"] | components["schemas"]["ItemStartedEvent"] | components["schemas"]["ItemDeltaEvent"] | components["schemas"]["ItemCompletedEvent"];
        /** @enum {string} */
        EventType: "text_delta" | "thinking_delta" | "tool_call" | "tool_result" | "tool_progress" | "client_op" | "consent_request" | "extra_tool_call" | "request_resolved" | "usage" | "agent_usage" | "turn" | "provider_wait" | "compacting" | "turn_squeezed" | "queued" | "sleeping" | "image" | "plan" | "done" | "error" | "reset" | "item_started" | "item_delta" | "item_completed";
        ExtraTool: {
            name: string;
            description: string;
            /** @description JSON Schema of the input; absent: no arguments. */
            input_schema?: {
                [key: string]: unknown;
            };
            timeout_secs?: number;
            /** @description A successful call ends the turn. */
            ends_turn?: boolean;
            /** @description Its results can contain text that the owner did not write: a call adds `tool:NAME` to `outside` of the turn. */
            outside?: boolean;
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        File: {
            /**
             * Format: uuid
             * @description UUIDv4. Anyone who knows it can read the file at /files/{id}.
             */
            id: string;
            /** @description The given name, sanitized as a file name. */
            name: string;
            /** @description Without parameters. */
            media_type: string;
            /** @description Bytes. */
            size: number;
        };
        FindBytes: {
            path: string;
            /** @description The bytes to find: at least one, at most 48 KiB of base64. */
            data: string;
            /**
             * @description The offset where the search starts.
             * @default 0
             */
            offset?: number;
            /**
             * @description Maximum number of matches.
             * @default 100
             */
            limit?: number;
        };
        /** @description With `follow=true`: missed turns are no longer available; read the items again. */
        FollowResetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ForgottenHands: {
            /** @constant */
            deleted: true;
            client_id: string;
        };
        ForkChat: {
            /**
             * Format: uuid
             * @description The first message that is not copied.
             */
            before_message: string;
            /** @description Absent: the title of the parent. */
            title?: string;
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
            /** @description The text around the matches, which are enclosed in **. */
            snippet: string;
            /**
             * @description The turn of the message has not started.
             * @constant
             */
            waiting?: true;
        };
        Guest: {
            /** @description The name in mcp.servers. */
            name: string;
            /** @enum {string} */
            status: "up" | "down";
            /** @description The reason why it is down, or what it requires. */
            problem: string | null;
            /** @description Tools that were skipped, or that a model does not get: a sentence each. */
            problems: string[];
            /**
             * @description none: no sign-in is required, or the settings contain a token. needed: a sign-in is required. waiting: a sign-in was started.
             * @enum {string}
             */
            sign_in: "none" | "needed" | "waiting" | "done";
            /** @description The protocol version of the last connection. */
            revision: string | null;
        };
        GuestList: {
            /** @description Sorted by name. */
            guests: components["schemas"]["Guest"][];
        };
        /** @description One event of the stream of a connected machine. */
        HandsEvent: components["schemas"]["HandsOpEvent"] | components["schemas"]["HandsResolvedEvent"];
        HandsList: {
            /** @description Sorted by name. */
            hands: components["schemas"]["StandByHands"][];
        };
        /** @description Execute the operation now. It is approved if approval was required. */
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
            /** @description All commands or paths of the call, which the decision covers; only with `whole_calls`. */
            call?: string[];
            agent?: string;
            /** @description The client that executes it. */
            client_id?: string;
            /** @description The connected machine that executes it; absent: the client of the turn. */
            hands?: string;
            /**
             * @description Present on replayed events: display them, never execute them.
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
        /** @description An operation of this machine has ended. Both ids are the nil UUID if the kernel no longer knows it. */
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
            /** @description The id of the operation or of the tool call. */
            id: string;
            /**
             * @description An extra tool call has the kind op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "ready" | "not_ready";
        };
        /** @description A retry, another version, a rewind or a compaction changed the history. Read it again from this message on; it may have left the chat. */
        HistoryChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "history_changed";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            from_message_id: string;
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
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
        ImportBlock: {
            /** @constant */
            type: "text";
            text: string;
            /**
             * @description Absent: it is complete.
             * @enum {string}
             */
            status?: "failed" | "aborted";
        } | {
            /** @constant */
            type: "thinking";
            text: string;
            /**
             * @description Absent: it is complete.
             * @enum {string}
             */
            status?: "failed" | "aborted";
        } | {
            /** @constant */
            type: "tool_use";
            /** @description The call id, unique within the chat. */
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
             * @description The call returned no result.
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
            note?: "fork_marker" | "turn_cancelled" | "turn_failed" | "kernel_restarted" | "reply_filtered" | "reply_truncated" | "reply_empty" | "request_repaired" | "content_unread" | "message_unreadable" | "woken" | "spend_cap_near" | "context_full" | "blocked" | "imported";
            text: string;
        } | {
            /** @constant */
            type: "fold";
            text: string;
            /** @description The position of a message in the list, from 0. */
            upto: number;
        };
        ImportBranch: {
            /** @description 0: the chat. n: the n-th branch of this list, which must come before this one. */
            of: number;
            /** @description The first message of the parent that is not in the branch. */
            before: number;
            /** @description The messages of the branch from there on. */
            messages: components["schemas"]["ImportMessage"][];
        };
        ImportChat: {
            /** @description The source program, such as chatgpt. */
            source: string;
            /** @description Its id in the source program, which prevents importing it twice. */
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
            /** @description Absent: the time of the last message. */
            last_message_at?: string | null;
            shelf?: string;
            project?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            /**
             * @description When the owner is asked before a call. ask: before tools change the machine of the kernel, read outside the working directory, or send something. auto: only before risky calls, such as sending something after the chat has read words of others. never: only where the settings or a secret place require it.
             * @enum {string}
             */
            consent?: "auto" | "ask" | "never";
            /** @enum {string} */
            compaction?: "auto" | "tight" | "roomy" | "off";
            toolset?: components["schemas"]["ToolsetInput"];
            summary?: {
                text: string;
                /** @description The position of a message in the list, from 0. */
                upto: number;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds.
                 */
                created_at: string;
            };
            /** @description Its usage, by model. */
            usage?: {
                prompt_tokens: number;
                completion_tokens: number;
                /** @description Part of completion_tokens, not an addition to it. */
                reasoning_tokens: number;
                /** @description Part of prompt_tokens: read from the provider’s cache. */
                cached_tokens: number;
                cost_usd: number | null;
                model: string;
                turns: number;
            }[];
            messages: components["schemas"]["ImportMessage"][];
            /** @description Each becomes a fork. */
            branches?: components["schemas"]["ImportBranch"][];
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
            /** @description The model that wrote the message, by its name in the source program. */
            model?: string;
            /** @description The tokens and cost of the provider request that returned it. */
            usage?: components["schemas"]["Usage"];
        };
        ImportedChat: {
            /**
             * @description `known`: already imported. `grown`: already imported, and its new messages were appended. `changed`: already imported with different messages; nothing was written.
             * @enum {string}
             */
            status: "created" | "known" | "grown" | "changed";
            /** @description With `grown`: the number of appended messages. */
            appended?: number;
            /**
             * @description With `changed`, the reason: the chat has changed since the import, the conversation differs in more than new messages at its end, a turn of the chat is open, or another kernel owns the chat.
             * @enum {string}
             */
            reason?: "chat_changed" | "conversation_changed" | "busy";
            /** @description Null in a dry run if the chat would be created. */
            chat_id: string | null;
            /** @description The chats created from its branches. */
            forks: string[];
        };
        Item: components["schemas"]["UserMessageItem"] | components["schemas"]["AgentMessageItem"] | components["schemas"]["ThinkingItem"] | components["schemas"]["ToolCallItem"] | components["schemas"]["ClientOpItem"] | components["schemas"]["ConsentRequestItem"] | components["schemas"]["ImageItem"] | components["schemas"]["CompactionItem"] | components["schemas"]["MachineNoteItem"] | components["schemas"]["PlanItem"];
        ItemCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_completed";
            item: components["schemas"]["Item"];
            /**
             * @description Present on replayed events: display them, never execute them.
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ItemPage: {
            /** @description Oldest first. `limit` counts source messages, not items. */
            items: components["schemas"]["Item"][];
            /** @description Cursor of the next, older page; null on an empty page. */
            next_before: string | null;
        };
        ItemStartedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "item_started";
            item: components["schemas"]["Item"];
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @enum {string} */
        ItemStatus: "running" | "completed" | "failed" | "aborted";
        /** @description One event of the stream of the kernel. */
        KernelEvent: components["schemas"]["OpenedEvent"] | components["schemas"]["ResetEvent"] | components["schemas"]["ChatCreatedEvent"] | components["schemas"]["ChatUpdatedEvent"] | components["schemas"]["ChatDeletedEvent"] | components["schemas"]["HistoryChangedEvent"] | components["schemas"]["TurnStartedEvent"] | components["schemas"]["TurnEndedEvent"] | components["schemas"]["SleepChangedEvent"] | components["schemas"]["VideoChangedEvent"] | components["schemas"]["BooksChangedEvent"] | components["schemas"]["MemoryChangedEvent"] | components["schemas"]["ScheduleChangedEvent"] | components["schemas"]["ScheduleEndedEvent"] | components["schemas"]["RequestOpenedEvent"] | components["schemas"]["OpenRequestResolvedEvent"];
        KernelList: {
            /** @description Oldest first. */
            kernels: {
                /**
                 * Format: uuid
                 * @description New with each start. The header X-Kernel of a response names the kernel that handled the request.
                 */
                id: string;
                /** @description The URL at which the other kernels reach it. Null: it shares its database with no kernel. */
                url: string | null;
                /** @description The name of its machine. */
                name: string;
                version: string;
                /**
                 * Format: date-time
                 * @description Its start time.
                 */
                since: string;
                /** @description The number of its running turns. */
                turns: number;
                /** @description Whether it is alive. */
                here: boolean;
            }[];
        };
        KernelName: {
            /**
             * Format: uuid
             * @description The id in GET /v1/kernels, new with each start.
             */
            id: string;
            /** @description The name of its machine. */
            name: string;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @enum {string} */
            note: "fork_marker" | "turn_cancelled" | "turn_failed" | "kernel_restarted" | "reply_filtered" | "reply_truncated" | "reply_empty" | "request_repaired" | "content_unread" | "message_unreadable" | "woken" | "spend_cap_near" | "context_full" | "blocked" | "imported";
            text: string;
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
             * @description As reported by the client.
             * @default null
             */
            published_at?: string | null;
            /** @description 0 or less: unknown, as for a live stream. */
            duration_s: number;
            /**
             * @description The stop position. Stored from 2% to 97% of the duration, otherwise null.
             * @default null
             */
            position_s?: number | null;
            /**
             * @description Further data of clients, at most 16 KiB of JSON.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        Memory: {
            /** @description Oldest first. */
            entries: components["schemas"]["MemoryEntry"][];
            /** @description Not part of the memory, its size and its cost. Oldest first; at most 100, above which the oldest are discarded. */
            proposals: components["schemas"]["MemoryProposal"][];
            /** @description The total length of all texts. */
            chars: number;
            /** @description The setting `memory.max_chars`. */
            max_chars: number;
            /** @description The estimated token count of the whole memory in a prompt. */
            tokens: number;
        };
        /** @description The memory has changed. Read it again. */
        MemoryChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memory_changed";
        };
        MemoryEmptied: {
            /** @description The number of deleted entries. */
            deleted: number;
            /** @description Messages that still contain it, as found by search: the newest ones, possibly not all. */
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
            /** @description The chat in which a model wrote it. Null: written by the owner, or the chat was deleted. */
            chat_id: string | null;
        };
        MemoryForgotten: {
            /** @constant */
            deleted: true;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /** @description Messages that still contain it, as found by search: the newest ones, possibly not all. */
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
        /** @description A text that a model wants to remember. No prompt contains it until the owner accepts it. */
        MemoryProposal: {
            /**
             * Format: uuid
             * @description Also the id of the memory, once it is accepted.
             */
            id: string;
            text: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @constant */
            proposed: true;
            /** @description The memory that the text is to replace; null: it is a new one. */
            replaces: string | null;
            origin: {
                /**
                 * @description expired: the model called the tool, and the request for consent was not answered in time. summary: the model learned it while it summarized a chat with text that the owner did not write.
                 * @enum {string}
                 */
                reason: "expired" | "summary";
                /** @description Null: the chat was deleted. */
                chat_id: string | null;
                /** @description Null: outside of any turn. */
                turn_id: string | null;
                /** @description The sources of text that the model had read and the owner did not write. */
                outside: string[];
            };
        };
        MemoryReviewed: {
            /** @description The memories that were proposals, in the order of the request. */
            accepted: components["schemas"]["MemoryEntry"][];
            /** @description The number of discarded proposals. */
            discarded: number;
        };
        MergePerson: {
            /**
             * Format: uuid
             * @description The person that remains.
             */
            into: string;
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
            /** @description Absent: the message is from the master. `kernel`: context that the kernel wrote for the model. */
            sender?: string;
            /** @description True for every message without a sender, the compaction marker included, and for one of a person who was marked master when it was stored. */
            master: boolean;
            /**
             * @description The kernel wrote the message for the model, such as the notebook, the plan or the memory. Absent on all other messages.
             * @constant
             */
            kernel?: true;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @enum {string} */
            status: "completed" | "failed" | "aborted";
            /** @description The id of the model that wrote the message. Absent if no model wrote it, or if the kernel does not know which one did. */
            model?: string;
            /** @description The tokens and cost of the provider request that returned the message. Absent if they are not known. */
            usage?: components["schemas"]["Usage"];
            /**
             * @description The turn of the message has not started. Absent after its start.
             * @constant
             */
            waiting?: true;
            /** @description Present if other versions begin at this message. */
            versions?: components["schemas"]["VersionMark"];
        };
        MessagePage: {
            /** @description Oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description Cursor of the next, older page; null on an empty page. */
            next_before: string | null;
        };
        Model: {
            /** @description provider/name */
            id: string;
            name: string;
            provider: string;
            /** @description The level of the model. Null: the global level applies. */
            effort: components["schemas"]["Effort"] | null;
            /** @description The supported levels. */
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
        Module: {
            name: string;
            /** @description Null: it never responded. */
            version: string | null;
            about: string | null;
            /**
             * @description pending: discovered, and not approved yet. failed: crashed too often, or uses another protocol version.
             * @enum {string}
             */
            status: "up" | "down" | "pending" | "revoked" | "failed";
            /** @enum {string} */
            source: "settings" | "socket_dir";
            /** @description Full names. */
            tools: string[];
            stages: string[];
            /** @description Null: not approved by a decision. Modules in the settings need none. */
            approved_at: string | null;
            /** @description The reason why it is not running. */
            problem: string | null;
            /** @description Tools that were skipped, or that a model does not get: a sentence each. */
            problems: string[];
            /** @description The kernel that runs it, if several kernels share the database. Absent: no kernel runs it. */
            kernel?: components["schemas"]["KernelName"];
        };
        ModuleList: {
            modules: components["schemas"]["Module"][];
        };
        Notebook: {
            text: string;
            /** @description Null: the notebook was never written. */
            updated_at: string | null;
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
            /** @description The id of the operation or of the tool call. */
            id: string;
            /**
             * @description An extra tool call has the kind op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
        };
        /** @description The first event of a stream without Last-Event-ID. New events follow. */
        OpenedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
        };
        /** @description Requires `id` or `op_id`. */
        OpsProgress: {
            id?: string;
            op_id?: string;
            /** @description A snapshot. Its last 8 KiB are shown. */
            output: string;
        };
        /** @description Requires `id` or `op_id`, and at least one of result, blocks, error, decision and answer. */
        OpsResult: {
            id?: string;
            op_id?: string;
            result?: string | {
                [key: string]: unknown;
            };
            /** @description The operation failed. The model reads this text. */
            error?: string;
            /** @description One of the decisions that the request offered. */
            decision?: string;
            /** @description With a decision: the name of the client in which it was made, for the history of decisions. */
            client?: string;
            /** @description With allow_prefix: whole words from the start of the command, chosen by the owner. */
            prefix?: string;
            /** @description Several results with headings; preferred over result. */
            blocks?: {
                title: string;
                content: string;
            }[];
            /** @description The index of the answered question. */
            question?: number;
            /** @description The answer to a question. */
            answer?: string;
        };
        PastDecision: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            decided_at: string;
            /** @description One of the decisions that the request offered. */
            decision: string;
            /** @description With allow_prefix: the words that the owner selected. */
            prefix?: string;
            /** @description With deny: what the owner told the model. */
            error?: string;
            /** @description The client in which it was made. Null: that client gave no name. */
            client: string | null;
            /** @description Null: outside of chats. */
            chat_id: string | null;
            turn_id: string | null;
            action: string;
            /** @description The command, the path or the parameters, without the content of files; cut if long. */
            subject: string;
            /** @description All commands or paths that the decision covered. */
            call?: string[];
            workdir?: string;
            /** @description The machine of the operation. Null: the kernel or a module. Absent: the client of the turn. */
            hands?: string | null;
            /** @description The client that executes it. */
            client_id?: string;
            /** @description The asking sub-agent. */
            agent?: string;
            /** @description Why the kernel asked. */
            reason?: string;
            /** @description The outside sources that the dialog showed. */
            outside?: string[];
        };
        PatchBook: {
            title?: string;
            /** @description The new shelf. */
            shelf?: string;
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
             * @description When the owner is asked before a call. ask: before tools change the machine of the kernel, read outside the working directory, or send something. auto: only before risky calls, such as sending something after the chat has read words of others. never: only where the settings or a secret place require it.
             * @enum {string}
             */
            consent?: "auto" | "ask" | "never";
            /** @description Replaces the text of the existing summary. Null: discards it, and the model sees the whole history again. Not allowed while a turn runs. */
            summary?: {
                text: string;
            } | null;
        };
        PatchMemory: {
            /** @description The text of the memory. Surrounding white space is removed. */
            text?: string;
        };
        PatchPerson: {
            name?: string | null;
            trusted?: boolean;
            master?: boolean;
        };
        /** @description Setting cron clears at, and setting at clears cron. */
        PatchSchedule: {
            /** @description The message, sent as if the owner had typed it. */
            text?: string;
            /** @description Five fields: minute, hour, day of the month, month, weekday. Names such as MON or JAN are allowed. */
            cron?: string;
            /**
             * Format: date-time
             * @description One time, instead of cron.
             */
            at?: string;
            /** @description IANA name of the time zone for cron. */
            timezone?: string;
            /** @description Null: a new chat for each run. */
            chat_id?: string | null;
            /** @description The model of new chats. */
            title?: string | null;
            model?: string | null;
            effort?: components["schemas"]["Effort"] | null;
            /**
             * @description Handles due times that are more than 60 s late. none: they are recorded as missed. last: the latest one runs.
             * @enum {string}
             */
            catch_up?: "none" | "last";
            /** @description The cost limit of one run. When it is reached, the turn fails with spend_cap. */
            max_cost_usd?: number | null;
            /** @description Calls that do not ask in the turns of the schedule, also after they have read text that the owner did not write. They cover no secret places and no protected paths. Later turns use a changed list. */
            grants?: components["schemas"]["ScheduleGrant"][];
            enabled?: boolean;
        };
        PendingRequest: {
            id: string;
            /** @enum {string} */
            kind: "op" | "question";
            /**
             * Format: uuid
             * @description The nil UUID if the kernel asks outside of chats. Send the answer to the same id.
             */
            chat_id: string;
            /**
             * Format: uuid
             * @description The nil UUID if the kernel asks outside of chats.
             */
            turn_id: string;
            /** @description The index of the question in the call; only for questions. */
            question?: number;
            /** @description The asking sub-agent. */
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
            /** @description The event as in the stream of the turn; for a question, its tool_call. */
            event: components["schemas"]["Event"];
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
            /** @description Can use the tools for trusted people. */
            trusted: boolean;
            /** @description Sorted by surface and id. */
            external_ids: {
                surface: string;
                external_id: string;
            }[];
        };
        PersonList: {
            /** @description Oldest first. */
            persons: components["schemas"]["Person"][];
        };
        Plan: {
            tasks: components["schemas"]["PlanTask"][];
        };
        PlanEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan";
            tasks: components["schemas"]["PlanTask"][];
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            tasks: components["schemas"]["PlanTask"][];
        };
        PlanTask: {
            title: string;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed";
        };
        /** @description USD per million tokens. */
        Price: {
            input: number;
            output: number;
            /** @description Absent: cached tokens have the price of input. */
            cached_input?: number;
        };
        Problem: {
            /** @description URL of the description of the code. */
            type: string;
            title: string;
            status: number;
            /** @description The reason for this occurrence. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            errors?: {
                /** @description JSON pointer into the body. */
                pointer: string;
                detail: string;
            }[];
            /** @description With already_resolved: how the request ended. */
            resolution?: components["schemas"]["Resolution"];
            /** @description With files_changed and files_stuck: all files that the rewind would restore. */
            files?: components["schemas"]["UndoneFile"][];
            request_id: string;
        };
        ProgressTaken: {
            /** @constant */
            ok: true;
        };
        /** @description The kernel waits before it retries a provider request. */
        ProviderWaitEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "provider_wait";
            /**
             * Format: date-time
             * @description The time of the next attempt.
             */
            until: string;
            /** @description The number of this retry, from 1 to `of`. */
            attempt: number;
            /** @description The maximum number of retries of one request. */
            of: number;
            reason: components["schemas"]["ProviderWaitReason"];
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /**
         * @description rate_limit: too many requests. overload: the provider is overloaded. connection: it is unreachable, or the connection was lost.
         * @enum {string}
         */
        ProviderWaitReason: "rate_limit" | "overload" | "connection";
        /** @enum {string} */
        PushEvent: "request_opened" | "turn_ended" | "schedule_ended" | "spend_cap";
        PushKey: {
            /** @description The key for applicationServerKey, in base64url. */
            public_key: string;
        };
        PushLog: {
            /** @description The last 50 since the start, newest first. */
            sent: components["schemas"]["PushSent"][];
        };
        /** @enum {string} */
        PushOutcome: "sent" | "failed" | "gone";
        PushSent: {
            /**
             * Format: date-time
             * @description The time of the last attempt.
             */
            at: string;
            /** @enum {string} */
            type: "request_opened" | "turn_ended" | "schedule_ended" | "spend_cap" | "test";
            chat_id: string | null;
            /** @enum {string} */
            to: "subscription" | "command" | "url";
            /** @description The label of the subscription, or the entry in the settings. */
            name: string;
            /** @description gone: the subscription expired and was removed. */
            outcome: components["schemas"]["PushOutcome"];
            /** @description Why it was not sent. */
            detail: string | null;
            attempts: number;
            /** @description Another attempt follows. */
            again: boolean;
        };
        /** @description Without its keys, which the API never returns. */
        PushSubscription: {
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            id: string;
            endpoint: string;
            name: string | null;
            /** @description Null: all events. */
            on: components["schemas"]["PushEvent"][] | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
        };
        PushSubscriptionList: {
            /** @description Oldest first. */
            subscriptions: components["schemas"]["PushSubscription"][];
        };
        PushTested: {
            /** @description gone: the subscription expired and was removed. */
            outcome: components["schemas"]["PushOutcome"];
            /** @description Why it was not sent. */
            detail: string | null;
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
        PutToSleep: {
            /**
             * Format: date-time
             * @description The wake time. Absent: until woken.
             */
            until?: string;
            reason?: string;
        };
        QueuedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "queued";
            /** @description The number of turns ahead. */
            position: number;
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        ReadBytes: {
            path: string;
            /** @description The offset of the first byte. */
            offset: number;
            /** @description Maximum number of bytes to read. */
            size: number;
        };
        ReadClientBytes: {
            path: string;
            /** @description The offset of the first byte. */
            offset: number;
            /** @description Maximum number of bytes to read. */
            size: number;
            /** @description Id of an open `consent_request` to write this file on a connected machine. The owner is not asked again, because the file is for that dialog. */
            request?: string;
        };
        RequestList: {
            /** @description Oldest first. */
            requests: components["schemas"]["PendingRequest"][];
        };
        /** @description For write_bytes, the data is left out; only the stream of the turn contains it. */
        RequestOpenedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_opened";
            request: components["schemas"]["PendingRequest"];
        };
        RequestResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_resolved";
            /** @description The id of the operation or of the tool call. */
            id: string;
            /**
             * @description An extra tool call has the kind op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @description Events were missed. Read the displayed data again. The events after this one are complete. */
        ResetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
        };
        Resolution: {
            /** @description The id of the operation or of the tool call. */
            id: string;
            /**
             * @description An extra tool call has the kind op.
             * @enum {string}
             */
            kind: "op" | "question";
            /** @enum {string} */
            reason: "answered" | "expired" | "turn_ended" | "cancelled";
            /** @description The index of the question. */
            question?: number;
            decision?: string;
        };
        ResolvePerson: {
            /** @description The surface of the id, such as mail or telegram. */
            surface: string;
            /** @description The id of the person on the surface. */
            external_id: string;
            /** @description Stored if the person has no name yet. */
            name?: string;
        };
        ResolvedRequest: {
            /** @constant */
            ok: true;
            resolution: components["schemas"]["Resolution"];
        };
        /** @description An id in both lists is accepted. */
        ReviewMemory: {
            /**
             * @description Ids of proposals.
             * @default []
             */
            accept?: string[];
            /**
             * @description Ids of proposals.
             * @default []
             */
            discard?: string[];
        };
        RevokedApprovals: {
            /** @description The number of revoked approvals. */
            revoked: number;
        };
        RewindFiles: {
            /**
             * @description preview: returns what a rewind would do to files, and changes nothing. restore: restores the files, then rewinds; does neither if one of them was changed later. Absent: rewinds, and leaves the files.
             * @enum {string}
             */
            files?: "preview" | "restore";
            /** @description The calling client, if it can run operations: it is asked about edits on clients. Absent: the client of the turn. */
            client_id?: string;
        };
        RewoundFiles: {
            /** @description The files that tools wrote in the removed part. Empty without `files`. */
            files: components["schemas"]["UndoneFile"][];
            /** @description Calls with side effects outside the chat, which a rewind does not undo. */
            not_undone: {
                tool: string;
                summary: string;
            }[];
            /** @description The number of removed messages. Absent with preview. */
            deleted?: number;
            /**
             * Format: uuid
             * @description Absent with preview.
             */
            first_deleted?: string;
            /**
             * Format: uuid
             * @description The version with the removed messages. Absent with preview, and if only waiting messages were removed.
             */
            version_id?: string;
        };
        RewoundMessages: {
            /** @description The number of deleted messages. */
            deleted: number;
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            first_deleted: string;
            /** @description Calls with side effects outside the chat, which a rewind does not undo. */
            not_undone: {
                tool: string;
                summary: string;
            }[];
        };
        /**
         * @description running: its turn has not ended and may still be queued.
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
            /** @description Null: a new chat for each run. */
            chat_id: string | null;
            title: string | null;
            model: string | null;
            effort: components["schemas"]["Effort"] | null;
            /**
             * @description Handles due times that are more than 60 s late. none: they are recorded as missed. last: the latest one runs.
             * @enum {string}
             */
            catch_up: "none" | "last";
            max_cost_usd: number | null;
            grants: {
                tool: string;
                target: string | null;
            }[];
            enabled: boolean;
            /** @description The reason if the kernel disabled it. */
            problem: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            /** @description Null: disabled, or its only time has passed. */
            next_at: string | null;
            /** @description The latest run. */
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
        /** @description The schedule was created, changed or deleted, or a run started. Read it again. */
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
        /** @description A run has ended. For consecutive missed times, only the last one is sent. */
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
        /** @description Calls that need no consent in the turns of a schedule. */
        ScheduleGrant: {
            tool: string;
            /**
             * @description A tool with an address: its host. `shell`: the first words of commands. Tools for files: a file or directory. Other tools of modules and servers: their group, or the only recipient if they ask themselves. Null: all; not for tools with the effect `send`.
             * @default null
             */
            target?: string | null;
        };
        ScheduleList: {
            /** @description Oldest first. */
            schedules: components["schemas"]["Schedule"][];
        };
        ScheduleRun: {
            /**
             * Format: date-time
             * @description For a manual run: the time of the request.
             */
            due_at: string;
            started_at: string | null;
            ended_at: string | null;
            chat_id: string | null;
            /** @description Null: the run started no turn. */
            turn_id: string | null;
            status: components["schemas"]["RunStatus"];
            error?: components["schemas"]["TurnError"];
        };
        ScheduleRunPage: {
            /** @description Newest first. */
            runs: components["schemas"]["ScheduleRun"][];
            /** @description The cursor of the next page. Null if this page is empty. */
            next_before: string | null;
        };
        SearchResults: {
            /** @description Newest first. */
            results: components["schemas"]["FoundMessage"][];
        };
        SetEffort: {
            level: components["schemas"]["Effort"] | null;
        };
        SetModel: {
            model: string | null;
        };
        SetNotebook: {
            /** @description The whole notebook. An empty text clears it. */
            text: string;
        };
        SetWorkdir: {
            workdir: string | null;
            /**
             * @description The machine on which workdir applies.
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
        SignIn: {
            /** @description The page of the authorization server, to open in a browser of the owner. Can be used once. */
            url: string;
            /**
             * Format: date-time
             * @description The time until which the response of that page is accepted.
             */
            expires_at: string;
        };
        Skill: {
            /** @description Letters, digits, - and _. */
            name: string;
            /** @description When to use it. This text is in every prompt. */
            description: string;
            /** @description Its folder. */
            path: string;
            /**
             * @description Whether the folder is on the kernel's machine or on a client's.
             * @enum {string}
             */
            on: "server" | "client";
        };
        SkillList: {
            /** @description By name. */
            skills: components["schemas"]["Skill"][];
            /** @description Folders that look like skills but are invalid. */
            broken: {
                path: string;
                reason: string;
            }[];
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
            /** @description Null: until woken. */
            until: string | null;
            reason: string | null;
        };
        SleepState: {
            asleep: boolean;
            since: string | null;
            /** @description Null: until woken, or awake. */
            until: string | null;
            reason: string | null;
            /** @description Sleeping turns: those that arrived during the sleep, and those that put themselves to sleep. */
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @enum {string} */
        SpeechFormat: "mp3" | "wav" | "opus";
        SpeechModel: {
            /** @description provider/name */
            id: string;
            name: string;
            provider: string;
            /** @description Null: unknown. */
            price: components["schemas"]["VoicePrice"] | null;
            /** @description The known voices, default first. */
            voices: string[];
            /** @description Default first. */
            formats: components["schemas"]["SpeechFormat"][];
        };
        SpeechRequest: {
            /** @description Markdown. Give this, or chat_id and message_id. */
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
            /** @description Absent: the default. */
            model?: string;
            /** @description Absent: the default. */
            voice?: string;
            /** @description Absent: the first format of the model. */
            format?: components["schemas"]["SpeechFormat"];
        };
        Spend: {
            prompt_tokens: number;
            completion_tokens: number;
            /** @description Part of completion_tokens, not an addition to it. */
            reasoning_tokens: number;
            /** @description Part of prompt_tokens: read from the provider’s cache. */
            cached_tokens: number;
            cost_usd: number | null;
            /** @description Tokens of the prompt before the first message. */
            prefix_tokens: number;
            turns: number;
            by_model: components["schemas"]["ModelSpend"][];
            /** @description The spending limits of a turn in this chat. Absent if the settings have no limits. */
            caps?: components["schemas"]["SpendCap"][];
        };
        SpendCap: {
            /** @enum {string} */
            scope: "turn" | "chat" | "day" | "month";
            /** @enum {string} */
            unit: "usd" | "tokens";
            spent: number;
            /** @description The limit: the setting plus what the master added. */
            cap: number;
            /** @description The part of the limit that the master added. */
            raised_by: number;
        };
        SpendReport: {
            /** @enum {string} */
            by: "day" | "model" | "surface";
            /**
             * Format: date
             * @description The first day, in the time zone of `sleep.timezone`.
             */
            from: string;
            /**
             * Format: date
             * @description The last day: today.
             */
            to: string;
            /** @description Sorted by `key`. Days on which nothing was spent have no row. */
            rows: {
                prompt_tokens: number;
                completion_tokens: number;
                /** @description Part of completion_tokens, not an addition to it. */
                reasoning_tokens: number;
                /** @description Part of prompt_tokens: read from the provider’s cache. */
                cached_tokens: number;
                cost_usd: number | null;
                /** @description Turns that began in these days, of chats that exist. */
                turns: number;
                /** @description The day as YYYY-MM-DD, the id of the model, or the surface: the name of a module, `schedule`, `client` for the page, the terminal and other programs, or `other` for what no turn of an existing chat has spent. */
                key: string;
            }[];
            total: {
                prompt_tokens: number;
                completion_tokens: number;
                /** @description Part of completion_tokens, not an addition to it. */
                reasoning_tokens: number;
                /** @description Part of prompt_tokens: read from the provider’s cache. */
                cached_tokens: number;
                cost_usd: number | null;
                /** @description Turns that began in these days, of chats that exist. */
                turns: number;
            };
        };
        StandByHands: {
            client_id: string;
            /** @description The name of a connected machine: one line without invisible characters. */
            name: string;
            /** @description As reported by the machine, such as linux. */
            platform: string;
            /**
             * Format: date-time
             * @description The time of the last connect or disconnect.
             */
            since: string;
            /** @description Whether it is connected. */
            here: boolean;
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
        Stats: {
            version: string;
            uptime_s: number;
            /** @description Includes deleted ones, as do all counts. */
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
            /** @description Of all chats, including deleted ones, and of calls outside of chats. */
            tokens: {
                prompt_tokens: number;
                completion_tokens: number;
                /** @description Part of completion_tokens, not an addition to it. */
                reasoning_tokens: number;
                /** @description Part of prompt_tokens. */
                cached_tokens: number;
            };
            cost_usd: number | null;
            /** @description Provider → its last reported limits. */
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
                /** @description Growth means that triage wakes the module unnecessarily. */
                misses: number;
            };
            modules: {
                [key: string]: "up" | "down";
            };
            /** @description The limits of the day and the month. Absent if the settings have neither. */
            caps?: components["schemas"]["SpendCap"][];
        };
        /** @enum {string} */
        StopReason: "stop" | "tools" | "length" | "content_filter" | "other" | "ends_turn" | "cancelled" | "error" | "kernel_restarted";
        SubscribeToChannel: {
            title: string;
            /** @default null */
            url?: string | null;
            /** @default null */
            avatar_url?: string | null;
            /**
             * @description Further data of clients, at most 16 KiB of JSON.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SubscribeToPush: {
            /** @description The endpoint that the push service gave the browser. */
            endpoint: string;
            /** @description As in PushSubscription.toJSON() of the browser. */
            keys: {
                p256dh: string;
                auth: string;
            };
            /** @description The name of the device. */
            name?: string;
            /** @description The events to send. Absent: all. */
            on?: components["schemas"]["PushEvent"][];
        };
        Subscription: {
            title: string;
            /** @default null */
            url: string | null;
            /** @default null */
            avatar_url: string | null;
            /**
             * @description Further data of clients, at most 16 KiB of JSON.
             * @default {}
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Any id of the channel, or its URL if it has no id. */
            channel_id: string;
        };
        SubscriptionList: {
            /** @description Sorted by title, ignoring case. */
            subscriptions: components["schemas"]["Subscription"][];
        };
        SubscriptionsImported: {
            /**
             * @description The detected format of the file.
             * @enum {string}
             */
            format: "opml" | "newpipe" | "invidious" | "freetube";
            /** @description Newly followed channels. */
            new: number;
            /** @description Channels already followed, which stay unchanged. */
            known: number;
            /** @description Entries without a channel. */
            invalid: number;
            /** @description True: a dry run that only counted. */
            dry_run: boolean;
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
            /** @description The sources of text in the compacted messages that the owner did not write. */
            outside?: string[];
        };
        TextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text_delta";
            text: string;
            /**
             * @description The provider marked this text as a refusal.
             * @constant
             */
            refusal?: true;
            /**
             * @description Present on replayed events: display them, never execute them.
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
            turn_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             */
            created_at: string;
            text: string;
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
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
            /** @description Absent while the call is running. */
            output?: string;
            is_error: boolean;
            /** @description The latest snapshot; live only. */
            progress?: string;
            /** @description The sub-agent that made the call. */
            agent?: string;
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
            /** @description Only in turns of the master or a trusted person. */
            trusted_only: boolean;
            /** @description Only in turns of the master; trusted_only is then also true. */
            master_only: boolean;
            /** @description Only if the client of the turn can run operations. */
            client_only: boolean;
            /** @description Its group takes one line in the prompt until the model loads it. */
            on_demand: boolean;
            /** @description The possible effects of a call. Empty: it changes nothing beyond the chat. */
            effects: components["schemas"]["Effect"][];
            /** @enum {string} */
            source: "builtin" | "module" | "mcp";
            /** @description False: its module or server is down, and calls return an error. */
            available: boolean;
            /** @description The kernel that runs its module or server, if several kernels share the database. Calls go there. */
            kernel?: components["schemas"]["KernelName"];
        };
        ToolGroupEntry: {
            name: string;
            /** @description The text by which a model decides whether to load the group. */
            about: string;
            /** @description All of its tools are on demand. */
            on_demand: boolean;
        };
        ToolList: {
            /** @description In the order of the prompt. */
            tools: components["schemas"]["ToolEntry"][];
            /** @description Sorted by name. */
            groups: components["schemas"]["ToolGroupEntry"][];
            /** @description Why no sandbox works on the kernel's machine, if `tools.shell.sandbox` is not `none`. Commands and changes then ask in chats without a working directory. */
            no_sandbox?: string;
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
             * @description Present on replayed events: display them, never execute them.
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
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        Toolset: {
            /**
             * @description On-demand groups that were loaded for the chat.
             * @default []
             */
            loaded: string[];
            /**
             * @description Groups that are disabled in the chat.
             * @default []
             */
            disabled: string[];
        };
        ToolsetInput: {
            /**
             * @description On-demand groups that were loaded for the chat.
             * @default []
             */
            loaded?: string[];
            /**
             * @description Groups that are disabled in the chat.
             * @default []
             */
            disabled?: string[];
        };
        Transcription: {
            /** @description Empty if there is no speech. */
            text: string;
            /** @description The id of the model that answered. */
            model: string;
            /** @description Null: not reported by the provider. */
            language: string | null;
            /** @description Null: unknown. */
            duration_secs: number | null;
            /** @description Null: the price is unknown. */
            cost_usd: number | null;
        };
        TranscriptionModel: {
            /** @description provider/name */
            id: string;
            name: string;
            provider: string;
            /** @description Null: unknown. */
            price: components["schemas"]["VoicePrice"] | null;
        };
        Triage: {
            engaged: number;
            responded: number;
            /** @description Growth means that triage wakes the module unnecessarily. */
            misses: number;
        };
        TriageReport: {
            /** @description Messages that triage engaged. */
            engaged: number;
            /** @description Engaged messages that got a reply. */
            responded: number;
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
            waiting_for: components["schemas"]["WaitingFor"];
            /** @description Null until the turn runs, and if no model was found. */
            model: string | null;
            effort: components["schemas"]["TurnEffort"];
            started_at: string | null;
            ended_at: string | null;
            usage: components["schemas"]["Usage"];
            /** @description The sources of text in the context of the turn that the owner did not write, such as `web:example.org`, `mcp:github` or `message:Ann`. */
            outside: string[];
            /** @description The surface message that the turn is bound to. */
            anchor?: components["schemas"]["Anchor"];
            error?: components["schemas"]["TurnError"];
        };
        TurnEffort: {
            /** @description The effective level: the nearest one that the model supports. */
            value: components["schemas"]["Effort"];
            /** @enum {string} */
            source: "turn" | "ultrathink" | "chat" | "surface" | "model" | "global";
            /** @description Whether think_harder raised it in the turn. */
            raised: boolean;
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
        TurnError: {
            code: components["schemas"]["TurnErrorCode"];
            message: string;
            retryable: boolean;
            /** @description The HTTP status of the rejection by the provider. */
            provider_status?: number;
            /** @description The wait time requested by the provider. */
            retry_after_secs?: number;
        };
        /** @enum {string} */
        TurnErrorCode: "upstream_error" | "upstream_rate_limited" | "upstream_auth" | "context_overflow" | "no_model" | "blocked_by_module" | "spend_cap" | "step_limit" | "repeated_call" | "kernel_restarted" | "storage_unavailable" | "internal";
        /** @description The turn runs. Opens the stream of a turn that is neither queued nor asleep, and follows `queued` or `sleeping` once such a turn begins. */
        TurnEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn";
            /**
             * Format: uuid
             * @description UUID. Chats, turns and messages are UUIDv7: they sort by time.
             */
            turn_id: string;
            waiting_for: components["schemas"]["WaitingFor"];
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        TurnRequest: {
            text?: string;
            /** @description Absent without person_id: the master. Present without person_id: a stranger. `kernel` is rejected. */
            sender?: string;
            /**
             * Format: uuid
             * @description The person who wrote the message, with or without sender.
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
            /** @description The sources of text in this request that the speaker did not write, such as `telegram:group 42`. */
            outside?: string[];
            effort?: components["schemas"]["Effort"];
            model?: string;
            /** @description Event types to leave out of this stream, at most 100. Unknown types are ignored. */
            mute?: (components["schemas"]["EventType"] | string)[];
            project_docs?: boolean;
            /** @description The client supports the operation list_dir. With `project_docs`, the kernel looks for skills. */
            list_dir?: boolean;
            /** @description This client can run operations. */
            client_ops?: boolean;
            /**
             * @description none: the turn has no tools that work on a machine, and its prompt has no [project] block.
             * @enum {string}
             */
            machine?: "auto" | "none";
            /** @description This client can show questions; default: client_ops. */
            questions?: boolean;
            /** @description This client shows the event consent_request, for as long as it reads the stream. */
            consents?: boolean;
            /** @description This client asks about a call as a whole: the first operation that needs a decision has `call`, and its decision covers them all. */
            whole_calls?: boolean;
            client_id?: string;
            extra_tools?: components["schemas"]["ExtraTool"][];
            anchor?: components["schemas"]["Anchor"];
            /** @description The title for a chat without one. */
            chat_title?: string;
            reply_to_ext_id?: string;
            reply_to_text?: string;
            guest?: boolean;
            /** @description Maximum number of tokens of one model response. */
            max_tokens?: number;
            /** @description Asks the model for a short answer. */
            brief?: boolean;
            /** @description Applies if the chat has no model. */
            surface_model?: string;
            surface_effort?: components["schemas"]["Effort"];
            /** @description Groups or tool names. Only these are offered. The header X-Ignored-Tools lists unknown ones. */
            tools?: string[];
            /**
             * @default queue
             * @enum {string}
             */
            on_busy?: "queue" | "reject";
        };
        TurnSqueezedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_squeezed";
            freed_chars: number;
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
        };
        /** @description The turn is now running. */
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
        /** @enum {string} */
        TurnStatus: "queued" | "sleeping" | "running" | "completed" | "failed" | "cancelled";
        UndoneFile: {
            /** @description The real path, if it is known. */
            path: string;
            /**
             * @description delete: the edits created the file. unchanged: it has its state from before the edits. not_kept: no earlier state is stored, and the file stays as it is.
             * @enum {string}
             */
            action: "restore" | "delete" | "unchanged" | "not_kept";
            /** @description The file was changed after the last of the edits, so nothing is restored. */
            changed_since: boolean;
            /** @description The reason why it cannot be restored or is not stored. */
            error?: string;
            /** @description For an incomplete restore: whether this file was restored. */
            restored?: boolean;
            /**
             * @description The machine with the file. server: the machine of the kernel.
             * @enum {string}
             */
            machine: "client" | "server";
            /** @description The name of the connected machine. */
            hands?: string;
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
            /**
             * @description Present on replayed events: display them, never execute them.
             * @constant
             */
            replayed?: true;
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
            /** @description Groups the items of one turn. Null for items without a turn. */
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
             * @description The turn of the message has not started. Absent after its start.
             * @constant
             */
            waiting?: true;
            /** @description Present if other versions begin at this message. */
            versions?: components["schemas"]["VersionMark"];
        };
        VersionFork: {
            /** @description The version that contains the place; null if the place is in what the chat shows. */
            inside: string | null;
            /** @description Oldest first. At most one is active: none after a rewind, until the next message. */
            versions: components["schemas"]["ChatVersion"][];
        };
        VersionMark: {
            index: number;
            count: number;
            /** @description The ids of all versions at this place, oldest first. */
            ids: string[];
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
             * @description As reported by the client.
             * @default null
             */
            published_at: string | null;
            /** @description 0 or less: unknown, as for a live stream. */
            duration_s: number;
            /**
             * @description The stop position. Stored from 2% to 97% of the duration, otherwise null.
             * @default null
             */
            position_s: number | null;
            /**
             * @description Further data of clients, at most 16 KiB of JSON.
             * @default {}
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Any id of the video. The kernel does not contact video sites. */
            video_id: string;
            /**
             * Format: date-time
             * @description The time of the last update.
             */
            watched_at: string;
        };
        /** @description The video library has changed. Read it again. */
        VideoChangedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video_changed";
            /** @enum {string} */
            what: "history" | "subscriptions";
        };
        VideoPage: {
            /** @description Most recently watched first. */
            rows: components["schemas"]["Video"][];
            /** @description The cursor of the next page. Null if the page is empty, which is the end. */
            next_before: string | null;
        };
        VideosDeleted: {
            deleted: number;
        };
        VoiceList: {
            transcription: {
                models: components["schemas"]["TranscriptionModel"][];
                /** @description Null: no model is available for this. */
                default_model: string | null;
            };
            speech: {
                models: components["schemas"]["SpeechModel"][];
                /** @description Null: no model is available for this. */
                default_model: string | null;
                /** @description The setting voice.voice. Null: the first voice of the model. */
                voice: string | null;
            };
        };
        VoicePrice: {
            /** @description USD per minute of transcribed audio. */
            per_minute?: number;
            /** @description USD per million characters of speech. */
            per_million_chars?: number;
        };
        /** @description What the turn waits for. provider: the next attempt of a provider request. request: an answer to a request in GET /v1/requests. queue: the turns ahead of it. sleep: the end of its own sleep or of the sleep of the kernel. Null: none of these. */
        WaitingFor: ("provider" | "request" | "queue" | "sleep") | null;
        Woken: {
            /** @description Turns. */
            woken: string[];
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
                /** @description The maximum number of entries. */
                limit?: number;
                /** @description A chat id. Only older chats are returned. */
                before?: string;
                /** @description Only chats of this shelf. */
                shelf?: string;
                /** @description Only chats of this project. */
                project?: string;
                /** @description Part of the title, ignoring case. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `unknown_cursor`: Unknown cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedChat"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffortSetting"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactResult"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: Model provider error. */
            502: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spend"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The maximum number of entries. */
                limit?: number;
                /** @description A message id. The page contains the messages before it. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `unknown_cursor`: Unknown cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description A repeat within 24 h attaches to the turn of the first call. */
                "idempotency-key"?: string;
                /** @description For a repeat: only events after this one are sent. Without Idempotency-Key, the same message with an event of its turn also counts as a repeat and attaches to that turn. */
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
            /** @description Server-sent events. Each has a line `data: ` with one Event as JSON, and a line `id: ` for resuming, followed by an empty line. A line `retry: ` precedes the first event, and comments may precede any event. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The id of the turn. */
                    "X-Turn-Id"?: string;
                    /** @description The id of the stored user message. */
                    "X-Message-Id"?: string;
                    /** @description Entries of `tools` that name neither a tool nor a group, percent-encoded and comma-separated. */
                    "X-Ignored-Tools"?: string;
                    /** @description `true`: the stream resumes after the event named in Last-Event-ID. `false`: it starts from the beginning. Absent without Last-Event-ID. */
                    "X-Resumed"?: string;
                    /** @description JSON pointers of ignored fields. */
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
            /** @description `invalid_value`: Invalid value. `tool_name_taken`: Tool name already in use. `unknown_file`: File not found. `unknown_model`: Model not found. `empty_message`: Empty message. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. `idempotency_mismatch`: Idempotency key already used. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewoundMessages"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
            query?: {
                /** @description preview: returns what a rewind would do to files, and changes nothing. restore: restores the files, then rewinds; does neither if one of them was changed later. Absent: rewinds, and leaves the files. */
                files?: "preview" | "restore";
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RewindFiles"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewoundFiles"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. `files_changed`: Files have changed. `files_stuck`: Files cannot be restored. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVersions: {
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatVersions"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                version_id: string;
            };
            cookie?: never;
        };
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatVersions"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryTurn: {
        parameters: {
            query?: {
                /** @description First restores the files that tools changed from the message on. */
                files?: "restore";
            };
            header?: {
                /** @description A repeat within 24 h attaches to the turn of the first call. */
                "idempotency-key"?: string;
                /** @description For a repeat: only events after this one are sent. Without Idempotency-Key, the same message with an event of its turn also counts as a repeat and attaches to that turn. */
                "last-event-id"?: string;
            };
            path: {
                /** @description The chat. */
                id: string;
                /** @description UUID. Chats, turns and messages are UUIDv7: they sort by time. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TurnRequest"];
            };
        };
        responses: {
            /** @description Server-sent events. Each has a line `data: ` with one Event as JSON, and a line `id: ` for resuming, followed by an empty line. A line `retry: ` precedes the first event, and comments may precede any event. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The id of the turn. */
                    "X-Turn-Id"?: string;
                    /** @description The id of the stored user message. */
                    "X-Message-Id"?: string;
                    /** @description Entries of `tools` that name neither a tool nor a group, percent-encoded and comma-separated. */
                    "X-Ignored-Tools"?: string;
                    /** @description `true`: the stream resumes after the event named in Last-Event-ID. `false`: it starts from the beginning. Absent without Last-Event-ID. */
                    "X-Resumed"?: string;
                    /** @description JSON pointers of ignored fields. */
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
            /** @description `invalid_value`: Invalid value. `tool_name_taken`: Tool name already in use. `unknown_file`: File not found. `unknown_model`: Model not found. `empty_message`: Empty message. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `turn_running`: A turn is running in this chat. `files_changed`: Files have changed. `files_stuck`: Files cannot be restored. `idempotency_mismatch`: Idempotency key already used. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Also cancel queued turns. */
                queued?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The chat. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelResult"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Event types to leave out, comma-separated. Unknown types are ignored. */
                mute?: string;
                /** @description Keep the stream open for later turns. */
                follow?: "true" | "false";
            };
            header?: {
                /** @description Only later events are sent. */
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
            /** @description Server-sent events. Each has a line `data: ` with one Event as JSON, and a line `id: ` for resuming, followed by an empty line. A line `retry: ` precedes the first event, and comments may precede any event. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description `true`: the stream resumes after the event named in Last-Event-ID. `false`: it starts from the beginning. Absent without Last-Event-ID. */
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
            /** @description No content. */
            204: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Only later events are sent. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. Each has a line `data: ` with one KernelEvent as JSON, and a line `id: ` for resuming, followed by an empty line. A line `retry: ` precedes the first event, and comments may precede any event. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
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
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedRequest"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. `unknown_request`: Request not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_resolved`: Request already resolved. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressTaken"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. `unknown_request`: Request not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_resolved`: Request already resolved. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Only requests of this chat. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApprovals"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApprovals"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                /** @description The maximum number of entries. */
                limit?: number;
                /** @description The id of the last decision of the previous page. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionPage"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesRead"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. `forbidden_path`: Path not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                "application/json": components["schemas"]["ReadClientBytes"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesRead"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. `forbidden_path`: Path not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. `unknown_request`: Request not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_client`: No client is connected to this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    copyFile: {
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
                "application/json": components["schemas"]["CopyFile"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. `forbidden_path`: Path not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_client`: No client is connected to this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BytesFound"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. `forbidden_path`: Path not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `no_client`: No client is connected to this chat. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The stable id of the machine, the same after restarts. */
                client_id: string;
                /** @description The name of a connected machine: one line without invisible characters. */
                name: string;
                /** @description The operating system, such as linux. */
                platform?: string;
                /** @description The sandbox of commands on the machine, for requests for consent. */
                sandbox?: "bwrap" | "sandbox-exec" | "none";
                /** @description The ids of operations that are running or unanswered on the machine, comma-separated. */
                running?: string;
            };
            header?: {
                /** @description The same as client_id, percent-encoded. Only an EventSource of a page of the kernel may omit it. */
                "x-client-id"?: string;
                /** @description A random text that stays the same across restarts. After the first stream with it, the client_id connects only with it. */
                "x-client-secret"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. Each has a line `data: ` with one HandsEvent as JSON, and a line `id: ` for resuming, followed by an empty line. A line `retry: ` precedes the first event, and comments may precede any event. The id has no meaning here: this stream cannot be resumed. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
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
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `name_taken`: Machine name already in use. `too_many_machines`: Too many machines. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandsList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The client_id of the machine. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgottenHands"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SleepState"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SleepState"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Woken"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedSchedule"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedRun"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The maximum number of entries. */
                limit?: number;
                /** @description A due time. Only earlier runs are returned. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRunPage"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Counts messages. A message can have several items. */
                limit?: number;
                /** @description An item id. The page contains the items before it. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `unknown_cursor`: Unknown cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notebook"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notebook"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `kernel_away`: The kernel that owns this chat is unreachable. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEntry"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEmptied"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reviewMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewMemory"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryReviewed"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryForgotten"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryEntry"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushKey"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscriptionList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscription"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushUnsubscribed"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushTested"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushLog"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Every word must match. The last word matches as a prefix. */
                q: string;
                /** @description The maximum number of results. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The chat and its items, one per line, or a readable text. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description A file named after the chat. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Write nothing and return what would be imported. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedChat"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completion"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `spend_cap`: Spending limit reached. */
            402: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: Model provider error. */
            502: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "audio/*": unknown;
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `spend_cap`: Spending limit reached. */
            402: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: Model provider error. */
            502: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `too_busy`: Too many concurrent requests. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModuleList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The name of the module. */
                name: string;
            };
            cookie?: never;
        };
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Module"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `module_down`: Module not running. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The name of the module. */
                name: string;
            };
            cookie?: never;
        };
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Module"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `module_down`: Module not running. */
            409: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The name in mcp.servers. */
                name: string;
            };
            cookie?: never;
        };
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `sign_in_failed`: Sign-in to the MCP server failed. */
            502: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The name in mcp.servers. */
                name: string;
            };
            cookie?: never;
        };
        /** @description Optional. The kernel ignores it. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guest"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSpendReport: {
        parameters: {
            query?: {
                /** @description The number of days, including today. */
                days?: number;
                /** @description The grouping of the rows. */
                by?: "day" | "model" | "surface";
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpendReport"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Triage"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The maximum number of entries. */
                limit?: number;
                /** @description The id of the last book of the previous page. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookList"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `unknown_cursor`: Unknown cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookDeleted"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Any id of the video. The kernel does not contact video sites. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Any id of the video. The kernel does not contact video sites. */
                video_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideosDeleted"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The maximum number of entries. */
                limit?: number;
                /** @description The id of the last video of the previous page. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoPage"];
                };
            };
            /** @description `malformed_cursor`: Malformed cursor. `unknown_cursor`: Unknown cursor. `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideosDeleted"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Any id of the channel, or its URL if it has no id. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description JSON pointers of ignored fields. */
                    "X-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. `schema_mismatch`: Body does not match the schema. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Any id of the channel, or its URL if it has no id. */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideosDeleted"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_json`: Body is not valid JSON. */
            422: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The export format. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The file name. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Includes the skills of the working directory of this chat. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillList"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
            /** @description The content. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The content of an id never changes. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
            /** @description The content. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    /** @description The content of an id never changes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The content of the range. */
            206: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `range_not_satisfiable`: Range not satisfiable. */
            416: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Config"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
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
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KernelList"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
            /** @description Samples, one per line. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Absent: the default. */
                model?: string;
                /** @description The spoken language (ISO 639). Absent: detected by the model. */
                language?: string;
                /** @description An uploaded file instead of a body. */
                file_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The audio data. */
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcription"];
                };
            };
            /** @description `invalid_value`: Invalid value. `unknown_model`: Model not found. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `spend_cap`: Spending limit reached. */
            402: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `upstream_error`: Model provider error. */
            502: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `shutting_down`: The kernel is shutting down. `too_busy`: Too many concurrent requests. `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description Only count, as a dry run. */
                dry_run?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The file content. */
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionsImported"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
                /** @description The file name in percent-encoded UTF-8. */
                "x-file-name"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The content. */
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description `invalid_value`: Invalid value. */
            400: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden_origin`: Origin not allowed. `forbidden_host`: Host name not allowed. `forbidden_user`: User not allowed. */
            403: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large`: Body too large. */
            413: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Internal error. */
            500: {
                headers: {
                    /** @description The id of this request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`: Storage unavailable. */
            503: {
                headers: {
                    /** @description The id of this request in the log. */
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
