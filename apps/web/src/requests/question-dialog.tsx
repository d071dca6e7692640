/** A question of the model or the kernel: options, a free answer, or a discussion. */
import type { PendingRequest } from '@chat-kernel/client';
import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { Docked } from './docked.tsx';

interface QuestionDialogProps {
  request: PendingRequest;
  onAnswer(words: { answer: string } | { decision: string }): void;
}

/** Alternatives to an answer that this page supports. */
const INSTEAD = { discuss: 'Discuss', answer_in_text: 'Answer in text' } as const;

export function QuestionDialog({ request, onAnswer }: QuestionDialogProps) {
  const { header, question, options, isMultiple, decisions, place } = parseQuestion(request);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [words, setWords] = useState('');
  const answer = [
    ...(words.trim() && !isMultiple ? [] : picked),
    ...(words.trim() ? [words.trim()] : []),
  ].join(', ');
  const pick = (label: string, isOn: boolean) =>
    setPicked(isMultiple ? (isOn ? [...picked, label] : picked.filter(each => each !== label)) : [label]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answer) onAnswer({ answer });
  };
  const discuss = () => decisions.includes('discuss') && onAnswer({ decision: 'discuss' });
  return (
    <Docked title={header || 'Question'} icon="person" onClose={discuss}>
      <form onSubmit={submit}>
        <div className="body">
          <p className="question">
            <Exact text={question} /> {place ? <small className="hint">{place}</small> : null}
          </p>
          {options.map(({ label, description }) => (
            <label key={label} className="option">
              <input
                type={isMultiple ? 'checkbox' : 'radio'}
                name={`${request.id}:${request.question ?? 0}`}
                checked={picked.includes(label)}
                onChange={event => pick(label, event.target.checked)}
              />
              <span>
                <Exact text={label} />
                {description ? <small>{description}</small> : null}
              </span>
            </label>
          ))}
          {decisions.length > 0 || options.length === 0 ? (
            <input
              className="own-answer"
              aria-label="Other answer"
              placeholder="Other"
              value={words}
              onChange={event => setWords(event.target.value)}
            />
          ) : null}
        </div>
        <footer>
          <Button label="Answer" type="submit" className="primary" disabled={!answer} />
          {(Object.keys(INSTEAD) as (keyof typeof INSTEAD)[])
            .filter(decision => decisions.includes(decision))
            .map(decision => (
              <Button label={INSTEAD[decision]} key={decision} onClick={() => onAnswer({ decision })} />
            ))}
        </footer>
      </form>
    </Docked>
  );
}

interface ParsedQuestion {
  header: string;
  question: string;
  options: readonly { label: string; description: string }[];
  isMultiple: boolean;
  decisions: readonly string[];
  /** `2 of 3`. Empty for a single question. */
  place: string;
}

/** Reads a question from its tool call. The input comes from the model, so its types are not trusted. */
function parseQuestion({ event, question: index = 0 }: PendingRequest): ParsedQuestion {
  const input = event.type === 'tool_call' ? event.input : {};
  const questions = Array.isArray(input.questions) ? input.questions : [];
  const fields = toRecord(questions[index]);
  const options = Array.isArray(fields.options) ? fields.options.map(toRecord) : [];
  return {
    header: String(fields.header ?? ''),
    question: String(fields.question ?? ''),
    options: options.map(({ label, description }) => ({
      label: String(label),
      description: String(description ?? ''),
    })),
    isMultiple: fields.multi_select === true,
    decisions: Object.keys(toRecord(input.decisions)),
    place: questions.length > 1 ? `${index + 1} of ${questions.length}` : '',
  };
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
