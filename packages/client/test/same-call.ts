/** Types that compare a named call of the client with its operation in types generated from the document. */
import type { CallOptions, KernelClient } from '../src/index.ts';

/** For each part true, or what differs. @template Path the parameters of the path: a string each */
export type SameCall<
  Name extends keyof KernelClient,
  Operation,
  Path extends string[],
> = KernelClient[Name] extends (...given: infer Given) => Promise<infer Answer>
  ? {
      operation: Name;
      arguments: Same<
        Given,
        [...Path, ...BodyPart<Operation>, ...QueryPart<Operation>, options?: CallOptions]
      >;
      answer: Same<Answer, AnswerOf<Operation>>;
    }
  : never;

/** Assignable in both directions, with the same fields: one side may lack an optional field and still be assignable. */
type Same<Written, Documented> = [Written] extends [Documented]
  ? [Documented] extends [Written]
    ? SameFields<FieldsOf<Written>, FieldsOf<Documented>>
    : { not_assignable_to_written: Documented }
  : { not_assignable_to_documented: Written };
type SameFields<A, B> = [Exclude<A, B> | Exclude<B, A>] extends [never]
  ? true
  : { only_one_has: Exclude<A, B> | Exclude<B, A> };

/** The paths of all fields, to this depth. */
type FieldsOf<Value, Deeper extends unknown[] = [0, 0, 0]> = Deeper extends [unknown, ...infer Rest]
  ? Value extends readonly unknown[]
    ? FieldsOf<Value[number], Rest>
    : Value extends object
      ? { [Name in keyof Value & string]-?: Name | `${Name}.${FieldsOf<Value[Name], Rest>}` }[keyof Value &
          string]
      : never
  : never;

type JsonIn<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

type AnswerOf<Operation> = Operation extends { responses: infer All }
  ? [JsonIn<All[keyof All & (200 | 201)]>] extends [never]
    ? Response
    : JsonIn<All[keyof All & (200 | 201)]>
  : never;

type BodyPart<Operation> = Operation extends { requestBody?: infer Body }
  ? Part<JsonIn<NonNullable<Body>>>
  : [];

type QueryPart<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? Part<WithBooleans<NonNullable<Query>>>
  : [];
type WithBooleans<Query> = {
  [Name in keyof Query]: [Query[Name]] extends ['true' | 'false' | undefined] ? boolean : Query[Name];
};

/**
 * A part in which nothing is required may be left out. Absent: there is none, or it has no schema: the kernel ignores it,
 * so it is not sent.
 */
type Part<Value> = [Value] extends [never]
  ? []
  : unknown extends Value
    ? []
    : Partial<Value> extends Value
      ? [part?: Value]
      : [part: Value];
