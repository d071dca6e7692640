/** JSON-RPC 2.0 between two processes, one object per line. */
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  NotSent,
  PARSE_ERROR,
  PeerDisconnectedError,
  RpcError,
  SERVER_ERROR,
  STANDARD_MESSAGES,
  TimedOut,
} from './errors.ts';
export { LineSplitter } from './lines.ts';
export {
  errorLine,
  type Message,
  notificationLine,
  type RequestId,
  readMessage,
  requestLine,
  resultLine,
} from './message.ts';
export { type ByteStreams, MessageStream, type StreamEnd } from './message-stream.ts';
export { PendingCalls } from './pending-calls.ts';
