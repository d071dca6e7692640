/** A store whose calls are spans where they are made for a turn. Neither statements nor values are told. */
import type { Store } from '@chat-kernel/kernel';
import { replaceMethods } from '../metrics/replace-methods.ts';
import { causeOf, type OpenSpan, type Spans } from './spans.ts';

/** What all turns share, and none waits for: copies of running steps, and what kernels tell each other. */
const SHARED = ['turns.checkpoint', 'fleet'];

/** @param database its name in OpenTelemetry */
export function tracedStore(store: Store, spans: Spans, database: string): Store {
  const parts = Object.entries(store).filter(
    ([name, part]) => typeof part === 'object' && part !== null && !SHARED.includes(name),
  );
  const trace = (operation: string) =>
    spans.requestBelow(operation, { 'db.system.name': database, 'db.operation.name': operation });
  return replaceMethods(
    store,
    Object.fromEntries(parts.map(([name, part]) => [name, tracedPart(name, part, trace)])),
  );
}

function tracedPart<Part extends object>(
  name: string,
  part: Part,
  trace: (operation: string) => OpenSpan | undefined,
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

async function until<Result>(result: Promise<Result>, span: OpenSpan): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    span.fail(causeOf(error));
    throw error;
  } finally {
    span.end();
  }
}
