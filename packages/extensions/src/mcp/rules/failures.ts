/** What the library throws, read by its codes: who answered, who was silent, and what a person is told of it. */
import { ProtocolError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from './limits.ts';

/** Marks the error that stands in for an answer which will not come. */
export const UNANSWERED = { unanswered: true };

/** The server has answered, with an error. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof ProtocolError && error.data !== UNANSWERED;

/** The server no longer knows the session, and has not looked at what was asked in it. */
export const isForgottenSession = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.data?.status === 404;

/** The connection ended while the server was asked for its revision. */
export const isNegotiationFailure = (error: unknown): boolean =>
  codeOf(error) === SdkErrorCode.EraNegotiationFailed;

/** The server wants something of the client in the middle of a call that this one does not offer. */
export const isQuestion = (error: unknown): boolean => codeOf(error) === SdkErrorCode.UnsupportedResultType;

/** The connection ended while the server was asked. */
export const isClosed = (error: unknown): boolean => codeOf(error) === SdkErrorCode.ConnectionClosed;

/** In a sentence; of what failed on the network, also what made it fail. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return cut(String(error), SENTENCE_CHARS);
  const root = rootOf(error);
  const because = root.message || String(codeOf(root) ?? '');
  return cut(
    error.message.includes(because) ? error.message : `${error.message}: ${because}`,
    SENTENCE_CHARS,
  );
}

const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
