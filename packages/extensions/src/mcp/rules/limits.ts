/** How much a guest may send and how long it may take: nobody has looked at its code. */

/** Bytes of one message. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;
/** Tools of one server. */
export const TOOLS = 200;
/** Pages that are asked for to find them. */
export const PAGES = 50;
/** Characters of a description. */
export const DESCRIPTION_CHARS = 10_000;
/** Characters of an input schema, written as JSON: checking it costs time. */
export const SCHEMA_CHARS = 65_536;
/** Characters of the text of a result. */
export const RESULT_CHARS = 200_000;
/** Images of a result. */
export const IMAGES = 20;
/** Characters of what is shown while a call runs. */
export const PROGRESS_CHARS = 8_192;
/** What is shown changes no more often than this. */
export const PROGRESS_EVERY_MS = 100;
/** Characters of a sentence by a server or about it, such as why it failed. */
export const SENTENCE_CHARS = 2_000;

/** From the start of the program, or the first request, to the whole list of tools. */
export const CONNECT_MS = 60_000;
/**
 * How long a program may leave the question for its protocol revision unanswered before it is taken for one that
 * speaks an older one. Of a server on the network, silence says nothing of that kind.
 */
export const PROBE_MS = 10_000;
/** The list of tools, all its pages. */
export const LIST_MS = 60_000;
/** A call without an answer and without progress. */
export const CALL_MS = 120_000;
/** How often a server on the network is asked whether it is there, and how long it may take to say so. */
export const BEAT_MS = 60_000;
export const BEAT_ANSWER_MS = 10_000;
/** What may mean that it is gone has it asked, but no more often than this. */
export const SUSPECT_EVERY_MS = 5_000;
/** Before the first try to reconnect; then twice as long each time, up to the last of these. */
export const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 60_000;
/** A connection that has held this long was a good one: the next pause is a first one again. */
export const GOOD_AFTER_MS = 60_000;
/** How long a program may take to end by itself when its input ends, and again after SIGTERM. */
export const GRACE_MS = 1_000;

/** For the library: deadlines are kept by the clock of the kernel, and not by its own. */
export const NO_TIMEOUT = 2 ** 31 - 1;

/** Whole characters, cut where there are too many. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most - 1).toWellFormed()}…`;
}
