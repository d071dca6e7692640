/** Defines limits on sizes and times of a guest, whose code is not reviewed. */

/** Bytes of one message. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;
/** Tools of one server. */
export const TOOLS = 200;
/** Pages of the list of tools. */
export const PAGES = 50;
/** Characters of a description. */
export const DESCRIPTION_CHARS = 10_000;
/** Characters of an input schema as JSON; a longer one would take too long to check. */
export const SCHEMA_CHARS = 65_536;
/** Levels of an input schema: code that handles it later is recursive. */
export const SCHEMA_LEVELS = 64;
/** Characters of the text of a result. */
export const RESULT_CHARS = 200_000;
/** Images of a result. */
export const IMAGES = 20;
/** Characters of the progress of a call. */
export const PROGRESS_CHARS = 8_192;
/** Shortest time between two snapshots of the progress. */
export const PROGRESS_EVERY_MS = 100;
/** Characters of a sentence of a server or about it, such as the reason of a failure. */
export const SENTENCE_CHARS = 2_000;

/** From the start of the program, or from the first request, until the connection is open. */
export const CONNECT_MS = 60_000;
/**
 * A program that does not answer the request for its protocol revision within this time is treated as an older one. The
 * silence of a remote server implies nothing about its revision.
 */
export const PROBE_MS = 10_000;
/** The whole list of tools, with all pages. */
export const LIST_MS = 60_000;
/** A call without an answer and without progress. */
export const CALL_MS = 120_000;
/**
 * Between two polls of a task, if the server requests no interval, and the limits of the interval that it may request.
 */
export const POLL_MS = 1_000;
export const SHORTEST_POLL_MS = 100;
export const LONGEST_POLL_MS = 60_000;
/** How long a canceled call waits for the server to start its task, and to accept its cancellation. */
export const CANCEL_MS = 1_000;
/** Interval between two heartbeats of a remote server, and time for the answer to one. */
export const BEAT_MS = 60_000;
export const BEAT_ANSWER_MS = 10_000;
/** Errors that may mean that a server is unreachable cause an additional heartbeat, at most this often. */
export const SUSPECT_EVERY_MS = 5_000;
/** Delay before the first attempt to reconnect. Each later delay is twice as long, up to the second value. */
export const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 60_000;
/** A connection that lasted this long was stable: the next delay is the first one again. */
export const GOOD_AFTER_MS = 60_000;
/** How long a program may take to exit when its input ends, and again after SIGTERM. */
export const GRACE_MS = 1_000;

/** One request of a sign-in, and bytes of its answer. */
export const AUTH_MS = 20_000;
export const AUTH_BYTES = 1024 * 1024;
/** From the beginning of a sign-in until the browser must be back. */
export const SIGN_IN_MS = 600_000;
/** A token is renewed this long before it expires: a request takes time, and clocks differ. */
export const RENEW_AHEAD_MS = 10_000;
/** How long a kernel holds the right to renew a token; longer than its request may take. */
export const RENEW_MS = 30_000;
/**
 * A guest has hardly rejected a token that is this new: an older one was rejected, in a request that was still running.
 */
export const YOUNG_MS = 5_000;

/** Timeout for the library, longer than any call: the clock of the kernel measures the real ones. */
export const NO_TIMEOUT = 2 ** 31 - 1;

/** Returns at most `most` UTF-16 units of a text, well-formed, with … at the end if it was truncated. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most - 1).toWellFormed()}…`;
}
