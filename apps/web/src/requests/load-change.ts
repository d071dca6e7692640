/** Loads what the dialog of an edit shows: the whole new content of the file, and its current content. */
import {
  type CurrentFile,
  type KernelClient,
  type Operation,
  readCurrentFile,
  textAfterWrite,
} from '@chat-kernel/client';

export interface LoadedChange {
  current: CurrentFile;
  after: string;
  /** Whether only the beginning of the new content is known. */
  isCut: boolean;
}

/** The end of a long content in events; the list of requests has all of it. */
const CUT = '\n[truncated: the client has the full text]';

export async function loadChange(
  client: KernelClient,
  operation: Operation,
  after: string,
  signal: AbortSignal,
): Promise<LoadedChange> {
  const [current, whole] = await Promise.all([
    readCurrentFile(client, operation, signal),
    after.endsWith(CUT) ? findContent(client, operation, signal) : after,
  ]);
  if (whole === undefined || whole.endsWith(CUT)) return { current, after: whole ?? after, isCut: true };
  const text = current.state === 'text' ? textAfterWrite(operation, whole, current.text) : whole;
  return { current, after: text, isCut: false };
}

async function findContent(
  client: KernelClient,
  { chat_id, op_id }: Operation,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { requests } = await client.listRequests({ chat_id }, { signal });
    const event = requests.find(({ id }) => id === op_id)?.event;
    return event?.type === 'consent_request' && typeof event.content === 'string' ? event.content : undefined;
  } catch {
    return undefined;
  }
}
