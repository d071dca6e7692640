/** Records store calls as spans if they are made for a turn. Spans contain neither statements nor values. */
import { aroundCalls } from '../metrics/replace-methods.ts';
import { describeCause, type Span, type Spans } from './spans.ts';

/** Calls that all turns share and none waits for: copies of running steps, and messages between kernels. */
const SHARED = { operation: 'turns.checkpoint', part: 'fleet' };

/** @param database its name in OpenTelemetry */
export const tracedStore = <Parts extends object>(parts: Parts, spans: Spans, database: string): Parts =>
  aroundCalls(
    parts,
    (operation, call) => {
      if (operation === SHARED.operation) return call();
      const facts = { 'db.system.name': database, 'db.operation.name': operation };
      const span = spans.requestBelow(operation, facts);
      const result = call();
      return span && result instanceof Promise ? until(result, span) : result;
    },
    [SHARED.part],
  );

async function until<Result>(result: Promise<Result>, span: Span): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    span.fail(describeCause(error));
    throw error;
  } finally {
    span.end();
  }
}
