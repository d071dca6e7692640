/** Tells the errors of the library apart by their codes, and puts them into sentences. */
import { JsonObject } from '@chat-kernel/protocol';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from './limits.ts';

/** Marks an error that replaces an answer which will not come. */
export const UNANSWERED = { unanswered: true };

/** Whether the server itself has answered with an error. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof ProtocolError && error.data !== UNANSWERED;

/** Whether the server no longer knows the session, and has not handled the request. */
export const isForgottenSession = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.data?.status === 404;

/** A guest wants its owner to sign in; nothing of the request took effect. */
export class SignInNeeded extends Error {
  constructor(guest: string) {
    super(`it wants you to sign in: chat-kernel mcp login ${guest}`);
  }
}

/** Whether the server has refused a request for its token, that had just been renewed. */
export const isRefusedToken = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.data?.status === 401;

/** The error of this class that is the cause of another one, however deep. */
export function causeOf<Cause extends Error>(
  error: unknown,
  kind: abstract new (...args: never[]) => Cause,
): Cause | undefined {
  if (error instanceof kind) return error;
  return error instanceof Error ? causeOf(error.cause, kind) : undefined;
}

/** Whether the connection ended while the server was asked for its protocol revision. */
export const isNegotiationFailure = (error: unknown): boolean =>
  codeOf(error) === SdkErrorCode.EraNegotiationFailed;

/** Whether the server has asked, in the middle of a call, for something that this client does not offer. */
export const isQuestion = (error: unknown): boolean =>
  codeOf(error) === SdkErrorCode.UnsupportedResultType ||
  codeOf(error) === SdkErrorCode.CapabilityNotSupported;

/** Whether the server has begun a task, unasked, in a revision in which tasks are an extension. */
export const isUnwantedTask = (error: unknown): boolean =>
  error instanceof SdkError &&
  error.code === SdkErrorCode.UnsupportedResultType &&
  JsonObject.safeParse(error.data).data?.resultType === 'task';

/** Whether the connection ended before the answer. */
export const isClosed = (error: unknown): boolean => codeOf(error) === SdkErrorCode.ConnectionClosed;

/** Whether the request was lost on its way, or its answer was: the server may be there all the same. */
export function isBrokenLine(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.data === UNANSWERED;
  if (error instanceof SdkHttpError) return (error.data?.status ?? 0) >= 500;
  return !(error instanceof SdkError);
}

/** Returns the reason as a sentence, with the root cause of a network failure. */
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
