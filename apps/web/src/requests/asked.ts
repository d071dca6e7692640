/** A question out of the call that asks it. The input is the model's; fields that a newer kernel adds are skipped. */
import type { Schema } from '@chat-kernel/client';

interface Asked {
  header: string;
  question: string;
  options: readonly { label: string; description: string }[];
  isMultiple: boolean;
  decisions: readonly string[];
  /** `2 of 3`; empty where it is the only one. */
  place: string;
}

export function askedIn({ event, question: index = 0 }: Schema<'PendingRequest'>): Asked {
  const input = event.type === 'tool_call' ? event.input : {};
  const questions = Array.isArray(input.questions) ? input.questions : [];
  const asked = recordOf(questions[index]);
  const options = Array.isArray(asked.options) ? asked.options.map(recordOf) : [];
  return {
    header: String(asked.header ?? ''),
    question: String(asked.question ?? ''),
    options: options.map(({ label, description }) => ({
      label: String(label),
      description: String(description ?? ''),
    })),
    isMultiple: asked.multi_select === true,
    decisions: Object.keys(recordOf(input.decisions)),
    place: questions.length > 1 ? `${index + 1} of ${questions.length}` : '',
  };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
