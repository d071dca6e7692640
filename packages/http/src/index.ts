/** Defines routes as objects, and provides code that handlers of the server and of features share. */
export { formatContentDisposition, isShownInPlace } from './content-disposition.ts';
export { disconnectSignal } from './disconnect.ts';
export type { Face, FaceAnswer, FaceOptions, FaceRequest } from './face.ts';
export { ChatParams, chatsTag, Limit, modelsTag, Switch } from './parameters.ts';
export {
  type ContentResponse,
  isContent,
  type RouteCall,
  type RouteOf,
  type RouteTag,
  routesTagged,
  successStatus,
} from './route.ts';
export { parseTraceHeaders } from './trace-context.ts';
export { checkLength, uploadedBytes, uploadedName, uploadedType } from './upload.ts';
