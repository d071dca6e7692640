/** A method for each operation of the OpenAPI document, made from the generated table. */
import type { CallOptions } from '../api/calls.ts';
import { JSON_OPERATIONS, type OperationCalls, RAW_OPERATIONS } from '../api/operations.ts';
import { fillPath } from '../http/path.ts';
import type { Transport, TransportInput } from '../http/transport.ts';

type Send = (method: string, path: string, input: TransportInput) => unknown;

/** The cast names the methods: TypeScript does not see what the constructor assigns. */
export const NamedCalls = class {
  constructor(http: Transport) {
    const add = (operations: Readonly<Record<string, string>>, send: Send) => {
      for (const [name, operation] of Object.entries(operations)) {
        Object.assign(this, { [name]: callOf(operation, send) });
      }
    };
    add(JSON_OPERATIONS, http.json.bind(http));
    add(RAW_OPERATIONS, http.send.bind(http));
  }
} as unknown as new (
  http: Transport,
) => OperationCalls;

/** @param operation method, path and what is sent besides, such as `POST /v1/chats/{id}/fork body` */
function callOf(operation: string, send: Send) {
  const [method = '', path = '', ...sent] = operation.split(' ');
  // bounded: paths of the API document.
  const parameters = path.match(/(?<=\{)\w+/g) ?? [];
  return (...given: unknown[]) => {
    const filled = fillPath(path, byName(parameters, given));
    const input = byName(sent, given.slice(parameters.length), {});
    const options = given[parameters.length + sent.length] as CallOptions | undefined;
    return send(method, filled, { ...input, ...options });
  };
}

/** Arguments by their names; one that was left out is `absent`. */
const byName = (names: readonly string[], given: readonly unknown[], absent?: object) =>
  Object.fromEntries(names.map((name, index) => [name, given[index] ?? absent]));
