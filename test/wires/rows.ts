/**
 * The rows of the tables in this folder: the bytes of an answer with status 200, and its events. Each oddity of a provider
 * is one row; the runner cuts it at every byte.
 */
import type { JsonObject } from '@chat-kernel/protocol';

export interface Row {
  name: string;
  /** The data of the events; an object is written as JSON. */
  events?: readonly (string | object)[];
  /** The whole body, in place of events. */
  body?: string;
  thinking?: string;
  text?: string;
  /** The name, the input and, if it matters, the id of each call. */
  calls?: readonly [name: string, input: JsonObject, id?: string][];
  /** Images, as the text of their bytes. */
  images?: readonly string[];
  /** Tokens of the prompt and the answer, if the row reports any. */
  usage?: readonly [prompt: number, completion: number];
  /** How it ends; absent: stop, or tools if there are calls. */
  finish?: 'length' | 'content_filter' | 'other';
  /** The parts that are not understood, and whose content is lost. */
  lost?: readonly string[];
  /** The parts that are not understood; absent: only those that are lost. */
  unread?: readonly string[];
  /** The metadata for the provider at the ends of blocks and at calls, in their order; absent: not checked. */
  metadata?: readonly object[];
  /** The message of the error that ends it instead. */
  error?: string;
}
