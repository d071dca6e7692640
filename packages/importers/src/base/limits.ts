/** Limits what an export may unpack to: a few bytes can become any number of them (SAFE-7). */
export interface ImportLimits {
  /** Conversations in an export. */
  conversations: number;
  /** Bytes of one conversation: the limit of a request to the kernel. */
  conversation_bytes: number;
  /** Values in the JSON of one conversation. */
  values: number;
  /** An archive may always unpack to so many bytes, and otherwise to so many times its own. */
  unpacked_bytes: number;
  ratio: number;
}

export const IMPORT_LIMITS: ImportLimits = {
  conversations: 200_000,
  conversation_bytes: 64 * 1024 * 1024,
  values: 5_000_000,
  unpacked_bytes: 64 * 1024 * 1024,
  ratio: 100,
};
