/** Connects the kernel to the AI SDK's `useChat`: a transport, and the initial history of a page. */
export { loadHistory } from './history.ts';
export type {
  KernelData,
  KernelMetadata,
  KernelPart,
  KernelPause,
  KernelRequest,
  KernelUIMessage,
} from './message.ts';
export { uploadPart } from './outgoing.ts';
export {
  KernelChatTransport,
  type KernelChatTransportOptions,
  type RequestAnswer,
  type TurnFields,
} from './transport.ts';
