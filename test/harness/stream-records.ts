/** The records of a stream, read as strictly as the kernel has to write them: what other readers bear with is refused. */

export interface StreamRecord {
  /** Heartbeats. */
  comments: readonly string[];
  /** Absent where it has comments alone. */
  id?: string;
  /** The JSON of an event; absent where only an id was told. */
  data?: string;
}

/** Give it text as it comes; it gives the records that are whole. */
export class StreamRecords {
  /** Text of the record that is not whole yet. */
  unread = '';

  *push(text: string): Generator<StreamRecord, void> {
    this.unread += text;
    for (let end = this.unread.indexOf('\n\n'); end !== -1; end = this.unread.indexOf('\n\n')) {
      const record = this.unread.slice(0, end);
      this.unread = this.unread.slice(end + 2);
      yield recordIn(record);
    }
  }
}

function recordIn(record: string): StreamRecord {
  const lines = record.split('\n');
  if (lines.every(line => /^(: ?|retry: \d+$)/.test(line))) {
    return { comments: lines.filter(line => line.startsWith(':')) };
  }
  const [id, data, ...rest] = lines;
  const isEvent = data === undefined || data.startsWith('data: {');
  if (!id?.startsWith('id: ') || !isEvent || rest.length > 0) {
    throw new Error(`an event must be one id line and one data line, got ${JSON.stringify(record)}`);
  }
  return {
    comments: [],
    id: id.slice('id: '.length),
    ...(data !== undefined && { data: data.slice('data: '.length) }),
  };
}
