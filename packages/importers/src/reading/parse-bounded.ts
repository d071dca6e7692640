/** Parses JSON of an export, whose nesting and number of values are limited. */
import { MAX_LEVELS, type NestingMeter } from '@chat-kernel/protocol';
import { BrokenConversation } from '../base/incoming.ts';

interface Bounds {
  /** Counts the values of all texts that it measured. */
  meter: NestingMeter;
  /** Maximum number of values. */
  values: number;
  /** The text in sentences. */
  name: string;
}

/** @throws BrokenConversation */
export function parseBounded(bytes: Buffer, { meter, values, name }: Bounds): unknown {
  if (meter.isTooDeep(bytes))
    throw new BrokenConversation(`it is nested more than ${MAX_LEVELS} levels deep`);
  if (meter.values > values) throw new BrokenConversation(`it has more than ${values} values`);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new BrokenConversation(`${name} is no JSON`);
  }
}
