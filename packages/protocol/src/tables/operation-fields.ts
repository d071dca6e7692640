/**
 * Lists the named fields of `client_op` and `consent_request`, for all code that shows an operation (OP-1). All
 * other fields are parameters of the action.
 */

/**
 * True: the field describes the request, and headings and buttons show it. False: it is part of what would run, so it
 * is shown with the parameters. `ClientOpEvent` and `ConsentRequestEvent` have only these fields, so that a new one does
 * not compile without a line here.
 */
export const DESCRIBES_REQUEST = {
  type: true,
  id: true,
  op_id: true,
  action: true,
  decisions: true,
  call: false,
  reason: true,
  outside: true,
  agent: true,
  client_id: true,
  hands: true,
  sandbox: true,
  replayed: true,
} as const satisfies Readonly<Record<string, boolean>>;

export type OperationField = keyof typeof DESCRIBES_REQUEST;

/** The parameters of an operation, and its named fields that are part of what would run. */
export function operationParams(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const describes: Readonly<Record<string, boolean>> = DESCRIBES_REQUEST;
  return Object.fromEntries(Object.entries(event).filter(([name]) => describes[name] !== true));
}
