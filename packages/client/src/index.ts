/** The TypeScript client of the kernel: typed calls, and turns whose streams survive the network. */
export {
  type ChatQuery,
  KernelClient,
  type Page,
  type TurnOptions,
  type TurnStart,
  type Upload,
} from './client.ts';
export { BrokenLine, ConnectionLost, KernelApiError } from './errors.ts';
export { type SseMessage, SseParser } from './sse.ts';
export type { KernelAddress } from './transport.ts';
export {
  type ResetEvent,
  type StartedTurn,
  type TurnEvent,
  type TurnResult,
  TurnStream,
} from './turn-stream.ts';
