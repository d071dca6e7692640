/** Types of the part of express that tests use, which it lacks. */
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
  export type Request = IncomingMessage & { body?: unknown };
  export type Response = ServerResponse & { redirect(address: string): void };
  export type RequestHandler = (request: Request, response: Response, next: () => void) => void;
  interface Express extends RequestListener {
    use(...handlers: RequestHandler[]): Express;
    all(path: string, ...handlers: RequestHandler[]): Express;
  }
  export default function express(): Express;
}
