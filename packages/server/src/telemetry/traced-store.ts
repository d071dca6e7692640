/** Records store calls as spans if they are made for a turn. Spans contain neither statements nor values. */
import { replaceMethods } from '../metrics/replace-methods.ts';
import { describeCause, type Span, type Spans } from './spans.ts';

/** Calls that all turns share and none waits for: copies of running steps, and messages between kernels. */
const SHARED = ['turns.checkpoint', 'fleet'];

/** @param database its name in OpenTelemetry */
export function tracedStore<Parts extends object>(parts: Parts, spans: Spans, database: string): Parts {
  const objects = Object.entries(parts).filter(
    ([name, part]) => typeof part === 'object' && part !== null && !SHARED.includes(name),
  );
  const trace = (operation: string) =>
    spans.requestBelow(operation, { 'db.system.name': database, 'db.operation.name': operation });
  return replaceMethods(
    parts,
    Object.fromEntries(
      objects.map(([name, part]) => [name, tracedPart(name, part, trace)]),
    ) as Partial<Parts>,
  );
}

function tracedPart<Part extends object>(
  name: string,
  part: Part,
  trace: (operation: string) => Span | undefined,
): Part {
  return new Proxy(part, {
    get(target, method) {
      const value = Reflect.get(target, method);
      const operation = `${name}.${String(method)}`;
      if (typeof value !== 'function' || SHARED.includes(operation)) return value;
      return (...given: unknown[]) => {
        const span = trace(operation);
        const result = value.apply(target, given);
        return span && result instanceof Promise ? until(result, span) : result;
      };
    },
  });
}

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
